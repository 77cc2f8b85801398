// Notes that a link is to be mailed to whom it is for. Its token is kept sealed until it is, and no longer than it is good.
import { enqueueJobs } from '../lib/queue/enqueue-jobs.ts'
import { Secret } from '../lib/secret.ts'
import type { SecretBox } from '../lib/secret-box.ts'
import { sql, type Timestamp, type Tx } from '../lib/sql.ts'
import { newId, type Uuid } from '../lib/uuid.ts'
import { type LinkNotice, NOTICE_GIVEN_UP_S, NOTICE_QUEUE, placeOfNoticeToken } from './notice.ts'

/** Of a tenant in a day: its Owners write to whom they like, and the service mails it. specification.md#notices-by-mail */
const MOST_LINKS_A_DAY = 100

interface LinkToMail {
  kind: LinkNotice['kind']
  tenantId: Uuid
  userId: Uuid
  /** Of the link, `/enter/<token>`. */
  token: string
  expiresAt: Timestamp
}

/** One that an Owner of the tenant made. `too_many`: the tenant has had as many of them mailed as it may. */
export async function noteLink(
  tx: Tx,
  box: SecretBox,
  link: LinkToMail & { kind: 'invitation' | 'reset'; to?: string },
): Promise<'noted' | 'too_many'> {
  const { tenantId } = link
  // One after the other, so that none is counted too few.
  await tx.rows(sql`select from tenants where id = ${tenantId} for no key update`)
  const links = await tx.first(sql<{ count: number }>`
    select count(*)::integer as count from notices
    where tenant_id = ${tenantId} and kind in ('invitation', 'reset') and created_at > clock_timestamp() - interval '1 day'`)
  if ((links?.count ?? 0) >= MOST_LINKS_A_DAY) return 'too_many'
  await note(tx, box, link)
  return 'noted'
}

/** One that a user asked for, to the recovery address; how many there may be is the caller's to count. */
export function noteRecoveryLink(
  tx: Tx,
  box: SecretBox,
  link: LinkToMail & { kind: 'recovery_address' | 'recovery_reset' },
): Promise<void> {
  return note(tx, box, link)
}

/** Once, however often it is asked. */
async function note(tx: Tx, box: SecretBox, link: LinkToMail & { to?: string }): Promise<void> {
  const { kind, tenantId, userId, token, expiresAt, to } = link
  const facts: LinkNotice['facts'] = to === undefined ? { expiresAt } : { expiresAt, to }
  const id = newId()
  const sealed = box.seal(new Secret(token), placeOfNoticeToken({ tenantId, id }))
  const noted = await tx.first(sql<{ id: Uuid }>`
    insert into notices (tenant_id, id, kind, occasion, user_id, facts, sealed_token, expires_at)
    values (${tenantId}, ${id}, ${kind}, ${expiresAt}, ${userId}, ${JSON.stringify(facts)}, ${sealed},
      least(${expiresAt}, clock_timestamp() + make_interval(secs => ${NOTICE_GIVEN_UP_S})))
    on conflict (tenant_id, user_id, kind, occasion) do nothing
    returning id`)
  if (noted) await enqueueJobs(tx, [{ tenantId, queue: NOTICE_QUEUE, lane: tenantId, subjectId: id }])
}
