// What an answer to a message, or its forwarding, begins with: from which mailbox, to whom, and under which subject. Pure.
import type { DraftContent } from '../../../src/servers/webmail/draft-schemas.ts'
import { plainWords } from '../../ui/plain-words.ts'
import type { Mailbox } from '../mailbox.ts'
import type { Message, Person } from '../message/shapes.ts'
import { sameAddress, withoutDoubles } from './mail-addresses.ts'

export type AnswerKind = 'reply' | 'reply_all' | 'forward'

export type Beginning = Pick<DraftContent, 'kind' | 'answers' | 'mailboxId' | 'to' | 'cc' | 'subject'>

/** specification.md#limits-of-a-message */
const MOST_SUBJECT_CHARACTERS = 998
const MOST_NAME_CHARACTERS = 256

/** Of mail programs in several languages; each once, or again and again. */
const ANSWERED = /^\s*(?:(?:re|aw|sv|vs|antw|odp|ynt|回复|答复)(?:\[\d+\])?\s*[:：]\s*)+/i
const FORWARDED = /^\s*(?:(?:fwd?|wg|vb|tr|rv|转发)(?:\[\d+\])?\s*[:：]\s*)+/i

/** Undefined where the user may write from none of the mailboxes that the message lies in. */
export function beginAnswer(kind: AnswerKind, message: Message, mailboxes: readonly Mailbox[]): Beginning | undefined {
  const mailbox = mailboxOfAnswer(message, mailboxes)
  if (!mailbox) return undefined
  const about = { kind, answers: message.id, mailboxId: mailbox.id }
  if (kind === 'forward') return { ...about, to: [], cc: [], subject: prefixed('Fwd: ', message.subject, FORWARDED) }
  const isOwn = (person: Person) => mailboxes.some(({ address }) => sameAddress(address, person.address))
  const subject = prefixed('Re: ', message.subject, ANSWERED)
  return { ...about, ...recipientsOf(kind, message, isOwn), subject }
}

/** The one that it was sent to, or from; else the first that has it. */
export function mailboxOfAnswer(message: Message, mailboxes: readonly Mailbox[]): Mailbox | undefined {
  const having = mailboxes.filter(
    ({ id, access }) => access === 'write' && message.entries.some(({ mailboxId }) => mailboxId === id),
  )
  const named = message.direction === 'outbound' ? [message.from] : [...message.to, ...message.cc]
  return having.find(({ address }) => named.some((one) => one && sameAddress(one.address, address))) ?? having[0]
}

function recipientsOf(
  kind: 'reply' | 'reply_all',
  message: Message,
  isOwn: (person: Person) => boolean,
): Pick<Beginning, 'to' | 'cc'> {
  const { from, replyTo, direction } = message
  const sender = from ? [from] : []
  // What one has sent goes on to those who had it.
  const isSent = direction === 'outbound' || (from !== null && isOwn(from))
  const asked = replyTo.some((person) => !isOwn(person)) ? replyTo : sender
  const first = isSent && message.to.length > 0 ? message.to : asked
  if (kind === 'reply') return { to: people(first), cc: [] }
  const all = isSent ? first : [...first, ...message.to]
  const others = all.filter((person) => !isOwn(person))
  const to = people(others.length > 0 ? others : first)
  const cc = people(message.cc.filter((person) => !isOwn(person)))
  return { to, cc: cc.filter(({ address }) => !to.some((one) => sameAddress(one.address, address))) }
}

function people(given: readonly Person[]): DraftContent['to'] {
  const named = given.filter(({ address }) => address !== '')
  return withoutDoubles(named.map(({ address, name }) => ({ address, name: shortName(name) })))
}

function shortName(name: string | null): string | null {
  const words = plainWords(name ?? '').trim()
  return words === '' ? null : words.slice(0, MOST_NAME_CHARACTERS).toWellFormed()
}

const prefixed = (prefix: string, subject: string, former: RegExp): string =>
  `${prefix}${plainWords(subject).replace(former, '')}`.trimEnd().slice(0, MOST_SUBJECT_CHARACTERS).toWellFormed()

/** Mail that is not from whom it names asks to be answered elsewhere: whoever answers is told where that goes. */
export function suspectReplyTo({ badge, from, replyTo }: Message): string | undefined {
  if (badge?.kind !== 'failed') return undefined
  return replyTo.find((person) => !from || !sameAddress(person.address, from.address))?.address
}

/** `On 3 May 2026, 10:12, Ada wrote:`; `date`: as it is said. */
export function attributionOf(kind: AnswerKind, { from }: Pick<Message, 'from'>, date: string): string {
  if (kind === 'forward') return 'Forwarded message:'
  return `On ${date}, ${shortName(from?.name ?? null) ?? from?.address ?? 'somebody'} wrote:`
}
