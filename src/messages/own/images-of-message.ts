// Whether images that somebody else has may be fetched for a message. Pure.
import type { OwnMessage } from './read-own-message.ts'

export interface ImagesOfMessage {
  mayShow: boolean
  /** Without being asked. */
  always: boolean
  /** Why they may not be shown. */
  why: string | null
}

type Judged = Pick<OwnMessage, 'mailboxes' | 'authentication'>

/** `isKnownSender`: its user wants the images of its sender shown. specification.md#images-of-messages */
export function imagesOfMessage({ mailboxes, authentication }: Judged, isKnownSender: boolean): ImagesOfMessage {
  const dmarc = authentication?.dmarc.result
  const why =
    dmarc === 'fail'
      ? 'Images are not shown: the message pretends to be from somebody else.'
      : mailboxes.some(({ folder }) => folder === 'spam')
        ? 'Images are not shown in spam. Move the message to the inbox first, if it is none.'
        : null
  // Whoever writes in the name of a sender that is known does not profit from it.
  return { mayShow: why === null, always: why === null && isKnownSender && dmarc === 'pass', why }
}
