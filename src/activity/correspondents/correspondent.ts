// Whom a mailbox has written with, as far as that is kept: the mails that say how often and how lately, in whatever order they are heard
// of and however often each is. Pure. specification.md#suggestions-of-recipients
import { isEmailAddress } from '../../lib/formats.ts'
import type { Uuid } from '../../lib/uuid.ts'
import type { MailAddress } from '../../mail/mail-address.ts'
import { spellingsOf } from '../../mail/mail-address.ts'
import { splitWords } from '../../mail/mail-words.ts'
import { folded } from '../../mail/search-words.ts'

export interface MailWith {
  id: Uuid
  /** Milliseconds since 1970. */
  at: number
  /** It went to them; otherwise it came from them. */
  isWritten: boolean
}

export interface Correspondent extends MailAddress {
  /** When the name was given; 0 where there is none. */
  namedAt: number
  /** The newest first. */
  mails: MailWith[]
}

/** How many mails say how often somebody is written with. */
const MOST_MAILS = 16
const HALF_LIFE_MS = 60 * 86_400_000
/** What one mail that was written counts for, in mails that have come. */
const WEIGHT_OF_WRITTEN = 8
const MOST_NAME_CHARACTERS = 256
const MOST_WORDS = 24

/** What is known after some more is, of which part may be known already. There is at least one mail in all. */
export function mergeCorrespondent(
  known: Correspondent | undefined,
  heard: readonly (MailWith & MailAddress)[],
): Correspondent {
  const newestFirst = (a: MailWith, b: MailWith) => b.at - a.at || (a.id < b.id ? 1 : -1)
  const all = new Map<Uuid, MailWith>(known?.mails.map((mail) => [mail.id, mail]))
  for (const { id, at, isWritten } of heard) all.set(id, { id, at, isWritten })
  const mails = [...all.values()].sort(newestFirst).slice(0, MOST_MAILS)
  const named = heard.filter(({ name }) => name !== null).sort(newestFirst)[0]
  const isNamed = named !== undefined && named.at > (known?.namedAt ?? 0)
  return {
    address: heard.find(({ id }) => id === mails[0]?.id)?.address ?? known?.address ?? '',
    name: isNamed ? named.name : (known?.name ?? null),
    namedAt: isNamed ? named.at : (known?.namedAt ?? 0),
    mails,
  }
}

/** The higher, the oftener and later they were written with; it does not change as time goes by. */
export function rankOf(mails: readonly MailWith[]): number {
  const logs = mails.map(({ at, isWritten }) => at / HALF_LIFE_MS + (isWritten ? Math.log2(WEIGHT_OF_WRITTEN) : 0))
  const highest = Math.max(...logs)
  return highest + Math.log2(logs.reduce((sum, log) => sum + 2 ** (log - highest), 0))
}

/** As it is offered; undefined for what cannot be written to. */
export function offered({ address, name }: MailAddress): MailAddress | undefined {
  if (!isEmailAddress(address)) return undefined
  // What turns the direction of a text makes one address look like another.
  const readable = name?.replace(/[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, ' ').trim()
  const cut = readable?.slice(0, MOST_NAME_CHARACTERS).toWellFormed()
  return { address, name: !cut || cut === address ? null : cut }
}

const NO_REPLY =
  /^(?:(?:do|please)?[-_.]?(?:not?|never)[-_.]?(?:reply|respond|answer)|mailer-daemon|postmaster|bounces?)[-_.+=\d@]/i

/** Nobody reads what is written there, as its name says. */
export function isNoReply(address: string): boolean {
  return NO_REPLY.test(address)
}

/** What typing the beginning of finds them. */
export function wordsOfCorrespondent({ address, name }: MailAddress): string[] {
  const domain = address.slice(address.lastIndexOf('@') + 1)
  const words = [
    ...spellingsOf(address).map(folded),
    ...splitWords(name ?? ''),
    ...splitWords(address.slice(0, address.lastIndexOf('@'))),
    // Of what all domains end with, nobody is found.
    ...splitWords(domain.slice(0, Math.max(0, domain.lastIndexOf('.')))),
  ]
  return [...new Set(words)].slice(0, MOST_WORDS)
}

/** What is looked for by what was typed: each is the beginning of a word. */
export function wordsTyped(q: string): string[] {
  const parts = q.split(/[\s,;<>"()]+/u).filter((part) => part !== '')
  return parts.flatMap((part) => (part.includes('@') ? [folded(part)] : splitWords(part))).slice(0, MOST_WORDS)
}
