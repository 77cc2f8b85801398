// Writes attachments down, whose objects are in the store.
import { sql, type Tx } from '../lib/sql.ts'
import { attachmentKey } from './attachment-key.ts'
import type { StoredFile } from './find-upload.ts'

export interface NewAttachment extends StoredFile {
  disposition: 'attachment' | 'inline'
  contentId: string | null
}

/** The object of each lies at `attachmentKey`. */
export async function insertAttachments(tx: Tx, attachments: readonly NewAttachment[]): Promise<void> {
  if (attachments.length === 0) return
  const rows = attachments.map((a) => ({ ...a, key: attachmentKey(a.tenantId, a.id) }))
  await tx.rows(sql`
    insert into attachments (tenant_id, id, environment_id, mailbox_id, filename, media_type, size_bytes, sha256,
      disposition, content_id, object_key, created_at)
    select a."tenantId", a.id, a."environmentId", a."mailboxId", a.filename, a."mediaType", a."sizeBytes",
      decode(a.sha256, 'hex'), a.disposition, a."contentId", a.key, clock_timestamp()
    from json_to_recordset(${JSON.stringify(rows)}::json) as a ("tenantId" uuid, id uuid, "environmentId" uuid,
      "mailboxId" uuid, filename text, "mediaType" text, "sizeBytes" bigint, sha256 text, disposition text,
      "contentId" text, key text)`)
}
