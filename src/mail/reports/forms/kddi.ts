// KDDI (au, ezweb.ne.jp): the dialogue with the remote server, recipient by recipient. Pure.
import { isAddress } from '../reported-address.ts'
import { type Form, failure, failures } from './form.ts'

const WORDS = /^Each of the following recipients was rejected by a remote\s+mail server\./m

export const readKddi: Form = ({ text }) => {
  if (!WORDS.test(text)) return []
  const [notice = ''] = text.split(/^-{3,}/m, 1)
  return failures(notice.split('\n'), addressIn).map(({ address, reason }) => failure(address, reason.flatMap(replyIn)))
}

/** Older notices have the address alone, before the words. */
function addressIn(line: string): string | undefined {
  const [, address = ''] = /^(?: *Recipient: )?<([^<>]*)>$/.exec(line.trimEnd()) ?? []
  return isAddress(address) ? address : undefined
}

function replyIn(line: string): string[] {
  return /^ *<<< (.*)$/.exec(line.trimEnd())?.slice(1) ?? []
}
