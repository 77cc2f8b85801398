// What the accepting statement holds of those who send: applications, whose requests have idempotency keys, and mailbox users, whose
// drafts end with it.
import { arrayLiteral, type Sql, statement } from '../lib/sql.ts'
import { SUPPRESSED } from '../suppressions/suppressed.ts'
import type { DraftSendRow, SendAnswer, SendRow } from './accept-messages.ts'
import { type AuthorSql, acceptStatement } from './accept-statement.ts'

const APPLICATION: AuthorSql = {
  columns: '',
  names: '',
  fromName: 'm.display_name',
  priorId: 'k.resource_id',
  judged: `          when k.request_hash is not null then case
            when k.operation <> 'sendMessage' or k.request_hash <> decode(i.request_hash, 'hex') then 'conflict'
            when k.status_code is null then 'pending'
            when k.resource_id = i.message_id then 'accepted'
            else 'replay' end
          when row_number() over (partition by i.app_id, i.idempotency_key order by i.n) > 1 then 'again'
`,
  lookedUp: `      left join lateral (
        select r.operation, r.request_hash, r.status_code, r.resource_id from idempotency_keys r
        where r.tenant_id = i.tenant_id and r.author_id = i.app_id and r.key = i.idempotency_key
          and r.expires_at > (select at from moment)
        limit 1
      ) k on true
`,
  reserved: `    reserved as (
      insert into idempotency_keys as k (tenant_id, author_id, key, operation, target, request_hash, status_code,
        resource_id, response, reserved_at, expires_at)
      select f.tenant_id, f.app_id, f.idempotency_key, 'sendMessage', '', decode(f.request_hash, 'hex'), 202,
        f.message_id, null, o.at,
        o.at + make_interval(secs => $3)
      from fitting f cross join moment o
      order by f.tenant_id, f.app_id, f.idempotency_key
      on conflict (author_id, key) do update set operation = excluded.operation, target = excluded.target,
        request_hash = excluded.request_hash, status_code = excluded.status_code, resource_id = excluded.resource_id,
        response = excluded.response, reserved_at = excluded.reserved_at, expires_at = excluded.expires_at
      where k.expires_at <= excluded.reserved_at
      returning k.resource_id as message_id
    ),
`,
  senderColumns: 'app_id',
  senderValues: 'a.app_id',
  suppressed: ['$4', '$5'],
}

const MAILBOX_USER: AuthorSql = {
  columns: `, mailbox_user_id uuid,
        draft_id uuid, sender_name text, in_reply_to text, reference_ids text[]`,
  names: ', mailbox_user_id, draft_id, sender_name, in_reply_to, reference_ids',
  fromName: 'coalesce(i.sender_name, m.display_name)',
  priorId: 'null::uuid',
  judged: `          when k.id is null then 'not_due'
`,
  lookedUp: `      left join lateral (
        select d.id from drafts d
        where d.tenant_id = i.tenant_id and d.id = i.draft_id and d.message_id = i.message_id
          and d.due_at <= (select at from moment)
        limit 1
      ) k on true
`,
  // The caller has locked it.
  reserved: `    reserved as (
      delete from drafts d using fitting f, input i
      where i.n = f.n and d.tenant_id = i.tenant_id and d.id = i.draft_id and d.message_id = f.message_id
        and d.due_at is not null
      returning d.tenant_id, d.id, d.mailbox_id, d.message_id, d.version, d.due_at, d.is_scheduled
    ),
    ended as (
      insert into ended_drafts (tenant_id, id, mailbox_id, message_id, version, due_at, is_scheduled)
      select r.tenant_id, r.id, r.mailbox_id, r.message_id, r.version, r.due_at, r.is_scheduled from reserved r
    ),
    released as (
      delete from draft_attachments h using reserved r where h.tenant_id = r.tenant_id and h.draft_id = r.id
    ),
`,
  senderColumns: 'mailbox_user_id, in_reply_to, reference_ids',
  senderValues: 'a.mailbox_user_id, a.in_reply_to, a.reference_ids',
  suppressed: ['$3', '$3'],
}

/** Makes the statement of a group. `sinceNow`: when each was created, in microseconds from now on. */
export type Accepting<Row> = (rows: readonly Row[], sinceNow: readonly number[]) => Sql<SendAnswer>

const ofApplications = statement<SendAnswer>(acceptStatement(APPLICATION))
const ofMailboxUsers = statement<SendAnswer>(acceptStatement(MAILBOX_USER))

/** Of requests of applications. */
export function acceptingSends(idempotencyTtlSeconds: number): Accepting<SendRow> {
  return (rows, sinceNow) =>
    ofApplications(JSON.stringify(rows), arrayLiteral(sinceNow), idempotencyTtlSeconds, SUPPRESSED, SUPPRESSED)
}

/** Of drafts that are due, which end with it. */
export const acceptingDrafts: Accepting<DraftSendRow> = (rows, sinceNow) =>
  ofMailboxUsers(JSON.stringify(rows), arrayLiteral(sinceNow), SUPPRESSED)
