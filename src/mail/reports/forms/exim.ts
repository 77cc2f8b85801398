// Exim's words without the header that lists the addresses, as when a mailing list passed the bounce on: addresses
// indented by two, reasons deeper. Pure.
import { isAddress } from '../reported-address.ts'
import { type Form, failure, failures } from './form.ts'

const NOTICE =
  /^This message was created automatically by mail delivery software\.\s+A message that you sent could not be delivered to one or more of its\s+recipients\. This is a permanent error\. The following address\(es\) failed:\n\s*\n/

export const readExim: Form = ({ text }) => {
  const notice = NOTICE.exec(text)?.[0]
  if (notice === undefined) return []
  const [list = ''] = text.slice(notice.length).split(/^-{3,}/m, 1)
  return failures(list.split('\n'), addressIn).map(({ address, reason }) => failure(address, reason))
}

function addressIn(line: string): string | undefined {
  const [, address = ''] = /^ {2}(\S+)$/.exec(line.trimEnd()) ?? []
  return isAddress(address) ? address : undefined
}
