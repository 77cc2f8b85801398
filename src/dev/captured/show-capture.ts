// One captured mail: its envelope, what is in it, and which message it is.
import { IdParams } from '../../lib/schemas.ts'
import { type Db, sql } from '../../lib/sql.ts'
import { isUuid, type Uuid } from '../../lib/uuid.ts'
import { consoleData } from '../../servers/console/console-data.ts'
import type { CapturedMail } from './captured-mail.ts'
import { ShownCapture } from './schemas.ts'

export default consoleData(
  { method: 'GET', path: '/data/captured/:captureId', params: IdParams('captureId'), answer: ShownCapture },
  ({ mail, database }: { mail: CapturedMail; database: Db }) =>
    async ({ actor, params }) => {
      const { head, parsed, envelope, octets } = await mail.read(actor, params.captureId)
      const { to, cc, headers, text, html, textTruncated, htmlTruncated, attachments } = parsed
      return {
        ...head,
        ...{ to, cc, sender: envelope.sender, sizeBytes: octets.length },
        messageId: await messageOf(database, actor.tenantId, parsed.messageId),
        content: {
          ...{ headers, text, html, isCut: textTruncated || htmlTruncated },
          attachments: attachments.map(({ partId, filename, mediaType, sizeBytes, contentId }) => {
            return { id: partId, filename, mediaType, sizeBytes, contentId }
          }),
        },
      }
    },
)

/** By the header Message-ID, which those of notices have as well. */
async function messageOf(db: Db, tenantId: Uuid, header: string | null): Promise<Uuid | null> {
  const id = header?.slice(1, header.indexOf('@')) ?? ''
  if (!isUuid(id)) return null
  const message = await db.first(sql<{ id: Uuid }>`
    select m.id from messages m where m.tenant_id = ${tenantId} and m.environment_id = ${tenantId} and m.id = ${id}`)
  return message?.id ?? null
}
