// Finds an address in whatever is written down of it: in texts, in headers, in JSON. Pure.
import { spellingsOf } from './mail-address.ts'

/** In front of an address no character that could belong to its local part, but for what JSON writes of a break of lines. */
const BEFORE = '(?:^|[^[:alnum:]._+-]|\\\\[bfnrt])'
/** Behind it no more of a domain; the end of a sentence is none. */
const AFTER = '(?:$|[^[:alnum:].-]|[.-](?:$|[^[:alnum:]]))'

/**
 * An advanced regular expression of PostgreSQL, for `~*`: it matches a text that names the address in any of its spellings, also
 * within a URL. Another address of which it is a part does not match, and one with a tag (`name+tag@`) is another.
 */
export function addressPattern(address: string): string {
  const spellings = spellingsOf(address).map((spelling) => {
    const at = spelling.lastIndexOf('@')
    return `${quoted(spelling.slice(0, at))}(?:@|%40)${quoted(spelling.slice(at + 1))}`
  })
  return `${BEFORE}(?:${spellings.join('|')})${AFTER}`
}

const quoted = (text: string): string => text.replace(/[\\^$.|?*+()[\]{}]/g, '\\$&')
