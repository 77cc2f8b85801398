// 1&1 (IONOS): a recipient on a line of its own, with `For the following reason:` or the reply beneath. Pure.
import { isAddress } from '../reported-address.ts'
import { type Form, failure, failures } from './form.ts'
import { noticeLines } from './nemesis.ts'

export const readEinsundeins: Form = ({ text }) =>
  failures(noticeLines(text), addressIn).map(({ address, reason }) => failure(address, reason))

function addressIn(line: string): string | undefined {
  const address = line.trim().replace(/:$/, '')
  return isAddress(address) ? address : undefined
}
