// Addresses of the images of a message, for a frame that has no origin and sends no cookie: whoever has one may have the image,
// until it is too old or the session for which it was made has ended. Knows nothing of what is behind them.
import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto'
import { deriveKeys, type SecretKeys } from '../../lib/secret-box.ts'
import { isUuid, type Uuid } from '../../lib/uuid.ts'

/** For whom, and of which message. */
interface Viewed {
  /** The viewer is who is signed in by it. */
  sessionId: Uuid
  messageId: Uuid
}

/** `image`: the id of an attachment, or the URL of an image somewhere else. */
export type ImageLink = Viewed & { image: string }

export type ImageKind = 'inline' | 'remote'

export interface ImageLinks {
  /** As `/inline/…` or `/image/…`: the same one for a while, so that what asks twice is told the same. */
  pathOf(kind: ImageKind, link: ImageLink): string
  /** Undefined when the token is none of ours, of another kind, or too old. */
  read(kind: ImageKind, token: string): ImageLink | undefined
}

/** Where they are served, as the frame's policy names them. */
export const IMAGE_PLACES: Record<ImageKind, string> = { inline: '/inline/', remote: '/image/' }

/** A link lives as long as one of these at least, and two at most. specification.md#images-of-messages */
const PERIOD_MS = 30 * 60_000
const MAC_OCTETS = 16

export function createImageLinks(keys: SecretKeys, nowMs: () => number = Date.now): ImageLinks {
  const macKeys: Record<ImageKind, KeyObject[]> = {
    inline: deriveKeys(keys, 'inline-image').map(({ key }) => key),
    remote: deriveKeys(keys, 'remote-image').map(({ key }) => key),
  }
  return {
    pathOf(kind, { sessionId, messageId, image }) {
      const period = Math.floor(nowMs() / PERIOD_MS) + 2
      const body = Buffer.from([period, sessionId, messageId, image].join(' '))
      const [current] = macKeys[kind] as [KeyObject]
      return `${IMAGE_PLACES[kind]}${Buffer.concat([mac(current, body), body]).toString('base64url')}`
    },
    read(kind, token) {
      const octets = Buffer.from(token, 'base64url')
      // Buffer passes over what is not base64url: one link would have many names.
      if (octets.length <= MAC_OCTETS || octets.toString('base64url') !== token) return undefined
      const body = octets.subarray(MAC_OCTETS)
      const given = octets.subarray(0, MAC_OCTETS)
      if (!macKeys[kind].some((key) => timingSafeEqual(mac(key, body), given))) return undefined
      const [period, sessionId = '', messageId = '', image = ''] = body.toString('utf8').split(' ')
      if (nowMs() >= Number(period) * PERIOD_MS || !isUuid(sessionId) || !isUuid(messageId)) return undefined
      return { sessionId, messageId, image }
    },
  }
}

function mac(key: KeyObject, body: Uint8Array): Buffer {
  return createHmac('sha256', key).update(body).digest().subarray(0, MAC_OCTETS)
}
