// A message that is sent, and the job by which it is submitted.
import type { Realm } from '../access/actor.ts'
import type { JobOfSubject } from '../lib/queue/job-of-subject.ts'
import { type Db, sql, type Timestamp } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'
import { OUTBOUND_QUEUE } from './accept-messages.ts'

export interface FoundMessage {
  tenantId: Uuid
  id: Uuid
  createdAt: Timestamp
}

/** Of either direction. Undefined when it is absent, foreign or gone. */
export function findMessage(db: Db, realm: Realm, id: Uuid): Promise<FoundMessage | undefined> {
  return db.first(sql<FoundMessage>`
    select m.tenant_id as "tenantId", m.id, m.created_at as "createdAt" from messages m
    where m.tenant_id = ${realm.tenantId} and m.environment_id = ${realm.environmentId} and m.id = ${id}
      and m.gone is null`)
}

/** It was enqueued by the statement that accepted the message, whose instant is of its beginning or before. */
export function jobOf({ tenantId, id, createdAt }: FoundMessage): JobOfSubject {
  return { tenantId, queue: OUTBOUND_QUEUE, lane: tenantId, subjectId: id, since: createdAt }
}
