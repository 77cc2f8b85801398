// A message, with all that its page shows.
import type { MailboxUser } from '../../access/actor.ts'
import { IdParams } from '../../lib/schemas.ts'
import type { Database } from '../../lib/sql.ts'
import { senderBadge } from '../../mail/authenticate/sender-badge.ts'
import { isImageSender } from '../../mailboxes/image-senders.ts'
import type { ImageLinks } from '../../messages/own/image-links.ts'
import { imagesOfMessage } from '../../messages/own/images-of-message.ts'
import { namedImages } from '../../messages/own/named-images.ts'
import { previewOf } from '../../messages/own/preview-of.ts'
import { readOwnMessage } from '../../messages/own/read-own-message.ts'
import { dataFor } from '../sessions/data.ts'
import { OpenMessage } from './content-schemas.ts'

export default dataFor<MailboxUser>()(
  { method: 'GET', path: '/data/messages/:messageId', params: IdParams('messageId'), answer: OpenMessage },
  ({ database, imageLinks }: { database: Database; imageLinks: ImageLinks }) =>
    async ({ actor, session: { sessionId }, params: { messageId } }) => {
      const message = await readOwnMessage(database, actor, messageId)
      const { from, direction, authentication, attachments, html, recipients } = message
      const isKnownSender = from !== null && (await isImageSender(database, actor, from.address))
      const named = namedImages(html, attachments)
      const pathOf = (id: string) => imageLinks.pathOf('inline', { sessionId, messageId, image: id })
      return {
        ...{ id: message.id, direction, from, to: message.to, cc: message.cc, bcc: message.bcc ?? [] },
        ...{ replyTo: message.replyTo, subject: message.subject, at: message.receivedAt ?? message.createdAt },
        ...{ status: message.status, headers: message.headers, text: message.text, html },
        isCut: message.textTruncated || message.htmlTruncated,
        attachments: attachments.map((file) => {
          const { id, filename, mediaType, sizeBytes, contentId } = file
          const isInline = named.some((image) => image.id === id)
          return { id, filename, mediaType, sizeBytes, contentId, isInline, preview: previewOf(file) }
        }),
        inline: Object.fromEntries(named.map(({ name, id }) => [name, pathOf(id)])),
        badge: direction === 'inbound' && authentication ? senderBadge(authentication, from?.address ?? null) : null,
        images: imagesOfMessage(message, isKnownSender),
        recipients: recipients.map(({ address, kind, status, nextAttemptAt, complainedAt, ...said }) => {
          const reply = { smtpCode: said.smtpCode, enhancedCode: said.enhancedCode, text: said.diagnostic }
          return { address, kind, status, reply, nextAttemptAt, complainedAt }
        }),
        entries: message.mailboxes,
      }
    },
)
