// To whom messages were written, as far as a row of a list names them: there may be thousands.
import type { Realm } from '../access/actor.ts'
import { type Db, sql } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'
import type { Address } from './schemas.ts'

/** The first `most` of `to`, `cc` and `bcc` together, by the ids of the messages. */
export async function firstRecipients(
  db: Db,
  { tenantId, environmentId }: Realm,
  ids: readonly Uuid[],
  most: number,
): Promise<Map<Uuid, Address[]>> {
  if (ids.length === 0) return new Map()
  const rows = await db.rows(sql<{ id: Uuid; people: Address[] }>`
    select m.id, p.people
    from messages m
    cross join lateral (
      select coalesce(json_agg(r.one order by r.list, r.position), '[]') as people
      from (
        select r.list, r.position, r.one
        from (values (1, m.to_addresses), (2, m.cc_addresses), (3, m.bcc_addresses)) as f (list, addresses)
        cross join lateral (
          select f.list, o.position, o.one from json_array_elements(f.addresses) with ordinality as o (one, position) limit ${most}
        ) r
        order by r.list, r.position limit ${most}
      ) r
    ) p
    where m.tenant_id = ${tenantId} and m.environment_id = ${environmentId} and m.id = any (${[...ids]}::uuid[])`)
  return new Map(rows.map(({ id, people }) => [id, people]))
}
