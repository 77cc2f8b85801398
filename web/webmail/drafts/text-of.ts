// What a draft says, as text to look at: of HTML, which another user may have written, its words alone.
import type { DraftContent } from '../../../src/servers/webmail/draft-schemas.ts'

/** Tags are taken out as text: nothing is made of them that could run, or fetch anything. */
export function textOf({ format, body }: Pick<DraftContent, 'format' | 'body'>): string {
  if (format === 'text') return body
  return body
    .replace(/<(?:br|hr)\b[^>]*>|<\/(?:p|div|li|h[1-6]|tr|blockquote|pre)>/gi, '\n')
    .replace(/<li\b[^>]*>/gi, '• ')
    .replace(/<[^>]*>/g, '')
    .replace(/&(lt|gt|quot|#39|nbsp|amp);/g, (_whole, name: string) => CHARACTERS[name] ?? '')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}

const CHARACTERS: Record<string, string> = { lt: '<', gt: '>', quot: '"', '#39': "'", nbsp: ' ', amp: '&' }
