// The qmail-send bounce message format: begins `Hi. This is the`; paragraphs that begin with `<` name a recipient and
// say why; a paragraph that begins with `-` ends them. Others have taken the paragraphs over with words of their own. Pure.
import type { RecipientReport } from '../delivery-report.ts'
import { isAddress } from '../reported-address.ts'
import { type Form, failure } from './form.ts'

const OPENINGS = ['Hi. This is the', 'Your mail message to the following address(es) could not be delivered.']

export const readQmail: Form = ({ text }) =>
  OPENINGS.some((opening) => text.startsWith(opening)) ? namedParagraphs(text) : []

/** `<address>:` and the reason beneath, paragraph by paragraph behind the first, up to one that begins with a dash. */
export function namedParagraphs(text: string): RecipientReport[] {
  const named: RecipientReport[] = []
  for (const spaced of text.split(/\n[ \t]*\n/).slice(1)) {
    const paragraph = spaced.trimStart()
    if (paragraph.startsWith('-')) break
    const [first = '', ...reason] = paragraph.split('\n')
    const [, address = ''] = /^<(.*)>:$/.exec(first.trimEnd()) ?? []
    if (isAddress(address)) named.push(failure(address, reason))
  }
  return named
}
