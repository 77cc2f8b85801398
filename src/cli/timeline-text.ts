// What happened to a message, as lines of text: what it waits for at the end.
import { harmlessLine } from '../lib/terminal-text.ts'
import type { MessageTimeline, TimelineItem, Waiting } from '../messages/timeline/schemas.ts'
import { readableInstant } from './print.ts'

export function timelineText({ items, isCut, isHeld, waiting }: MessageTimeline): string {
  const lines = items.flatMap((item) =>
    linesOf(item).map((what) => `${readableInstant(item.at)}  ${harmlessLine(what)}`),
  )
  if (isCut) lines.unshift('There are more events than these.')
  if (isHeld) lines.push('It is held.')
  if (waiting) lines.push(wordsOfWait(waiting))
  return lines.join('\n')
}

function linesOf(item: TimelineItem): string[] {
  switch (item.kind) {
    case 'accepted':
      return [
        `accepted from ${item.user ? userWords(item.user) : (item.app?.name ?? 'an application')}${keyWords(item)}`,
      ]
    case 'received':
      return [`received by ${item.mailboxIds.join(', ') || 'a mailbox'}`]
    case 'try':
      return triedWords(item)
    case 'sent':
      return ['sent']
    case 'delivered':
    case 'bounced':
    case 'failed':
      return [`${item.kind}: ${item.recipient}: ${replyWords(item)}`]
    case 'complained':
      return [`${item.recipient} complained`]
    case 'updated':
      return [`changed in ${item.mailboxId ?? 'a mailbox'}: ${changeWords(item)}`]
    case 'deleted':
      return [`deleted from ${item.mailboxIds.join(', ')}: ${item.reason ?? 'no reason is known'}`]
  }
}

function userWords({ id, name }: { id: string; name: string | null }): string {
  return `${name ?? id} in the webmail`
}

function keyWords({ request }: Extract<TimelineItem, { kind: 'accepted' }>): string {
  if (!request) return ''
  const from = request.clientAddress === null ? '' : ` at ${request.clientAddress}`
  return `${request.key ? `, with key ${request.key.name ?? request.key.id}` : ''}${from}, request ${request.requestId ?? 'unknown'}`
}

/** Longer lists of recipients are cut. */
const MOST_NAMED = 3

function triedWords({ times, firstAt, result, answers, nextAttemptAt }: Extract<TimelineItem, { kind: 'try' }>) {
  const often = times === 1 ? 'tried' : `tried ${times} times since ${readableInstant(firstAt)}`
  const next = nextAttemptAt === null ? '' : `; next at ${readableInstant(nextAttemptAt)} at the latest`
  return answers.map(({ recipients, outcome, ...reply }, i) => {
    const more = recipients.length > MOST_NAMED ? ` and ${recipients.length - MOST_NAMED} more` : ''
    const whom = `${recipients.slice(0, MOST_NAMED).join(', ')}${more}`
    const isLast = i === answers.length - 1
    return `${often} (${result}), ${outcome}: ${whom}: ${replyWords(reply)}${isLast ? next : ''}`
  })
}

function replyWords({
  smtpCode,
  enhancedCode,
  text,
}: {
  smtpCode: number | null
  enhancedCode: string | null
  text: string | null
}) {
  return [smtpCode, enhancedCode, text].filter((part) => part !== null && part !== '').join(' ') || 'no words'
}

function changeWords({ isRead, isStarred, folder }: Extract<TimelineItem, { kind: 'updated' }>): string {
  const words = [
    ...(isRead === null ? [] : [isRead ? 'read' : 'not read']),
    ...(isStarred === null ? [] : [isStarred ? 'starred' : 'not starred']),
    ...(folder === null ? [] : [`to ${folder}`]),
  ]
  return words.join(', ') || 'nothing'
}

function wordsOfWait({ for: what, until }: Waiting): string {
  const at = until === null ? '' : readableInstant(until)
  switch (what) {
    case 'turn':
      return 'It is due, and waits for a worker.'
    case 'time':
      return `It waits for its next attempt at ${at}.`
    case 'relay':
      return `It waits for the relay to answer again; it is tried at ${at} at the latest.`
    case 'lane':
      return 'It is due, and waits while its lane is held.'
    case 'submission':
      return 'It is being submitted.'
  }
}
