// GMX: a recipient in quotation marks with the reason beneath, or in angle brackets and then `Reason:`. Pure.
import { isAddress } from '../reported-address.ts'
import { type Form, failure, failures } from './form.ts'
import { noticeLines } from './nemesis.ts'

export const readGmx: Form = ({ text }) =>
  failures(noticeLines(text), addressIn).map(({ address, reason }) => failure(address, reason))

function addressIn(line: string): string | undefined {
  const [, quoted, bracketed] = /^\s*(?:"([^"]*)":|<([^<>]*)>)$/.exec(line.trimEnd()) ?? []
  const address = quoted ?? bracketed ?? ''
  return isAddress(address) ? address : undefined
}
