// What is in a message.
import { IdParams } from '../../lib/schemas.ts'
import type { Database } from '../../lib/sql.ts'
import { viewMessageContent } from '../../messages/view-content.ts'
import { consoleData } from './console-data.ts'
import { MessageContent } from './message-schemas.ts'

export default consoleData(
  { method: 'GET', path: '/data/messages/:messageId/content', params: IdParams('messageId'), answer: MessageContent },
  ({ database }: { database: Database }) =>
    async ({ actor, params }) => {
      const message = await viewMessageContent(database, actor, params.messageId)
      const { headers, text, html, textTruncated, htmlTruncated, attachments } = message
      return {
        ...{ headers, text, html },
        isCut: textTruncated || htmlTruncated,
        attachments: attachments.map(({ id, filename, mediaType, sizeBytes, contentId }) => {
          return { id, filename, mediaType, sizeBytes, contentId }
        }),
      }
    },
)
