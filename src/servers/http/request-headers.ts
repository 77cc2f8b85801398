// What is wrong with a request's headers before any of them is believed. Pure.

/**
 * What is read of a request and may come once (RFC 9110 5.3): of two, another reader may believe the other one. Node keeps
 * the first of some, and joins others to one text. The bits tell them apart.
 */
const SINGLE = new Map(
  [
    'authorization',
    'content-length',
    'content-type',
    'host',
    'idempotency-key',
    'if-modified-since',
    'if-range',
    'if-unmodified-since',
    'range',
    'relay-report-signature',
    'relay-report-timestamp',
  ].map((name, i) => [name, 1 << i]),
)

/** The first header that is given twice and may come once; `rawHeaders` as Node has them: a name, its value, and so on. */
export function headerGivenTwice(rawHeaders: readonly string[]): string | undefined {
  let seen = 0
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = (rawHeaders[i] as string).toLowerCase()
    const bit = SINGLE.get(name) ?? 0
    if ((seen & bit) !== 0) return name
    seen |= bit
  }
  return undefined
}

const KEY = /mdk_(?:live|test)_[0-9A-Za-z]{22}/i
/** More than any chain of programs encodes the same text. */
const MOST_ENCODINGS = 8

/**
 * True for an API key anywhere in a URL as it came, plain or percent-encoded, also several times over. A key in a URL is
 * in the logs of whatever stands between.
 */
export function holdsKey(url: string): boolean {
  let text = url
  for (let times = 0; !KEY.test(text); times++) {
    if (times === MOST_ENCODINGS || !text.includes('%')) return false
    text = text.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  }
  return true
}
