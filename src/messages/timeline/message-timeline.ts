// What happened to a message and what it waits for, to whoever may read it.
import type { TenantActor } from '../../access/actor.ts'
import { assertMay, mayDo } from '../../access/permissions.ts'
import { absent } from '../../access/problem.ts'
import { type JobNow, readJob } from '../../lib/queue/job-of-subject.ts'
import { type Db, sql } from '../../lib/sql.ts'
import type { Uuid } from '../../lib/uuid.ts'
import { jobOf } from '../find-submission.ts'
import type { StoredRecipient } from '../recipients.ts'
import type { MessageTimeline, SendingRequest, Waiting } from './schemas.ts'
import { type KeptTry, type KnownEvent, type KnownMessage, timelineOf } from './timeline-of.ts'

/** Of one message, the newest. */
const MOST_EVENTS_READ = 500

/** @throws Problem not_found */
export async function messageTimeline(db: Db, actor: TenantActor, id: Uuid): Promise<MessageTimeline> {
  assertMay(actor, 'readMessages')
  // First: what has happened by then is in what is read afterwards.
  const message = await readState(db, actor, id)
  if (!message) throw absent('message')
  const [events, request, tries, job] = await Promise.all([
    readEvents(db, actor, id),
    mayDo(actor, 'readAudit') ? (message.user ? readPress(db, actor, id) : readRequest(db, actor, id)) : null,
    readTries(db, actor.tenantId, id),
    message.isOpen ? readJob(db, jobOf({ tenantId: actor.tenantId, id, createdAt: message.createdAt })) : undefined,
  ])
  return {
    items: timelineOf({ ...message, request }, events.slice(0, MOST_EVENTS_READ).reverse(), tries),
    isCut: events.length > MOST_EVENTS_READ,
    isHeld: message.isHeld,
    waiting: job ? waitingOf(job) : null,
  }
}

type State = Omit<KnownMessage, 'request'> & { isOpen: boolean; isHeld: boolean }

async function readState(db: Db, actor: TenantActor, id: Uuid): Promise<State | undefined> {
  const row = await db.first(sql<
    Omit<State, 'app' | 'user' | 'recipients'> & {
      appId: Uuid | null
      appName: string | null
      userId: Uuid | null
      login: string | null
      recipients: StoredRecipient[] | null
    }
  >`
    select m.direction, m.created_at as "createdAt", m.environment_id <> m.tenant_id as "isSimulated",
      m.held as "isHeld", m.app_id as "appId", a.name as "appName", m.mailbox_user_id as "userId", u.login, s.sent_at as "sentAt", s.recipients,
      coalesce(s.open > 0, false) as "isOpen"
    from messages m
    left join message_states s on s.tenant_id = m.tenant_id and s.message_id = m.id
    left join apps a on a.tenant_id = m.tenant_id and a.id = m.app_id
    left join users u on u.tenant_id = m.tenant_id and u.id = m.mailbox_user_id
    where m.tenant_id = ${actor.tenantId} and m.environment_id = ${actor.environmentId} and m.id = ${id}
      and m.gone is null`)
  if (!row) return undefined
  const { appId, appName, userId, login, recipients, ...message } = row
  return {
    ...message,
    app: appId === null ? null : { id: appId, name: appName },
    user: userId === null ? null : { id: userId, name: login },
    recipients: recipients ?? [],
  }
}

/** Newest first, and one more than are shown. */
function readEvents(db: Db, actor: TenantActor, id: Uuid): Promise<KnownEvent[]> {
  return db.rows(sql<KnownEvent>`
    select e.type, e.occurred_at as at, e.data from events e
    where e.tenant_id = ${actor.tenantId} and e.environment_id = ${actor.environmentId} and e.resource_id = ${id}
    order by e.epoch desc, e.xid desc, e.seq desc limit ${MOST_EVENTS_READ + 1}`)
}

/** It stands on the message's first event, until it is forgotten (ADR 32). Of a received message there is none. */
async function readRequest(db: Db, actor: TenantActor, id: Uuid): Promise<SendingRequest | null> {
  const row = await db.first(sql<Omit<SendingRequest, 'key'> & { keyId: Uuid | null; keyName: string | null }>`
    select e.request_id::text as "requestId", e.key_id as "keyId", k.name as "keyName",
      e.client_address as "clientAddress", e.user_agent as "userAgent"
    from (
      select e.tenant_id, e.request_id, e.key_id, e.client_address, e.user_agent from events e
      where e.tenant_id = ${actor.tenantId} and e.environment_id = ${actor.environmentId} and e.resource_id = ${id}
      order by e.epoch, e.xid, e.seq limit 1
    ) e
    left join api_keys k on k.tenant_id = e.tenant_id and k.id = e.key_id`)
  if (!row || row.keyId === null) return null
  const { keyId, keyName, ...request } = row
  return { ...request, key: { id: keyId, name: keyName } }
}

/** The press on Send of a mailbox user, which is on record in the audit log. */
async function readPress(db: Db, { tenantId }: TenantActor, id: Uuid): Promise<SendingRequest | null> {
  const row = await db.first(sql<Omit<SendingRequest, 'key'>>`
    select request_id::text as "requestId", client_address as "clientAddress", user_agent as "userAgent" from audit_log
    where tenant_id = ${tenantId} and resource_id = ${id} and operation = 'draft.send' limit 1`)
  return row ? { ...row, key: null } : null
}

function readTries(db: Db, tenantId: Uuid, id: Uuid): Promise<KeptTry[]> {
  return db.rows(sql<KeptTry>`
    select times, first_at as "firstAt", last_at as "lastAt", result, answers, next_attempt_at as "nextAttemptAt"
    from submission_tries where tenant_id = ${tenantId} and message_id = ${id} order by number`)
}

function waitingOf({ state, dueAt, isResumable }: JobNow): Waiting {
  switch (state) {
    case 'leased':
      return { for: 'submission', until: null }
    case 'held':
      return { for: 'lane', until: null }
    case 'ready':
      return { for: 'turn', until: null }
    case 'scheduled':
      return { for: isResumable ? 'relay' : 'time', until: dueAt }
  }
}
