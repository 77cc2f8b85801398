// What a draft says, apart from who saved it and when. Pure.
import type { Draft, DraftContent } from '../../../src/servers/webmail/draft-schemas.ts'

export function contentOf(from: DraftContent): DraftContent {
  const { mailboxId, kind, answers, to, cc, bcc, subject, format, body, quote, attachmentIds } = from
  return { mailboxId, kind, answers, to, cc, bcc, subject, format, body, quote, attachmentIds }
}

export function sameContent(one: DraftContent, other: DraftContent): boolean {
  // Long texts as they are, and all else by its JSON.
  const { body, quote, ...rest } = contentOf(one)
  const { body: otherBody, quote: otherQuote, ...otherRest } = contentOf(other)
  return (
    body === otherBody &&
    quote?.html === otherQuote?.html &&
    quote?.attribution === otherQuote?.attribution &&
    JSON.stringify(rest) === JSON.stringify(otherRest)
  )
}

/** With the content that it was saved with, as that was said. */
export const savedAs = (draft: Draft, content: DraftContent): Draft => ({ ...draft, ...contentOf(content) })

/** What is there no more of what a draft names. */
export type Absent = { answers: string } | { fileId: string }

/** Undefined: it cannot do without. `field`: as the server names it. */
export function absentIn({ answers, attachmentIds }: DraftContent, field: string): Absent | undefined {
  if (field === 'answers' && answers !== null) return { answers }
  const fileId = attachmentIds[Number(/^attachmentIds\[(\d+)\]$/.exec(field)?.[1])]
  return fileId === undefined ? undefined : { fileId }
}

export function without(content: DraftContent, absent: Absent): DraftContent {
  if ('answers' in absent) return { ...content, answers: null }
  return { ...content, attachmentIds: content.attachmentIds.filter((id) => id !== absent.fileId) }
}
