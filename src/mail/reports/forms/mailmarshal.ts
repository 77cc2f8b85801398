// MailMarshal: the reply, and then the recipients it was about. Pure.
import { isAddress } from '../reported-address.ts'
import { type Form, failure } from './form.ts'

const NOTICE =
  /^Your message:\n(?:[^\n]*\n){1,12}?Could not be delivered because of\s+([^\n]*)\n\s*The following recipients were affected:\s*\n/

export const readMailmarshal: Form = ({ text }) => {
  const [notice, reply = ''] = NOTICE.exec(text) ?? []
  if (notice === undefined) return []
  const [list = ''] = text.slice(notice.length).split(/\n[ \t]*\n/, 1)
  return list.split('\n').flatMap((line) => (isAddress(line.trim()) ? failure(line.trim(), [reply]) : []))
}
