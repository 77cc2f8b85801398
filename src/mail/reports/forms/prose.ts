// Bounces in words of their writer's own: older mail systems, gateways and filters, for which a form each would be too
// many. Only what a mail system sent is read, only before the message it returns, and only an address that stands
// beside words of failure. Pure.

import type { RecipientReport } from '../delivery-report.ts'
import { isFromMailSystem } from '../mail-system.ts'
import { isAddress, readAddress } from '../reported-address.ts'
import { type Form, failure } from './form.ts'
import { noticeIn, saysAnswer, saysDelayed } from './notice.ts'
import { codeOfWords } from './prose-codes.ts'
import { FAILED_ADDRESS, LISTED_ADDRESS } from './prose-words.ts'

/** No message has more recipients. */
const MAX_NAMED = 150

export const readProse: Form = ({ from, subject, text }) => {
  const isUnsigned = !from?.address && !from?.name
  if (!isUnsigned && !isFromMailSystem({ from, subject })) return []
  const notice = noticeIn(text)
  if (saysAnswer(notice)) return []
  const paragraphs = paragraphsIn(notice)
  const named = paragraphs.length > 0 ? paragraphs : phrasesIn(notice)
  const action = saysDelayed(subject, notice) ? 'delayed' : 'failed'
  return distinct(named).map(({ address, original, reason }) => report(address, original, reason, action))
}

interface Named {
  address: string
  original: string | null
  reason: string
}

/** Those of qmail and of Postfix: `<address>: reason` or `<address> (expanded from <original>): reason`. */
function paragraphsIn(notice: string): Named[] {
  return notice.split('\n\n').flatMap((paragraph) => {
    const [head = '', address = '', original] =
      /^<([^<>\n]{3,320})>(?: \(expanded from[ \n]<([^<>\n]{3,320})>\))?:/.exec(paragraph) ?? []
    if (!isAddress(address)) return []
    return { address, original: readAddress(original ?? ''), reason: paragraph.slice(head.length) }
  })
}

/** An address beside words of the table, and those listed beneath it. The words tell the reason too. */
function phrasesIn(notice: string): Named[] {
  const found = [...take(notice.matchAll(FAILED_ADDRESS), MAX_NAMED)]
  const starts = found.map(({ index }) => notice.lastIndexOf('\n', index) + 1)
  return found.flatMap((match, i) => {
    const behind = match.index + match[0].length
    const before = found[i - 1]
    const start = Math.max(starts[i] ?? 0, before === undefined ? 0 : before.index + before[0].length)
    const end = Math.max(behind, starts[i + 1] ?? notice.length)
    const first = { address: match.slice(1).find((address) => address !== undefined) ?? '', original: null }
    const until = notice.slice(start, end)
    const listed = listedIn(notice.slice(behind, end))
    // What is said of several at once says of none what became of it: of each counts its own line.
    return listed.length === 0
      ? [{ ...first, reason: until }]
      : [{ ...first, reason: notice.slice(behind, end).split('\n', 1)[0] ?? '' }, ...listed]
  })
}

function* take<T>(items: Iterable<T>, count: number): Generator<T> {
  let taken = 0
  for (const item of items) {
    if (taken++ === count) return
    yield item
  }
}

function listedIn(behind: string): Named[] {
  const listed: Named[] = []
  const [, ...lines] = behind.split('\n', MAX_NAMED)
  for (const line of lines) {
    const address = LISTED_ADDRESS.exec(line)?.[1]
    if (address === undefined) break
    listed.push({ address, original: null, reason: line })
  }
  return listed
}

/** One of each address, with all that is said of it. */
function distinct(named: readonly Named[]): Named[] {
  const seen = new Map<string, Named>()
  for (const one of named) {
    const before = seen.get(one.address)
    if (before) before.reason += `\n${one.reason}`
    else if (isAddress(one.address)) seen.set(one.address, { ...one })
  }
  return [...seen.values()]
}

function report(
  address: string,
  original: string | null,
  reason: string,
  action: 'failed' | 'delayed',
): RecipientReport {
  const read = failure(
    address,
    reason.split('\n').map((line) => line.replace(/^[->*]+ /, '')),
    { action },
  )
  const enhancedCode = read.enhancedCode ?? (action === 'failed' ? codeOfWords(reason, read.smtpCode) : null)
  return { ...read, originalRecipient: original, status: enhancedCode, enhancedCode }
}
