// OpenSMTPD: `address: reason` for each recipient behind fixed words. Newer versions write delivery status notifications
// besides. Pure.
import { isAddress } from '../reported-address.ts'
import { type Form, failure } from './form.ts'

const NOTICE =
  /^\s*Hi!\s+This is the MAILER-DAEMON, please DO NOT REPLY to this e-?mail\.\s+(?:An error has occurred while attempting to deliver a message for\s+the following|A message (is delayed) for more than [^\n]{1,80})\s+list of recipients:\s+/

export const readOpensmtpd: Form = ({ text }) => {
  const [notice, isDelayed] = NOTICE.exec(text) ?? []
  if (notice === undefined) return []
  const action = isDelayed === undefined ? 'failed' : 'delayed'
  const [list = ''] = text.slice(notice.length).split(/\n[ \t]*\n/, 1)
  return list.split('\n').flatMap((line) => {
    const [, address = '', reason = ''] = /^(\S{3,320}): (.*)$/.exec(line.trimEnd()) ?? []
    return isAddress(address) ? failure(address, [reason], { action }) : []
  })
}
