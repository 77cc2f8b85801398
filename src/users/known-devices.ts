// From which devices a user signs in, so that one that was not seen of late can be told of. A device is what a stranger's would
// hardly be: the network and the browser, whichever version it has.
import { hash } from 'node:crypto'
import type { RequestOrigin } from '../access/request-origin.ts'
import { clientNetwork } from '../lib/network.ts'
import { type Db, sql, type Timestamp, type Tx } from '../lib/sql.ts'
import { tellOwner } from '../notices/tell-owners.ts'
import type { UserKind, UserRef } from './user.ts'

/** What was not seen for so long is new. specification.md#notices-by-mail */
const KNOWN_FOR_DAYS = 90

/** Tells an Owner whose device is new of the sign-in. The first of a user is that of the take-up, and nothing to be told of. */
export async function noteDevice(tx: Tx, user: UserRef, origin: RequestOrigin): Promise<void> {
  const device = deviceOf(origin)
  const known = await tx.rows(sql<{ same: boolean; lately: boolean }>`
    select device_hash = ${device} as same,
      last_seen_at > clock_timestamp() - make_interval(days => ${KNOWN_FOR_DAYS}) as lately
    from known_devices where tenant_id = ${user.tenantId} and user_id = ${user.userId}
    order by device_hash for update`)
  const noted = (await tx.first(sql<{ isNew: boolean; at: Timestamp }>`
    insert into known_devices as d (tenant_id, user_id, device_hash)
    values (${user.tenantId}, ${user.userId}, ${device})
    on conflict (tenant_id, user_id, device_hash) do update set last_seen_at = clock_timestamp()
    returning xmax = 0 as "isNew", last_seen_at as at`)) as { isNew: boolean; at: Timestamp }
  const wasLongAgo = known.some(({ same, lately }) => same && !lately)
  if (user.kind !== 'person' || known.length === 0 || !(noted.isNew || wasLongAgo)) return
  const { clientAddress, userAgent } = origin
  await tellOwner(tx, user.userId, {
    kind: 'new_sign_in',
    facts: { at: noted.at, clientAddress, userAgent },
    occasion: noted.at,
  })
}

/** Whether a user, if there is one with this login, has signed in from the device of late. */
export async function isKnownDevice(db: Db, kind: UserKind, login: string, origin: RequestOrigin): Promise<boolean> {
  const known = await db.first(sql<{ known: boolean }>`
    select true as known from known_devices d join users u on u.tenant_id = d.tenant_id and u.id = d.user_id
    where u.kind = ${kind} and u.login = ${login} and d.device_hash = ${deviceOf(origin)}
      and d.last_seen_at > clock_timestamp() - make_interval(days => ${KNOWN_FOR_DAYS})`)
  return known !== undefined
}

/** A browser that updates itself is still the same. */
function deviceOf({ clientAddress, userAgent }: RequestOrigin): Buffer {
  const browser = (userAgent ?? '').replace(/\/[\d.]+/g, '')
  return hash('sha256', `${clientNetwork(clientAddress)} ${browser}`, 'buffer')
}

/** Those that were not seen for long, but for the last of each user: who has one has signed in before. Gives how many went. */
export async function sweepDevices(db: Db, limit: number): Promise<number> {
  const rows = await db.rows(sql<{ hash: Buffer }>`
    delete from known_devices d
    using (
      select o.tenant_id, o.user_id, o.device_hash from known_devices o
      where o.last_seen_at < statement_timestamp() - make_interval(days => ${KNOWN_FOR_DAYS}) and exists (
        select from known_devices n
        where n.tenant_id = o.tenant_id and n.user_id = o.user_id
          and (n.last_seen_at, n.device_hash) > (o.last_seen_at, o.device_hash))
      order by o.last_seen_at limit ${limit} for update of o skip locked
    ) old
    where d.tenant_id = old.tenant_id and d.user_id = old.user_id and d.device_hash = old.device_hash
    returning d.device_hash as hash`)
  return rows.length
}
