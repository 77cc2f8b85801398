// Compares the object store with the database, page by page, as there may be millions of objects: what the database names
// and is not there, and what is there and nobody names. Changes nothing, and may run beside a service at work.
import { type ObjectKey, type ObjectStore, readObjectKey } from '../lib/object-store.ts'
import { type Db, sql } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'

export interface NamedObject {
  kind: 'message' | 'attachment'
  tenantId: Uuid
  environmentId: Uuid
  id: Uuid
  key: string
  /** What the object must come to; null where any size is right. */
  sizeBytes: number | null
}

const PAGE = 1_000
const NIL = '00000000-0000-0000-0000-000000000000'
/** Objects of the store that are asked for at once. */
const ASKED_AT_ONCE = 16
/** Younger ones are left alone, whoever names them; what is being put is noted besides (`object_removals`). */
const YOUNG_MINUTES = 60

/** What messages or attachments name, in pages with those that are not there or, for `sizes`, have another size. */
export async function* namedObjects(
  db: Db,
  store: ObjectStore,
  kind: NamedObject['kind'],
  { sizes = false } = {},
): AsyncGenerator<{ count: number; missing: NamedObject[] }> {
  const pageAfter = kind === 'message' ? storedMessages : storedAttachments
  let page = await pageAfter(db, { tenantId: NIL, id: NIL })
  for (let last = page.at(-1); last; last = page.at(-1)) {
    const missing: NamedObject[] = []
    for (let i = 0; i < page.length; i += ASKED_AT_ONCE) {
      const asked = page.slice(i, i + ASKED_AT_ONCE)
      const found = await Promise.all(asked.map(({ key }) => store.head(readObjectKey(key))))
      const isThere = (object: NamedObject, n: number) =>
        found[n] && (!sizes || object.sizeBytes === null || object.sizeBytes === found[n].sizeBytes)
      missing.push(...asked.filter((object, n) => !isThere(object, n)))
    }
    yield { count: page.length, missing: await stillNamed(db, kind, missing) }
    page = await pageAfter(db, last)
  }
}

/** What the store holds, in pages with the objects that nobody names. */
export async function* heldObjects(
  db: Db,
  store: ObjectStore,
): AsyncGenerator<{ count: number; unnamed: ObjectKey[] }> {
  for await (const page of store.list()) yield { count: page.length, unnamed: await unnamedOf(db, page) }
}

/**
 * One look at one moment: an object is noted before it is put, and struck out by the transaction that names it. That of a
 * message on its way is named by the message itself, before it is built.
 */
async function unnamedOf(db: Db, keys: readonly ObjectKey[]): Promise<ObjectKey[]> {
  const parts = keys.map((key) => key.split('/') as [string, Uuid, Uuid])
  const rows = await db.rows(sql<{ key: ObjectKey }>`
    select o.key
    from unnest(${keys}::text[], ${parts.map(([kind]) => kind)}::text[], ${parts.map(([, tenant]) => tenant)}::uuid[],
      ${parts.map(([, , id]) => id)}::uuid[]) as o (key, kind, tenant_id, id)
    where o.id < uuid_at(statement_timestamp() - make_interval(mins => ${YOUNG_MINUTES}))
      and not exists (select from object_removals r where r.object_key = o.key)
      and case o.kind
        when 'messages' then
          not exists (select from messages m where m.tenant_id = o.tenant_id and m.id = o.id)
          and not exists (select from unread_reports u where u.tenant_id = o.tenant_id and u.id = o.id)
        when 'attachments' then
          not exists (select from attachments a where a.tenant_id = o.tenant_id and a.id = o.id)
        else o.kind = 'uploads'
      end`)
  return rows.map(({ key }) => key)
}

const storedMessages = (db: Db, after: Pick<NamedObject, 'tenantId' | 'id'>) =>
  db.rows(sql<NamedObject>`
    select 'message' as kind, m.tenant_id as "tenantId", m.environment_id as "environmentId", m.id,
      'messages/' || m.tenant_id || '/' || m.id as key,
      null as "sizeBytes"
    from messages m left join message_states s on s.tenant_id = m.tenant_id and s.message_id = m.id
    where coalesce(m.size_bytes, s.size_bytes) is not null and m.id > ${after.id}::uuid
    order by m.id limit ${PAGE}`)

const storedAttachments = (db: Db, after: Pick<NamedObject, 'tenantId' | 'id'>) =>
  db.rows(sql<NamedObject>`
    select 'attachment' as kind, a.tenant_id as "tenantId", a.environment_id as "environmentId", a.id, a.object_key as key,
      a.size_bytes as "sizeBytes"
    from attachments a
    where (a.tenant_id, a.id) > (${after.tenantId}::uuid, ${after.id}::uuid)
    order by a.tenant_id, a.id limit ${PAGE}`)

/** What was removed meanwhile lost its row first, and its object after. */
async function stillNamed(db: Db, kind: NamedObject['kind'], objects: NamedObject[]): Promise<NamedObject[]> {
  if (objects.length === 0) return objects
  const [tenants, ids] = [objects.map(({ tenantId }) => tenantId), objects.map(({ id }) => id)]
  const rows =
    kind === 'message'
      ? await db.rows(sql<{ id: Uuid }>`
          select m.id from messages m
          join unnest(${tenants}::uuid[], ${ids}::uuid[]) as n (tenant_id, id) on m.tenant_id = n.tenant_id and m.id = n.id`)
      : await db.rows(sql<{ id: Uuid }>`
          select a.id from attachments a
          join unnest(${tenants}::uuid[], ${ids}::uuid[]) as n (tenant_id, id) on a.tenant_id = n.tenant_id and a.id = n.id`)
  const named = new Set(rows.map(({ id }) => id))
  return objects.filter(({ id }) => named.has(id))
}
