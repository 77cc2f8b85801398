// Notes that a link is to be mailed to whom it is for. Its token is kept sealed until it is, and no longer than it is good.
import { enqueueJobs } from '../lib/queue/enqueue-jobs.ts'
import { Secret } from '../lib/secret.ts'
import type { SecretBox } from '../lib/secret-box.ts'
import { sql, type Timestamp, type Tx } from '../lib/sql.ts'
import { newId, type Uuid } from '../lib/uuid.ts'
import { type LinkNotice, NOTICE_GIVEN_UP_S, NOTICE_QUEUE, placeOfNoticeToken } from './notice.ts'

export interface LinkToMail {
  kind: LinkNotice['kind']
  /** Whose Owner made it, or whose user asked for it. */
  tenantId: Uuid
  userId: Uuid
  /** Where it goes; absent: to the address by which the user signs in. */
  address?: string
  /** Of the link, `/enter/<token>`. */
  token: string
  expiresAt: Timestamp
}

/** Has a link mailed, in the transaction that makes it. */
export type MailLink = (tx: Tx, link: LinkToMail) => Promise<void>

export function createLinkMailer(box: SecretBox): MailLink {
  return async (tx, { kind, tenantId, userId, address, token, expiresAt }) => {
    const id = newId()
    const sealed = box.seal(new Secret(token), placeOfNoticeToken({ tenantId, id }))
    await tx.rows(sql`
      insert into notices (tenant_id, id, kind, occasion, user_id, address, facts, sealed_token, expires_at)
      values (${tenantId}, ${id}, ${kind}, ${id}, ${userId}, ${address ?? null}, ${JSON.stringify({ expiresAt })},
        ${sealed}, least(${expiresAt}, clock_timestamp() + make_interval(secs => ${NOTICE_GIVEN_UP_S})))`)
    await enqueueJobs(tx, [{ tenantId, queue: NOTICE_QUEUE, lane: tenantId, subjectId: id }])
  }
}
