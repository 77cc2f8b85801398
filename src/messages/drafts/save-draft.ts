// Saves what is being written. A save says what it is based on: nothing that somebody else has saved is overwritten.
import type { MailboxUser } from '../../access/actor.ts'
import { assertWrites } from '../../access/assert-writes.ts'
import { assertMay } from '../../access/permissions.ts'
import { absent, notFoundField, overCapacity, problem } from '../../access/problem.ts'
import { type Database, sql, type Tx } from '../../lib/sql.ts'
import { newId, type Uuid } from '../../lib/uuid.ts'
import { makePreview } from '../../mail/parse/preview.ts'
import { digestOfDraft, type StoredDraft, type WrittenMail, withPlainIds } from './draft.ts'
import { findThread } from './find-thread.ts'
import { holdAttachments } from './hold-attachments.ts'
import { draftChanged, type LockedDraft, lockDraft } from './lock-draft.ts'
import { findDraft } from './read-draft.ts'

/** Of a mailbox. specification.md#limits-of-a-draft */
const MOST_DRAFTS = 1_000

/**
 * `baseVersion`: the version of which this is a change; 0 where nothing is saved yet. The same save again, as when its answer was
 * lost, is answered like the first.
 * @throws Problem not_found for a draft that has ended or is not the user's, and for a mailbox, a message or an attachment
 * that is not; not_allowed for a mailbox that the user may only read; draft_changed, draft_due, plan_capacity_exceeded, validation_error
 */
export async function saveDraft(
  database: Database,
  actor: MailboxUser,
  draftId: Uuid,
  { baseVersion, ...given }: WrittenMail & { baseVersion: number },
): Promise<StoredDraft> {
  assertMay(actor, 'sendMessages')
  const id = draftId.toLowerCase()
  const content = withPlainIds(given)
  assertWrites(actor.mailboxes.get(content.mailboxId), notFoundField('mailboxId'))
  return database.transaction(async (tx) => {
    const locked = (await lockDraft(tx, actor, id)) ?? (await begin(tx, actor, id, baseVersion, content))
    if (locked === 'absent') throw absent('draft')
    if (locked !== 'begun') await change(tx, actor, locked, baseVersion, content)
    return (await findDraft(tx, actor, id)) as StoredDraft
  })
}

/** Where two do at once, the second finds what the first has written. */
async function begin(
  tx: Tx,
  actor: MailboxUser,
  id: Uuid,
  baseVersion: number,
  content: WrittenMail,
): Promise<LockedDraft | 'begun' | 'absent'> {
  if (baseVersion > 0) throw absent('draft')
  await requireRoom(tx, actor, content.mailboxId)
  const thread = content.answers === null ? undefined : await findThread(tx, actor, content.answers)
  const { to, cc, bcc, quote } = content
  const begun = await tx.first(sql<{ id: Uuid }>`
    insert into drafts (tenant_id, id, mailbox_id, message_id, version, content_sha256, kind, answers, in_reply_to, reference_ids,
      to_addresses, cc_addresses, bcc_addresses, subject, format, body, preview, quote_html, quote_attribution, saved_by)
    select ${actor.tenantId}, ${id}, ${content.mailboxId}, ${newId()}, 1, ${digestOfDraft(content)}, ${content.kind}, ${content.answers},
      ${thread?.inReplyTo ?? null}, ${thread?.references ?? []}, ${JSON.stringify(to)}, ${JSON.stringify(cc)},
      ${JSON.stringify(bcc)}, ${content.subject}, ${content.format}, ${content.body}, ${previewOf(content)},
      ${quote?.html ?? null}, ${quote?.attribution ?? null}, u.login
    from users u
    where u.tenant_id = ${actor.tenantId} and u.id = ${actor.mailboxUserId}
      and not exists (select from ended_drafts e where e.tenant_id = u.tenant_id and e.id = ${id})
    on conflict do nothing
    returning id`)
  // Another has begun it at the same moment, or it has ended.
  if (!begun) return (await lockDraft(tx, actor, id)) ?? 'absent'
  await holdAttachments(tx, actor, id, content.attachmentIds)
  return 'begun'
}

async function change(
  tx: Tx,
  actor: MailboxUser,
  draft: LockedDraft,
  baseVersion: number,
  content: WrittenMail,
): Promise<void> {
  if (draft.dueAt !== null) throw problem('draft_due')
  const isSame = digestOfDraft(content).equals(draft.contentSha256)
  if (isSame && (baseVersion === draft.version || baseVersion === draft.version - 1)) return
  if (baseVersion !== draft.version) throw draftChanged(draft)
  if (content.mailboxId !== draft.mailboxId) await requireRoom(tx, actor, content.mailboxId)
  await holdAttachments(tx, actor, draft.id, content.attachmentIds)
  if (content.answers !== draft.answers) await keepThread(tx, actor, draft.id, content.answers)
  const { to, cc, bcc, quote } = content
  await tx.rows(sql`
    update drafts set version = version + 1, content_sha256 = ${digestOfDraft(content)}, mailbox_id = ${content.mailboxId},
      kind = ${content.kind}, answers = ${content.answers}, to_addresses = ${JSON.stringify(to)},
      cc_addresses = ${JSON.stringify(cc)}, bcc_addresses = ${JSON.stringify(bcc)}, subject = ${content.subject},
      format = ${content.format}, body = ${content.body}, preview = ${previewOf(content)},
      quote_html = ${quote?.html ?? null}, quote_attribution = ${quote?.attribution ?? null},
      failure_code = null, failure_message = null, saved_at = clock_timestamp(),
      saved_by = coalesce((
        select u.login from users u where u.tenant_id = ${actor.tenantId} and u.id = ${actor.mailboxUserId}), saved_by)
    where tenant_id = ${actor.tenantId} and id = ${draft.id}`)
}

/** What it mentions is known from then on, whatever becomes of the message that is answered. */
async function keepThread(tx: Tx, actor: MailboxUser, id: Uuid, answers: Uuid | null): Promise<void> {
  const thread = answers === null ? undefined : await findThread(tx, actor, answers)
  await tx.rows(sql`
    update drafts set in_reply_to = ${thread?.inReplyTo ?? null}, reference_ids = ${thread?.references ?? []}
    where tenant_id = ${actor.tenantId} and id = ${id}`)
}

/** One after the other, until their commits: two at once do not both take the last place. */
async function requireRoom(tx: Tx, { tenantId }: MailboxUser, mailboxId: Uuid): Promise<void> {
  await tx.rows(sql`select pg_advisory_xact_lock(hashtextextended('drafts of ' || ${mailboxId}::text, 0))`)
  const row = await tx.first(sql<{ drafts: number }>`
    select count(*) as drafts from drafts where tenant_id = ${tenantId} and mailbox_id = ${mailboxId}`)
  const used = row?.drafts ?? 0
  if (used >= MOST_DRAFTS) {
    const sentence = `The mailbox has ${MOST_DRAFTS.toLocaleString('en')} drafts, and no room for another: send or discard some.`
    throw overCapacity({ resource: 'drafts', limit: MOST_DRAFTS, used, resetsAt: null }, sentence)
  }
}

function previewOf({ format, body }: WrittenMail): string {
  return format === 'text' ? makePreview(body, null) : makePreview(null, body)
}
