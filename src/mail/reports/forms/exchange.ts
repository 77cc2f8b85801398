// The Internet Mail Service of Exchange 5.5: `address on date`, and the reason indented beneath. Pure.
import { isAddress } from '../reported-address.ts'
import { type Form, failure, failures } from './form.ts'

/** The address may stand within an X.400 one. */
const RECIPIENT = /^(?:c=.{0,300};dda:SMTP=([^\s;]{3,320});|(\S{3,320})) on (?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), /

export const readExchange: Form = ({ text }) => {
  const [, list] = text.split('did not reach the following recipient(s):')
  if (list === undefined) return []
  return failures(list.split('\n'), addressIn).map(({ address, reason }) => failure(address, reason))
}

function addressIn(line: string): string | undefined {
  const [, within, alone] = RECIPIENT.exec(line) ?? []
  const address = within ?? alone ?? ''
  return isAddress(address) ? address : undefined
}
