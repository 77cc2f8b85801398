// The words by which a message is found: those of its subject, and of whom it is from and for. The same in every language,
// whatever the case and the accents. Pure. specification.md#search-of-messages
import type { MailAddress } from './mail-address.ts'
import { canonicalAddress } from './mail-address.ts'

/** Of a message, as far as it is searched. */
export interface SearchedMessage {
  subject: string
  from: MailAddress | null
  /** In `to`, `cc` and `bcc`. */
  recipients: readonly MailAddress[]
  /** The Message-ID of what was received, in its angle brackets. */
  messageId: string | null
}

/** Where a word of a message stands, as the first letter of it says. */
const FIELDS = { subject: 's', sender: 'f', recipient: 'r', messageId: 'i' } as const

/** What is looked for: a message has all of these words. */
export interface WantedWord {
  /** As it may stand among the words of a message, in one field or another. */
  words: string[]
  /** It is the beginning of one. */
  isBeginning: boolean
}

/** Words to look for: anywhere, or in one field. */
export interface WantedText {
  q?: string | undefined
  subject?: string | undefined
  /** A whole address. */
  recipient?: string | undefined
}

/** Characters. What is longer is known by its beginning, here and there. */
const LONGEST_WORD = 100
/** UTF-8. PostgreSQL takes 1 MiB with what it adds to each; those whom a message is for fit in any case. */
const MOST_OCTETS = 640_000

const segmenter = new Intl.Segmenter('en', { granularity: 'word' })

/** Each once. */
export function wordsOfMessage({ subject, from, recipients, messageId }: SearchedMessage): string[] {
  const words = new Set<string>()
  let octets = 0
  const add = (field: keyof typeof FIELDS, all: readonly string[]) => {
    for (const one of all) {
      const word = FIELDS[field] + one
      if (words.has(word)) continue
      octets += Buffer.byteLength(word)
      if (octets <= MOST_OCTETS) words.add(word)
    }
  }
  for (const { address } of recipients) add('recipient', [wholeAddress(address)])
  if (messageId) add('messageId', [wholeWord(messageId.replace(/^<|>$/g, ''))])
  add('subject', wordsOfText(subject))
  if (from)
    add('sender', [wholeAddress(from.address), ...wordsOfAddress(from.address), ...wordsOfText(from.name ?? '')])
  for (const { address, name } of recipients) {
    if (octets > MOST_OCTETS) break
    add('recipient', [...wordsOfAddress(address), ...wordsOfText(name ?? '')])
  }
  return [...words]
}

/**
 * What a search asks for: the words of its texts, of which the last of each may be a beginning. In `q`, what has an @ is an
 * address, a domain (`@example.com`) or a Message-ID, and is looked for whole. Undefined where nothing in a text is a word.
 */
export function wantedWords({ q, subject, recipient }: WantedText): WantedWord[] | undefined {
  const texts = [
    q === undefined ? undefined : wantedIn(q, Object.values(FIELDS)),
    subject === undefined ? undefined : wantedIn(subject, [FIELDS.subject]),
    recipient === undefined ? undefined : [{ words: [FIELDS.recipient + wholeAddress(recipient)], isBeginning: false }],
  ].filter((wanted) => wanted !== undefined)
  return texts.some((wanted) => wanted.length === 0) ? undefined : texts.flat()
}

function wantedIn(text: string, fields: readonly string[]): WantedWord[] {
  const words = text
    .split(/\s+/u)
    .flatMap((part) =>
      part.includes('@') ? [wholeAddress(part.replace(/^[<"(,;]+|[>")(,;]+$/g, ''))] : segmentsOf(part),
    )
  return words.map((word, i) => ({
    words: fields.map((field) => field + word),
    isBeginning: i === words.length - 1 && !word.includes('@') && !/\s$/u.test(text),
  }))
}

/** The domain of an address with and without an @, the domains above it, and the words of all of it. */
function wordsOfAddress(address: string): string[] {
  const whole = canonicalAddress(address)
  const at = whole.lastIndexOf('@')
  if (at < 0) return wordsOfText(whole)
  const domain = wholeWord(whole.slice(at + 1))
  const labels = domain.split('.')
  const above = labels.slice(0, -1).map((_, i) => labels.slice(i).join('.'))
  return [`@${domain}`, domain, ...above, ...wordsOfText(whole.slice(0, at)), ...wordsOfText(domain)]
}

/** Words, and what is joined in them by a sign: `l'addition` is found as `addition` too. */
function wordsOfText(text: string): string[] {
  return segmentsOf(text).flatMap((word) => {
    const parts = word.split(/[^\p{L}\p{N}\p{M}]+/u).filter((part) => part !== '')
    return parts.length > 1 ? [word, ...parts] : [word]
  })
}

function segmentsOf(text: string): string[] {
  return [...segmenter.segment(folded(text))].flatMap(({ segment, isWordLike }) => (isWordLike ? [cut(segment)] : []))
}

const wholeWord = (text: string) => cut(folded(text))
const wholeAddress = (address: string) => wholeWord(canonicalAddress(address))

function cut(word: string): string {
  return word.length <= LONGEST_WORD ? word : [...word].slice(0, LONGEST_WORD).join('')
}

/** Letters that Unicode takes apart into nothing smaller, and that are typed without their stroke. */
const PLAIN: Record<string, string> = {
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  ħ: 'h',
  ı: 'i',
  æ: 'ae',
  œ: 'oe',
  þ: 'th',
  ς: 'σ',
}
const PLAINED = new RegExp(`[${Object.keys(PLAIN).join('')}]`, 'gu')

/** Without the differences of case, width and accents. Marks of scripts in which they are vowels stay. */
export function folded(text: string): string {
  if (isAscii(text)) return text.toLowerCase()
  return text
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .toUpperCase()
    .toLowerCase()
    .replace(PLAINED, (letter) => PLAIN[letter] ?? letter)
    .replaceAll('\u2019', "'")
    .normalize('NFC')
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: ASCII begins with them.
const isAscii = (text: string): boolean => /^[\x00-\x7f]*$/.test(text)
