// Says in the corner what becomes of drafts, whichever page shows: that one is being sent, and can be taken back, and why one is
// not sent.
import { useEffect, useState } from 'preact/hooks'
import { plainWords } from '../../ui/plain-words.ts'
import { go } from '../../ui/router.ts'
import { toast } from '../../ui/toast.tsx'
import { messageHref } from '../place.ts'
import { type News, newsOf } from '../queued-news.ts'
import { offerUndo } from '../undo.ts'
import { draftServer } from './ask-server.ts'
import { queuedWords } from './away-words.ts'
import type { OpenDraft } from './draft-parts.ts'
import { followSending, type Outcome } from './follow-sending.ts'
import { timeInWords } from './send-times.ts'

export const draftHref = (id: string): string => `/compose?draft=${id}`

const SENT = { list: 'sent', q: '', mailbox: undefined } as const
const TOLD_MS = 15_000
const SECOND_MS = 1_000

/** By draft: what is waited for of its newest sending. */
const followed = new Map<string, News>()

const subjectOf = (draft: OpenDraft): string => {
  const subject = plainWords(draft.content.peek().subject).trim()
  return subject ? `“${subject}”` : 'without a subject'
}

/** `untilMs`: by `performance.now`. Gives what became of it, as far as that is waited for. */
export async function tellSending(draft: OpenDraft, untilMs: number, isLate: boolean): Promise<Outcome['kind']> {
  const due = draft.due.peek()
  if (due?.isScheduled) {
    offerUndo(`It will be sent ${timeInWords(due.at, Date.now())}.`, () => takeBack(draft), { stays: true })
    return 'open'
  }
  const left = untilMs - performance.now()
  const forget =
    left > 0
      ? offerUndo(<Sending untilMs={untilMs} isLate={isLate} />, () => takeBack(draft), { shownMs: left, stays: true })
      : undefined
  const messageId = draft.messageId.peek() ?? ''
  const news = newsOf(messageId)
  followed.set(draft.id, news)
  const outcome = await followSending(
    {
      read: () => draftServer.read(draft.id),
      wasSent: () => draftServer.wasSent(messageId),
      wait: news.wait,
    },
    Math.max(left, 0),
  )
  news.stop()
  forget?.()
  // It was taken back and sent again: what becomes of it is told once.
  if (followed.get(draft.id) !== news) return 'open'
  followed.delete(draft.id)
  if (outcome.kind === 'sent') {
    toast('Sent.', { label: 'View message', act: () => go(messageHref(messageId, SENT)) })
  } else if (outcome.kind === 'failed') {
    toast(`${subjectOf(draft)} was not sent: ${outcome.failure.message}`, openOf(draft), TOLD_MS * 2)
  }
  return outcome.kind
}

/** Its seconds are for who sees them: read out, each would be said. */
function Sending({ untilMs, isLate }: { untilMs: number; isLate: boolean }) {
  const [now, setNow] = useState(() => performance.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(performance.now()), SECOND_MS / 4)
    return () => clearInterval(timer)
  }, [])
  const left = Math.max(0, Math.ceil((untilMs - now) / SECOND_MS))
  return (
    <>
      {isLate && 'The time that you chose has come. '}Sending… <span aria-hidden="true">{left}</span>
    </>
  )
}

/** Never throws. What is taken back is open again, with everything. */
export async function takeBack(draft: OpenDraft): Promise<void> {
  try {
    await draft.takeBack()
    go(draftHref(draft.id))
  } catch (error) {
    toast((error as Error).message)
  }
}

export function tellQueued(draft: OpenDraft): void {
  offerUndo(queuedWords(draft.away.peek()), () => takeBack(draft), { stays: true })
}

export function tellRefused(draft: OpenDraft, why: Error): void {
  toast(`${subjectOf(draft)} was not sent: ${why.message}`, openOf(draft))
}

export function tellFileGone(draft: OpenDraft, why: Error): void {
  toast(`${subjectOf(draft)}: ${why.message}`, openOf(draft), TOLD_MS * 2)
}

export function tellRecovered(draft: OpenDraft): void {
  toast(`Unsaved changes of this browser were found: ${subjectOf(draft)}.`, openOf(draft))
}

export function tellCopied(draft: OpenDraft): void {
  toast('Your text is a draft of its own now.', openOf(draft))
}

export function tellDiscarded(again: () => Promise<void>): void {
  offerUndo('Draft discarded.', again)
}

export function tellSigningOut(leave: () => void): void {
  toast('Something you wrote is not saved yet, and signing out loses it.', { label: 'Sign out', act: leave }, TOLD_MS)
}

const openOf = (draft: OpenDraft) => ({ label: 'Open draft', act: () => go(draftHref(draft.id)) })
