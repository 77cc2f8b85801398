// Reads what the outbound worker needs of many messages at once.

import type { Realm } from '../access/actor.ts'
import type { Job } from '../lib/queue/job.ts'
import { type Db, sql, type Timestamp } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'
import type { OutgoingAttachment } from '../mail/build/layout.ts'
import { findSuppressed } from '../suppressions/find-suppressed.ts'
import type { RecipientNow } from './decide-outcome.ts'
import { sentMessageId } from './message-id.ts'
import { openRecipients, type StoredRecipient } from './recipients.ts'
import type { Address } from './schemas.ts'

export interface LoadedMessage {
  tenantId: Uuid
  id: Uuid
  /** True for mail of a sandbox, which never reaches a relay. */
  sandbox: boolean
  createdAt: Timestamp
  /** By the database's clock. */
  ageMs: number
  /** Why nothing may be sent any more, when the sender was stopped after the message was accepted. */
  suspended: 'mailbox' | 'tenant' | null
  messageIdHeader: string
  from: Address
  to: Address[]
  cc: Address[]
  subject: string
  inReplyTo: string | null
  references: string[]
  text: string | null
  html: string | null
  /** The domain of the sender. */
  domainId: Uuid
  domain: string
  /** Both null while the domain has no DKIM key. The private half is sealed. */
  dkimSelector: string | null
  sealedDkimKey: Buffer | null
  attachments: OutgoingAttachment[]
  /** It has been built, stored and recorded. */
  isStored: boolean
  /** Those nothing is known of yet. */
  open: RecipientNow[]
  /** Those of them whose address was stopped since the message was accepted. */
  suppressed: RecipientNow[]
}

interface Row extends Omit<LoadedMessage, 'messageIdHeader' | 'open' | 'suppressed'> {
  environmentId: Uuid
  /** Its tenant has stopped somebody. */
  suppresses: boolean
  recipients: StoredRecipient[]
}

/** What jobs of the outbound queue are about, in their order; undefined where a message is gone. */
export async function loadMessages(
  db: Db,
  jobs: readonly Pick<Job, 'tenantId' | 'subjectId'>[],
): Promise<(LoadedMessage | undefined)[]> {
  const rows = await db.rows(sql<Row>`
    select m.tenant_id as "tenantId", m.id, m.environment_id <> m.tenant_id as sandbox, m.created_at as "createdAt",
      (extract(epoch from clock_timestamp() - m.created_at) * 1000)::bigint as "ageMs",
      case when b.status = 'suspended' then 'mailbox' when t.status = 'suspended' then 'tenant' end as suspended,
      json_build_object('address', m.from_address, 'name', m.from_name) as "from",
      m.to_addresses as "to", m.cc_addresses as cc, m.subject, m.in_reply_to as "inReplyTo",
      coalesce(m.reference_ids, '{}') as "references", m.text, m.html, s.size_bytes is not null as "isStored", s.recipients,
      m.environment_id as "environmentId", t.suppressions > 0 as suppresses, d.id as "domainId", d.domain, d.dkim_selector as "dkimSelector", d.dkim_private_key as "sealedDkimKey",
      case when m.attachment_count > 0 then (
        select json_agg(json_build_object('id', a.id, 'filename', a.filename, 'mediaType', a.media_type,
          'sizeBytes', a.size_bytes) order by h.position)
        from message_attachments h join attachments a on a.tenant_id = h.tenant_id and a.id = h.attachment_id
        where h.tenant_id = m.tenant_id and h.message_id = m.id
      ) else '[]' end as attachments
    from unnest(${jobs.map((job) => job.tenantId)}::uuid[], ${jobs.map((job) => job.subjectId)}::uuid[])
      as n (tenant_id, id)
    join messages m on m.tenant_id = n.tenant_id and m.id = n.id
    join message_states s on s.tenant_id = m.tenant_id and s.message_id = m.id
    join mailboxes b on b.tenant_id = m.tenant_id and b.id = m.mailbox_id
    join domains d on d.tenant_id = b.tenant_id and d.id = b.domain_id
    join tenants t on t.id = m.tenant_id`)
  const stopped = await findSuppressed(
    db,
    rows.flatMap(({ suppresses, recipients, ...realm }) =>
      suppresses ? openRecipients(recipients).map(({ address }) => ({ ...realm, address })) : [],
    ),
  )
  const byId = new Map(rows.map((row) => [row.id, loadedFrom(row, stopped)]))
  return jobs.map((job) => byId.get(job.subjectId))
}

function loadedFrom(
  { recipients, environmentId, suppresses: _known, ...row }: Row,
  isStopped: (recipient: Realm & { address: string }) => boolean,
): LoadedMessage {
  const open = openRecipients(recipients)
  const suppressed = open.filter(({ address }) => isStopped({ tenantId: row.tenantId, environmentId, address }))
  return { ...row, messageIdHeader: sentMessageId(row.id, row.from.address), open, suppressed }
}
