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

/** Without the message that it answers, or one of its files; undefined: it cannot do without. `field`: as the server names it. */
export function withoutField(content: DraftContent, field: string): DraftContent | undefined {
  if (field === 'answers' && content.answers !== null) return { ...content, answers: null }
  const index = /^attachmentIds\[(\d+)\]$/.exec(field)?.[1]
  if (index === undefined || content.attachmentIds[Number(index)] === undefined) return undefined
  return { ...content, attachmentIds: content.attachmentIds.toSpliced(Number(index), 1) }
}
