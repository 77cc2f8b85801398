// A file of a message to be looked at: an image or a PDF file by what its octets are, or a text, as JSON.
import { Readable } from 'node:stream'
import type { MailboxUser } from '../../access/actor.ts'
import { problem } from '../../access/problem.ts'
import { knownImage } from '../../lib/known-image.ts'
import { knownPdf } from '../../lib/known-pdf.ts'
import type { ObjectStore } from '../../lib/object-store.ts'
import { Closed, Uuid } from '../../lib/schemas.ts'
import type { Database } from '../../lib/sql.ts'
import { openOwnAttachment } from '../../messages/own/open-own-attachment.ts'
import { previewOf } from '../../messages/own/preview-of.ts'
import { readOwnText } from '../../messages/own/read-own-text.ts'
import { dataFor } from '../sessions/data.ts'
import { FILE } from '../sessions/sent-file.ts'
import type { ShownText } from './content-schemas.ts'

/** specification.md#files-of-a-message-in-the-webmail: a page holds it in memory. */
const MOST_PDF_BYTES = 25 * 1024 * 1024
const TOO_LARGE = 'It is too large to be shown here. Download it to see it.'
const NOTHING_TO_SEE = 'It can be downloaded and not looked at here.'

export default dataFor<MailboxUser>()(
  {
    method: 'GET',
    path: '/data/messages/:messageId/attachments/:attachmentId/preview',
    params: Closed({ messageId: Uuid, attachmentId: Uuid }),
    answer: FILE,
  },
  ({ database, store }: { database: Database; store: ObjectStore }) =>
    async ({ actor, params: { messageId, attachmentId } }) => {
      const file = await openOwnAttachment(database, store, actor, messageId, attachmentId)
      const { filename, sizeBytes } = file
      switch (previewOf(file)) {
        case 'image': {
          const image = await knownImage(await file.open())
          if (!image) throw problem('not_found', { message: NOTHING_TO_SEE })
          return { filename, sizeBytes, ...image }
        }
        case 'pdf': {
          if (sizeBytes > MOST_PDF_BYTES) throw problem('not_found', { message: TOO_LARGE })
          const bytes = await knownPdf(await file.open())
          if (!bytes) throw problem('not_found', { message: NOTHING_TO_SEE })
          return { filename, sizeBytes, mediaType: 'application/pdf', bytes }
        }
        case 'text': {
          const shown: ShownText = await readOwnText(database, store, actor, messageId, attachmentId)
          const json = Buffer.from(JSON.stringify(shown))
          const mediaType = 'application/json; charset=utf-8'
          return { filename: 'preview.json', sizeBytes: json.length, mediaType, bytes: Readable.from([json]) }
        }
        case null:
          throw problem('not_found', { message: NOTHING_TO_SEE })
      }
    },
)
