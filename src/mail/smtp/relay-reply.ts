// Reads what a relay answers: RFC 5321 §4.2, RFC 3463. Pure.

export interface Reply {
  /** 200 to 599; null when the words are our own because the relay was not asked. */
  code: number | null
  /** Such as `5.1.1`, where the relay gave one. */
  enhancedCode: string | null
  /** What stands behind the codes, its lines joined by spaces, without control characters. */
  text: string
}

/** Longer texts are cut; RFC 5321 §4.5.3.1.5 allows a line 512 octets, and a reply some lines. */
const MAX_TEXT_CHARACTERS = 1_000

/** Takes a reply of one or more lines apart. Undefined when it is none. */
export function parseReply(reply: string): Reply | undefined {
  const lines = reply.trimEnd().split(/\r?\n/)
  const code = /^([2-5]\d\d)(?:[ -]|$)/.exec(lines[0] ?? '')?.[1]
  if (!code) return undefined
  const texts = lines.map((line) => (line.startsWith(code) ? line.slice(4) : line))
  const enhancedCode = /^([245]\.\d{1,3}\.\d{1,3})(?=\s|$)/.exec(texts[0] ?? '')?.[1] ?? null
  const bare = texts.map((text) =>
    enhancedCode && text.startsWith(enhancedCode) ? text.slice(enhancedCode.length) : text,
  )
  return { code: Number(code), enhancedCode, text: shortLine(bare.join(' ')) }
}

/** What was not said by the relay. */
export function ownWords(text: string): Reply {
  return { code: null, enhancedCode: null, text }
}

/** True for a refusal that trying again would not change. */
export function isPermanent({ code, enhancedCode }: Reply): boolean {
  // RFC 5321 §4.5.3.1.10: a 552 that means "too many recipients" is to be taken for a 452.
  return code !== null && code >= 500 && !(code === 552 && enhancedCode === '5.5.3')
}

/** Text of others as one line that can be logged, stored and shown. */
export function shortLine(text: string): string {
  const line = text
    .toWellFormed()
    .replace(/[\p{C}\s]+/gu, ' ')
    .trim()
  return line.length > MAX_TEXT_CHARACTERS ? `${line.slice(0, MAX_TEXT_CHARACTERS).toWellFormed()}…` : line
}
