// The first words of a message, for lists. Pure.

/** DECISIONS "Message". */
const PREVIEW_CHARACTERS = 200
/** Enough of a body to find 200 characters in, so that a body of megabytes costs nothing. */
const LOOK_AT_CHARACTERS = 4_000

/** Up to 200 characters of the text, or of the html without its tags, on one line. */
export function previewOf(text: string | null | undefined, html: string | null | undefined): string {
  const plain = text ? text.slice(0, LOOK_AT_CHARACTERS) : withoutTags(html ?? '')
  return plain.replace(/\s+/g, ' ').trim().slice(0, PREVIEW_CHARACTERS).toWellFormed().replaceAll('\u0000', '')
}

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' }

function withoutTags(html: string): string {
  // Style sheets come first and may be long: take them out before the cut.
  return html
    .slice(0, LOOK_AT_CHARACTERS * 25)
    .replace(/<(style|script|head|title)\b[^>]*>[\s\S]*?<\/\1\s*>|<!--[\s\S]*?-->/gi, ' ')
    .slice(0, LOOK_AT_CHARACTERS)
    .replace(/<[^>]*>?/g, ' ')
    .replace(/&(amp|lt|gt|quot|apos|nbsp);/g, (_entity, name: string) => ENTITIES[name] ?? ' ')
}
