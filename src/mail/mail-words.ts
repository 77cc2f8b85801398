// The words by which the webmail finds a mail: those of its subject, of whom it is from and for, of its text and of the names of
// its files. The same in every language, whatever the case and the accents. Pure. specification.md#search-in-the-webmail
import { canonicalAddress, type MailAddress } from './mail-address.ts'
import { seenWords } from './parse/html-text.ts'
import { folded } from './search-words.ts'

/** Of a mail, as far as it is searched. */
export interface SearchedMail {
  subject: string
  from: MailAddress | null
  /** In `to`, `cc` and `bcc`. */
  recipients: readonly MailAddress[]
  /** The first `TEXT_CHARS` of it do. */
  text: string | null
  /** The first `HTML_CHARS` of it do. */
  html: string | null
  filenames: readonly string[]
  hasAttachment: boolean
}

/** Where a word stands: in one of the header's fields, or anywhere. As the first letter of it says. */
export const MAIL_FIELDS = { anywhere: 'w', sender: 'f', recipient: 'r', subject: 's' } as const
export type MailField = keyof typeof MAIL_FIELDS

/** What every mail has, and what those with files have. */
export const ANY_MAIL = '.'
export const WITH_ATTACHMENT = '+'

/** UTF-16 units that words are taken from. specification.md#search-in-the-webmail */
export const TEXT_CHARS = 65_536
/** Of HTML, which is markup for the most part. */
export const HTML_CHARS = 262_144
/** Different words of one mail; a word of the header counts in its field and anywhere. */
const MOST_WORDS = 8_000
/** UTF-8 of them. PostgreSQL takes 1 MiB with what it adds to each. */
const MOST_OCTETS = 400_000
/** Characters. What is longer is known by its beginning, here and there. */
const LONGEST_WORD = 100
/** Addresses that are looked for in a text. */
const MOST_ADDRESSES_OF_TEXT = 500

/** Each once, in the order of what matters more: what is beyond the bounds is not found. */
export function wordsOfMail({
  subject,
  from,
  recipients,
  text,
  html,
  filenames,
  hasAttachment,
}: SearchedMail): string[] {
  const words = new Set<string>([ANY_MAIL])
  if (hasAttachment) words.add(WITH_ATTACHMENT)
  let octets = 0
  const add = (field: MailField, all: readonly string[]) => {
    for (const one of all) {
      const word = MAIL_FIELDS[field] + one
      if (words.has(word)) continue
      octets += Buffer.byteLength(word)
      if (octets > MOST_OCTETS || words.size >= MOST_WORDS) return
      words.add(word)
    }
  }
  const addTo = (field: MailField, all: readonly string[]) => {
    add(field, all)
    add('anywhere', all)
  }
  if (from) addTo('sender', [...wordsOfAddress(from.address), ...splitWords(from.name ?? '')])
  addTo('subject', splitWords(subject))
  for (const name of filenames) add('anywhere', splitWords(name))
  for (const { address, name } of recipients) {
    if (words.size >= MOST_WORDS) break
    addTo('recipient', [...wordsOfAddress(address), ...splitWords(name ?? '')])
  }
  for (const body of [text?.slice(0, TEXT_CHARS), html && seenWords(html.slice(0, HTML_CHARS), TEXT_CHARS)]) {
    if (!body) continue
    add('anywhere', splitWords(body.slice(0, TEXT_CHARS)))
    add('anywhere', addressesIn(body.slice(0, TEXT_CHARS)))
  }
  return [...words]
}

/** What is written without blanks between words. */
const UNSPACED =
  /[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u
const RUNS = /[\p{L}\p{N}\p{M}]+/gu

const segmenter = new Intl.Segmenter('en', { granularity: 'word' })

/** The words of a text, as they are kept and looked for: what a sign joins is parted. */
export function splitWords(text: string): string[] {
  return (readable(text).match(RUNS) ?? []).flatMap((run) => (UNSPACED.test(run) ? segmentsOf(run) : [cut(run)]))
}

function segmentsOf(run: string): string[] {
  return [...segmenter.segment(run)].flatMap(({ segment, isWordLike }) => (isWordLike ? [cut(segment)] : []))
}

/** An address as one word, in whatever spelling it is written. */
export const wholeAddress = (address: string): string => cut(folded(canonicalAddress(address)))

/** The address, its domain with an @, and the words of all of it. */
function wordsOfAddress(address: string): string[] {
  const whole = wholeAddress(address)
  const at = whole.lastIndexOf('@')
  const parts = new Set([...splitWords(address), ...splitWords(whole)])
  return at < 0 ? [...parts] : [whole, whole.slice(at), ...parts]
}

/** What ends an address in a text. */
const BESIDE_ADDRESS = /[\s<>()[\]{}",;:'|]/

function addressesIn(text: string): string[] {
  const found: string[] = []
  for (let at = text.indexOf('@'); at >= 0 && found.length < MOST_ADDRESSES_OF_TEXT; at = text.indexOf('@', at + 1)) {
    let begin = at
    let end = at + 1
    while (begin > 0 && at - begin < LONGEST_WORD && !BESIDE_ADDRESS.test(text[begin - 1] as string)) begin -= 1
    while (end < text.length && end - at < LONGEST_WORD && !BESIDE_ADDRESS.test(text[end] as string)) end += 1
    // What is too long may be cut within a character.
    const address = text
      .slice(begin, end)
      .toWellFormed()
      .replace(/[.!?]{1,9}$/, '')
    if (begin < at && address.length > at - begin + 1) found.push(wholeAddress(address))
  }
  return found
}

/** Words beside each other, as a text is looked through for them: one blank between two, and about them. */
export function phraseOf(text: string): string {
  return ` ${(readable(text).match(RUNS) ?? []).join(' ')} `
}

/** Whether words stand beside each other in a text, both as `phraseOf` gives them. `isBeginning`: the last may go on. */
export function hasPhrase(text: string, phrase: string, isBeginning: boolean): boolean {
  const words = phrase.trim()
  if (words === '') return true
  // A header of thousands of addresses is looked through one by one.
  if (text.length < words.length) return false
  // What is written without blanks goes on before and behind.
  const before = isUnspaced(words.codePointAt(0)) ? '' : ' '
  const behind = isBeginning || isUnspaced([...words.slice(-2)].at(-1)?.codePointAt(0)) ? '' : ' '
  return text.includes(before + words + behind)
}

const isUnspaced = (codePoint: number | undefined): boolean =>
  codePoint !== undefined && UNSPACED.test(String.fromCodePoint(codePoint))

/** Folded, and without what is not seen: a soft hyphen parts no word, a blank of no width does. */
function readable(text: string): string {
  return folded(text)
    .replace(/[\u00ad\u061c\u180e\u200c-\u200f\u202a-\u202e\u2060-\u206f\ufeff]/g, '')
    .replaceAll('\u200b', ' ')
}

function cut(word: string): string {
  return word.length <= LONGEST_WORD ? word : [...word].slice(0, LONGEST_WORD).join('')
}
