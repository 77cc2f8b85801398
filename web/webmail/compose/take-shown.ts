// A draft may be somebody else's, who may have cleaned nothing of it: what is sent is what is shown here.
import type { RefObject } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import type { DraftContent } from '../../../src/servers/webmail/draft-schemas.ts'
import type { OpenDraft } from '../drafts/draft-store.ts'
import type { EditorHandle } from './editor.tsx'
import { quoteMessage } from './quote-message.ts'
import { textAsHtml } from './quote-text.ts'

/**
 * Gives what puts into the draft what cleaning has left of its text and of what it quotes. The frame cleans what a stored draft
 * quotes, `quoted`, while the draft is looked at.
 */
export function useTakeShown(
  draft: OpenDraft,
  editor: RefObject<EditorHandle | undefined>,
  quoted: string | undefined,
): () => Promise<void> {
  const cleaned = useRef<ReadonlyMap<string, Promise<string>>>(undefined)
  // What was begun in this page has been cleaned already.
  cleaned.current ??= new Map(
    quoted === undefined || draft.savedAt.peek() !== undefined ? [] : [[quoted, Promise.resolve(quoted)]],
  )

  const clean = (html: string): Promise<string> => {
    const known = cleaned.current?.get(html)
    if (known) return known
    const files = Object.fromEntries(draft.content.peek().attachmentIds.map((id) => [id, id]))
    const made = quoteMessage(html, files).then(({ html: safe, text }) => safe ?? textAsHtml(text))
    // One that failed is tried anew when it is wanted.
    made.catch(() => {
      cleaned.current = new Map()
    })
    cleaned.current = new Map([[html, made]])
    return made
  }
  useEffect(() => {
    if (quoted !== undefined) clean(quoted).catch(() => {})
  }, [quoted])

  return async () => {
    const asked = draft.content.peek().quote
    const safe = asked && (await clean(asked.html))
    const { quote, body, format } = draft.content.peek()
    const part: Partial<DraftContent> = {}
    if (quote && safe !== null && quote.html === asked?.html && safe !== quote.html)
      part.quote = { ...quote, html: safe }
    if (safe !== null) cleaned.current = new Map([[safe, Promise.resolve(safe)]])
    const seen = editor.current?.body() ?? body
    if (format === 'html' && seen !== body) part.body = seen
    if (Object.keys(part).length > 0) draft.change(part)
  }
}
