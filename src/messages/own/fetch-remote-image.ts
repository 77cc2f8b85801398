// Fetches an image that a stranger's message names, for a reader who wants to see it. Whoever has it learns that somebody has
// asked, at this service and not where the reader is; of what is answered nothing is believed but the octets of an image.
import { imageTypeOf } from '../../lib/image-type.ts'
import { createPublicFetch, type PublicFetch, type PublicFetchOptions } from '../../lib/public-fetch.ts'

export interface RemoteImage {
  /** `image/png`, by the octets. */
  mediaType: string
  bytes: Uint8Array
}

/** specification.md#images-of-messages */
const MOST_BYTES = 5 * 1024 * 1024
const WITHIN_MS = 5_000
const MOST_REDIRECTS = 5
const MOST_HEAD_BYTES = 64 * 1024

/** The same of everybody. What is compressed is not unpacked, and so no image. */
const HEADERS = {
  accept: 'image/avif,image/webp,image/png,image/jpeg,image/gif,image/bmp',
  'accept-encoding': 'identity',
  'user-agent': 'Mozilla/5.0 (compatible; image proxy of a mail service)',
}

/** What it is fetched by. */
export function createImageFetch(options: Pick<PublicFetchOptions, 'allow' | 'dnsServers'>): PublicFetch {
  return createPublicFetch({
    ...options,
    timeoutMs: WITHIN_MS,
    plainHttp: true,
    mostAnswerBytes: MOST_BYTES + MOST_HEAD_BYTES,
  })
}

/** Undefined when there is none, or none within its bounds. Each redirect is judged like the first URL. */
export async function fetchRemoteImage(fetch: Pick<PublicFetch, 'get'>, url: string): Promise<RemoteImage | undefined> {
  const endsAt = performance.now() + WITHIN_MS
  let next = url
  for (let redirects = 0; redirects <= MOST_REDIRECTS; redirects++) {
    const leftMs = endsAt - performance.now()
    if (leftMs <= 0) return undefined
    const answer = await fetch.get(next, HEADERS, leftMs)
    if (answer.kind === 'redirect') {
      const { location } = answer.headers
      const to = typeof location === 'string' ? URL.parse(location, next) : null
      if (!to) return undefined
      // It means a place within what is there, which nobody is asked for.
      to.hash = ''
      next = to.href
      continue
    }
    if (answer.kind !== 'response' || answer.status !== 200 || answer.isCut || answer.body.length > MOST_BYTES)
      return undefined
    const mediaType = imageTypeOf(answer.body)
    return mediaType === undefined ? undefined : { mediaType, bytes: answer.body }
  }
  return undefined
}
