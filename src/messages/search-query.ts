// What somebody looks for in the webmail, read from what they typed: words, phrases and operators. Pure: what a day is, comes in.
// specification.md#search-in-the-webmail
import {
  ANY_MAIL,
  MAIL_FIELDS,
  type MailField,
  phraseOf,
  splitWords,
  WITH_ATTACHMENT,
  wholeAddress,
} from '../mail/mail-words.ts'
import { FOLDERS, type Folder } from './schemas.ts'

/** A word that a message must have, or must not. */
export interface MailWord {
  /** With the letter of its field, as it is kept. */
  word: string
  /** It is the beginning of one. */
  isBeginning: boolean
  isExcluded: boolean
}

/** Words that must, or must not, stand beside each other. */
export interface MailPhrase {
  /** As `phraseOf` gives it. */
  phrase: string
  field: MailField
  isBeginning: boolean
  isExcluded: boolean
}

export interface SearchQuery {
  words: MailWord[]
  phrases: MailPhrase[]
  /** Where it may lie. */
  folders: readonly Folder[]
  isRead: boolean | null
  isStarred: boolean | null
  /** Milliseconds since 1970: from an instant on, and before one. */
  sinceMs: number | null
  untilMs: number | null
  /** What was not understood, in words. */
  ignored: string[]
  /** Nothing is looked for. */
  isEmpty: boolean
}

/** What is looked for at once. specification.md#search-in-the-webmail */
const MOST_TERMS = 32
/** Beyond so many words, those of a phrase are not looked up one by one: the phrase says which messages have all of it. */
const MOST_WORDS_LOOKED_UP = 32
/** Of a word that may go on: a shorter one begins too many. */
const SHORTEST_BEGINNING = 2

const TERM = /(-?)(?:([a-z]+):)?(?:"([^"]*)("?)|(\S*))/iy
const OPERATORS = ['from', 'to', 'subject', 'in', 'has', 'is', 'before', 'after']
const FIELD_OF: Partial<Record<string, MailField>> = { from: 'sender', to: 'recipient', subject: 'subject' }

interface Term {
  isExcluded: boolean
  operator: string | null
  value: string
  isQuoted: boolean
  /** Whoever types it may not have come to its end. */
  isOpen: boolean
  /** As it was typed. */
  typed: string
}

/** `dayBegins`: the instant at which a date (`2026-11-01`) begins where the user is; undefined for what is none. */
export function parseSearch(q: string, dayBegins: (date: string) => number | undefined): SearchQuery {
  const query: SearchQuery = {
    words: [],
    phrases: [],
    folders: FOLDERS,
    isRead: null,
    isStarred: null,
    sinceMs: null,
    untilMs: null,
    ignored: [],
    isEmpty: true,
  }
  const lies = { in: new Set<Folder>(), out: new Set<Folder>() }
  const terms = termsOf(q)
  for (const term of terms.slice(0, MOST_TERMS)) {
    const fault = addTerm(query, lies, term, dayBegins)
    if (fault !== null) query.ignored.push(`${term.typed}: ${fault}`)
  }
  for (const { typed } of terms.slice(MOST_TERMS)) query.ignored.push(`${typed}: more than ${MOST_TERMS} words`)
  query.folders = FOLDERS.filter((folder) => (lies.in.size === 0 || lies.in.has(folder)) && !lies.out.has(folder))
  const narrows = query.folders.length < FOLDERS.length || [query.isRead, query.isStarred].some((is) => is !== null)
  query.isEmpty =
    !narrows && query.words.length + query.phrases.length === 0 && query.sinceMs === null && query.untilMs === null
  if (query.words.some((word) => word.isExcluded) && !query.words.some((word) => !word.isExcluded)) {
    query.words.push({ word: ANY_MAIL, isBeginning: false, isExcluded: false })
  }
  return query
}

function termsOf(q: string): Term[] {
  const terms: Term[] = []
  for (let at = 0; at < q.length; ) {
    if (/\s/u.test(q[at] as string)) {
      at += 1
      continue
    }
    TERM.lastIndex = at
    const [typed = '', minus = '', name = '', quoted, closing, bare = ''] = TERM.exec(q) ?? []
    at += typed.length
    const operator = OPERATORS.includes(name.toLowerCase()) ? name.toLowerCase() : null
    const isQuoted = quoted !== undefined
    // `re:"a b"` and `http://…` are text.
    const value = operator === null && name !== '' ? `${name}:${quoted ?? bare}` : (quoted ?? bare)
    const isOpen = at >= q.length && !(isQuoted && closing === '"') && !/\s$/u.test(typed)
    terms.push({ isExcluded: minus === '-', operator, value, isQuoted, isOpen, typed })
  }
  return terms
}

/** Gives what is wrong with it; null when it is understood. */
function addTerm(
  query: SearchQuery,
  lies: { in: Set<Folder>; out: Set<Folder> },
  term: Term,
  dayBegins: (date: string) => number | undefined,
): string | null {
  const { operator, isExcluded } = term
  if (operator !== null && term.value === '') return 'nothing follows'
  const value = term.value.toLowerCase()
  switch (operator) {
    case 'in': {
      const folder = FOLDERS.find((one) => one === value)
      if (!folder) return `there are ${listed(FOLDERS)}`
      lies[isExcluded ? 'out' : 'in'].add(folder)
      return null
    }
    case 'has':
      if (value !== 'attachment' && value !== 'attachments') return 'has: is followed by attachment'
      query.words.push({ word: WITH_ATTACHMENT, isBeginning: false, isExcluded })
      return null
    case 'is':
      if (value === 'unread' || value === 'read') query.isRead = (value === 'read') !== isExcluded
      else if (value === 'starred') query.isStarred = !isExcluded
      else return 'is: is followed by unread, read or starred'
      return null
    case 'before':
    case 'after': {
      const day = dayBegins(term.value)
      if (day === undefined) return 'a date looks like 2026-11-01'
      if ((operator === 'after') !== isExcluded) query.sinceMs = Math.max(query.sinceMs ?? day, day)
      else query.untilMs = Math.min(query.untilMs ?? day, day)
      return null
    }
    default:
      addWords(query, FIELD_OF[operator ?? ''] ?? 'anywhere', term)
      return null
  }
}

/** An address is one word; words that are quoted, or that a sign joins, stand beside each other. */
function addWords(query: SearchQuery, field: MailField, { value, isQuoted, isExcluded, isOpen }: Term): void {
  const letter = MAIL_FIELDS[field]
  const address = isQuoted ? null : addressIn(value)
  if (address !== null) {
    query.words.push({ word: letter + address, isBeginning: isOpen && !isExcluded, isExcluded })
    return
  }
  const words = splitWords(value)
  const last = words.at(-1)
  if (last === undefined) return
  // A sign behind it ends it.
  const isBeginning = isOpen && !isExcluded && /[\p{L}\p{N}\p{M}]$/u.test(value) && mayGoOn(last)
  // One that is not to be there as a whole may be there in part.
  if (!isExcluded || words.length === 1) {
    for (const [i, word] of words.entries()) {
      if (words.length > 1 && query.words.length >= MOST_WORDS_LOOKED_UP) break
      query.words.push({ word: letter + word, isBeginning: isBeginning && i === words.length - 1, isExcluded })
    }
  }
  if (words.length > 1) query.phrases.push({ phrase: phraseOf(value), field, isBeginning, isExcluded })
}

/** `ada@example.com`, or `@example.com` for a domain; null for what is none. */
function addressIn(text: string): string | null {
  const bare = text.replace(/^[<(,;"]+|[>),;"]+$/g, '')
  return /^[^@]*@[^@]+$/.test(bare) ? wholeAddress(bare) : null
}

function mayGoOn(word: string): boolean {
  return word.length >= SHORTEST_BEGINNING || (word.codePointAt(0) as number) > 0xe00
}

const listed = (words: readonly string[]) => `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`
