// Ways to answer a message, for whoever may write from a mailbox that it lies in.
import { useEffect } from 'preact/hooks'
import { type Answering, answerHref, answerLinks } from '../answer-links.ts'

const KINDS = [
  ['reply', 'Reply'],
  ['reply_all', 'Reply to all'],
  ['forward', 'Forward'],
] as const

/** `of`: said of one among several, whose buttons have the plain names; keys are about the plain ones. */
export function AnswerActions({ messageId, of }: { messageId: string; of?: string }) {
  useEffect(() => {
    if (of !== undefined) return
    const links = Object.fromEntries(KINDS.map(([kind]) => [kind, answerHref(messageId, kind)]))
    answerLinks.value = links as Record<Answering, string>
    return () => {
      answerLinks.value = undefined
    }
  }, [messageId, of])
  return (
    <>
      {KINDS.map(([kind, words]) => (
        <a key={kind} class={of === undefined ? 'button' : 'button quiet small'} href={answerHref(messageId, kind)}>
          {words}
          {of !== undefined && <span class="unseen"> ({of})</span>}
        </a>
      ))}
    </>
  )
}
