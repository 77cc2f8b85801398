// What happened to a message, in words. Pure.
import type { MessageTimeline, TimelineItem } from '../../../src/messages/timeline/schemas.ts'
import type { Tone } from '../../ui/badge.tsx'
import { meaningOf, type Reply, saidBy } from '../../ui/reply-words.ts'

export interface Said {
  /** Whom it is about. */
  recipients: readonly string[]
  outcome?: string
  meaning: string | undefined
  words: string | undefined
}

export interface TimelineEntry {
  /** When; `since` where it happened more often than once. */
  at: string
  since?: string
  what: string
  tone: Tone
  said: readonly Said[]
  /** When it is tried again, at the latest. */
  nextAt?: string
}

const FAULTS: Readonly<Record<string, string>> = {
  refused: 'the relay refused it',
  unavailable: 'the relay deferred it',
  unknown: 'it is not known whether the relay took it',
  unreached: 'the relay could not be reached',
  simulated: 'simulated',
  object_store_unavailable: 'the object store could not be reached',
  dkim_key_unavailable: 'the DKIM key could not be opened',
}

const OUTCOMES = {
  delivered: ['Delivered', 'good'],
  bounced: ['Bounced', 'bad'],
  failed: ['Failed', 'bad'],
} as const satisfies Record<string, readonly [string, Tone]>

const TRIED = { sent: 'Accepted', deferred: 'Deferred', failed: 'Refused' } as const

const said = (recipients: readonly string[], reply: Reply, outcome?: string): Said => {
  return { recipients, meaning: meaningOf(reply), words: saidBy(reply), ...(outcome === undefined ? {} : { outcome }) }
}

export function entryOf(item: TimelineItem): TimelineEntry {
  const entry = (what: string, tone: Tone = 'neutral', words: readonly Said[] = []): TimelineEntry => {
    return { at: item.at, what, tone, said: words }
  }
  switch (item.kind) {
    case 'accepted':
      if (item.user) return entry(`Written in the webmail by ${item.user.name ?? 'somebody who is gone'}`)
      return entry(item.app?.name ? `Accepted from ${item.app.name}` : 'Accepted')
    case 'received':
      return entry('Received')
    case 'try':
      return {
        ...entry(
          triedWords(item),
          item.answers.every(({ outcome }) => outcome === 'sent') ? 'accent' : 'warn',
          item.answers.map(({ recipients, outcome, ...reply }) => said(recipients, reply, TRIED[outcome])),
        ),
        ...(item.times > 1 ? { since: item.firstAt } : {}),
        ...(item.nextAttemptAt === null ? {} : { nextAt: item.nextAttemptAt }),
      }
    case 'sent': {
      const words = item.relayResponse
      const taken = words === null ? [] : [{ recipients: [], meaning: undefined, words }]
      return entry('Sent: the relay accepted it', 'accent', taken)
    }
    case 'delivered':
    case 'bounced':
    case 'failed': {
      const [what, tone] = OUTCOMES[item.kind]
      return entry(item.bounceType === null ? what : `${what} (${item.bounceType})`, tone, [
        said([item.recipient], item),
      ])
    }
    case 'complained':
      return entry('Reported as spam', 'bad', [{ recipients: [item.recipient], meaning: undefined, words: undefined }])
    case 'updated':
      return entry(`Changed in a mailbox${changeWords(item)}`)
    case 'deleted':
      return entry('Deleted from a mailbox')
  }
}

function triedWords({ times, result }: Extract<TimelineItem, { kind: 'try' }>): string {
  const why = FAULTS[result]
  return `${times === 1 ? 'Tried' : `Tried ${times} times`}${why === undefined ? '' : `: ${why}`}`
}

function changeWords({ isRead, isStarred, folder }: Extract<TimelineItem, { kind: 'updated' }>): string {
  const words = [
    ...(isRead === null ? [] : [isRead ? 'read' : 'not read']),
    ...(isStarred === null ? [] : [isStarred ? 'starred' : 'not starred']),
    ...(folder === null ? [] : [`to ${folder}`]),
  ]
  return words.length > 0 ? `: ${words.join(', ')}` : ''
}

const WAITS: Readonly<Record<NonNullable<MessageTimeline['waiting']>['for'], string>> = {
  turn: 'It is due, and waits for its turn.',
  time: 'It waits for its next attempt.',
  relay: 'It waits for the relay to answer again.',
  lane: 'It is due, and waits until the sending of this organization goes on.',
  submission: 'It is being submitted right now.',
}

/** What a message waits for. */
export const waitOf = ({ for: what }: NonNullable<MessageTimeline['waiting']>): string => WAITS[what]
