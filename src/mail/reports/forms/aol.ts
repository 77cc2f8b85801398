// AOL, where mail was not accepted from a sender or with attachments: screen names on lines of their own, without their
// domain. Pure.
import { type Form, failure } from './form.ts'

const DOMAIN = 'aol.com'
const NOTICE =
  /^(?:Sorry \S{1,320}\. )?Your mail to the following recipients could not be delivered because they are not accepting mail [^\n]{1,400}\n/

export const readAol: Form = ({ from, text }) => {
  const [notice] = NOTICE.exec(text) ?? []
  if (notice === undefined || from?.address.toLowerCase() !== `mailer-daemon@${DOMAIN}`) return []
  const [list = ''] = text.slice(notice.length).split(/\n[ \t]*\n/, 1)
  return list.split('\n').flatMap((line) => {
    const [, name] = /^\t([\w.-]{1,64})$/.exec(line.trimEnd()) ?? []
    return name === undefined ? [] : failure(`${name}@${DOMAIN}`, [notice])
  })
}
