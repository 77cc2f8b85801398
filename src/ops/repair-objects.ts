// Ends what the object store and the database do not agree on, as after a database was put back to an earlier time: messages
// and attachments whose bytes are gone, and objects that nobody names.
import { type Operator, operatorIn } from '../access/actor.ts'
import { invalidField } from '../access/problem.ts'
import { removeLostAttachment } from '../attachments/remove-lost-attachment.ts'
import { recordAct } from '../audit/record.ts'
import { removeUnnamed, sweepRemovals } from '../lib/object-removals.ts'
import type { ObjectStore } from '../lib/object-store.ts'
import type { Database } from '../lib/sql.ts'
import { deleteLostMessage } from '../messages/delete-lost-message.ts'
import { loseAttachment } from '../messages/drafts/lose-attachment.ts'
import { heldObjects, type NamedObject, namedObjects } from './stored-objects.ts'

export interface ObjectsCheck {
  /** Messages and attachments whose objects are looked for, and how many of these are not there. */
  named: number
  missing: number
  /** Objects in the store, and how many of them nobody names. */
  held: number
  unnamed: number
  /** Some of each. */
  examples: { missing: Pick<NamedObject, 'kind' | 'id'>[]; unnamed: string[] }
}

const EXAMPLES = 10

/** @throws StoreUnavailable */
export async function checkObjects(database: Database, store: ObjectStore): Promise<ObjectsCheck> {
  const check: ObjectsCheck = { named: 0, missing: 0, held: 0, unnamed: 0, examples: { missing: [], unnamed: [] } }
  for (const kind of ['message', 'attachment'] as const) {
    for await (const { count, missing } of namedObjects(database, store, kind)) {
      check.named += count
      check.missing += missing.length
      const room = EXAMPLES - check.examples.missing.length
      check.examples.missing.push(...missing.slice(0, room).map(({ kind, id }) => ({ kind, id })))
    }
  }
  for await (const { count, unnamed } of heldObjects(database, store)) {
    check.held += count
    check.unnamed += unnamed.length
    check.examples.unnamed.push(...unnamed.slice(0, EXAMPLES - check.examples.unnamed.length))
  }
  return check
}

export interface ObjectsRepair {
  messages: number
  attachments: number
  objects: number
  /** Left as they are: under a legal hold, on their way, or files of a message that is whole otherwise. */
  left: number
}

/**
 * Deletes messages whose bytes are gone, as their owners would, with an event. What nobody names is removed. May be
 * run again. @throws StoreUnavailable; Problem validation_error when store and database have nothing in common
 */
export async function repairObjects(
  database: Database,
  store: ObjectStore,
  operator: Operator,
): Promise<ObjectsRepair> {
  refuseStrangers(await checkObjects(database, store))
  const repair: ObjectsRepair = { messages: 0, attachments: 0, objects: 0, left: 0 }
  await database.transaction((tx) =>
    recordAct(tx, operator, { operation: 'objects.repair', resourceType: 'objects', resourceId: null }),
  )
  for (const kind of ['message', 'attachment'] as const) {
    const end = kind === 'message' ? deleteLostMessage : removeLostAttachment
    for await (const { missing } of namedObjects(database, store, kind)) {
      for (const object of missing) {
        if (kind === 'attachment') await loseAttachment(database, object, object.id)
        const ended = await end(database, operatorIn(operator, object), object.id)
        repair[ended ? COUNTED[kind] : 'left']++
      }
    }
  }
  for await (const { unnamed } of heldObjects(database, store)) {
    repair.objects += await removeUnnamed(database, unnamed)
  }
  while ((await sweepRemovals(database, store, SWEPT_AT_ONCE)) > 0);
  return repair
}

const SWEPT_AT_ONCE = 1_000
const COUNTED = { message: 'messages', attachment: 'attachments' } as const

/** A store and a database that have nothing in common: one of them is not the one that was meant. */
function refuseStrangers({ named, missing, held, unnamed }: ObjectsCheck): void {
  const alien = (named > 0 && missing === named) || (held > 0 && unnamed === held)
  if (!alien) return
  const message = `${missing} of ${named} objects are missing and nobody names ${unnamed} of ${held}: is this the store of this database?`
  throw invalidField('MDK_OBJECT_STORE', message)
}
