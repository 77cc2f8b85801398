// Which of some recipients get no mail any more.
import type { Realm } from '../access/actor.ts'
import { type Db, sql } from '../lib/sql.ts'
import { suppressionKey } from './suppressed.ts'

/** An address that mail is to go to, and on whose behalf. */
export interface Addressed extends Realm {
  address: string
}

/** Gives what says whether one of them is stopped, however its address is spelled. Asks the database nothing for none. */
export async function findSuppressed(db: Db, recipients: readonly Addressed[]): Promise<(of: Addressed) => boolean> {
  if (recipients.length === 0) return () => false
  const rows = await db.rows(sql<Addressed>`
    select n.tenant_id as "tenantId", n.environment_id as "environmentId", n.address
    from unnest(${recipients.map((one) => one.tenantId)}::uuid[], ${recipients.map((one) => one.environmentId)}::uuid[],
      ${recipients.map((one) => suppressionKey(one.address))}::text[]) as n (tenant_id, environment_id, address)
    cross join lateral (
      select from suppressions s
      where s.tenant_id = n.tenant_id and s.environment_id = n.environment_id and s.address = n.address limit 1
    ) s`)
  const stopped = new Set(rows.map(keyOf))
  return (of) => stopped.has(keyOf({ ...of, address: suppressionKey(of.address) }))
}

const keyOf = ({ environmentId, address }: Addressed): string => `${environmentId} ${address}`
