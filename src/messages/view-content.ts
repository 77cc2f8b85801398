// What is in a message, to somebody who looks at it: each look leaves a record. Envelope, status and timeline are no content.
import type { TenantActor } from '../access/actor.ts'
import { absent } from '../access/problem.ts'
import { recordAct } from '../audit/record.ts'
import type { ObjectStore } from '../lib/object-store.ts'
import type { Database } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'
import { readMessage } from './read-message.ts'
import { type RawMessage, readRawMessage } from './read-raw.ts'
import type { MessageDetail } from './schemas.ts'

/** Headers, bodies and the list of its files. @throws Problem not_found, content_hidden */
export function viewMessageContent(database: Database, actor: TenantActor, id: Uuid): Promise<MessageDetail> {
  return database.transaction(async (tx) => {
    const message = await readMessage(tx, actor, id)
    if (!message) throw absent('message')
    await recordAct(tx, actor, { operation: 'message.view', resourceType: 'message', resourceId: id })
    return message
  })
}

/** The octets of the message, which the caller opens afterwards. @throws Problem not_found, also while it is not built yet; content_hidden */
export function viewMessageSource(
  database: Database,
  store: ObjectStore,
  actor: TenantActor,
  id: Uuid,
): Promise<RawMessage> {
  return database.transaction(async (tx) => {
    const message = await readRawMessage(tx, store, actor, id)
    if (!message) throw absent('message')
    await recordAct(tx, actor, { operation: 'message.view_source', resourceType: 'message', resourceId: id })
    return message
  })
}
