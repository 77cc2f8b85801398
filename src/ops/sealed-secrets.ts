// Opens every secret that the database holds, as whoever uses it would.
import type { SecretBox } from '../lib/secret-box.ts'
import { type Db, sql } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'
import { openDkimKey } from '../mailboxes/dkim-key.ts'
import { createSigningKeyring, type SealedSecrets } from '../webhooks/signing-keys.ts'

const PAGE = 1_000
const NIL = '00000000-0000-0000-0000-000000000000'

interface SealedDkimKey {
  tenant_id: Uuid
  id: Uuid
  sealed: Uint8Array
}

/** How many secrets open and how many do not, with the first of these and why. */
export async function tryOpeningSecrets(
  db: Db,
  box: SecretBox,
): Promise<{ opened: number; closed: number; example: string }> {
  const { keysOf } = createSigningKeyring(box)
  let opened = 0
  let closed = 0
  let example = ''
  const tryOpening = (whose: string, open: () => unknown) => {
    try {
      open()
      opened++
    } catch (error) {
      if (closed++ === 0) example = `${whose}: ${(error as Error).message}`
    }
  }
  for await (const { tenant_id: tenantId, id, sealed } of pages((after) => dkimKeys(db, after))) {
    tryOpening(`domain ${id}`, () => openDkimKey(box, { tenantId, id }, sealed))
  }
  for await (const endpoint of pages((after) => endpointSecrets(db, after))) {
    tryOpening(`webhook endpoint ${endpoint.id}`, () => keysOf(endpoint))
  }
  return { opened, closed, example }
}

type Place = Pick<SealedDkimKey, 'tenant_id' | 'id'>

async function* pages<Row extends Place>(pageAfter: (last: Place) => Promise<Row[]>): AsyncGenerator<Row> {
  for (let last: Place | undefined = { tenant_id: NIL, id: NIL }; last; ) {
    const page = await pageAfter(last)
    yield* page
    last = page.at(-1)
  }
}

const dkimKeys = (db: Db, after: Place) =>
  db.rows(sql<SealedDkimKey>`
    select d.tenant_id, d.id, d.dkim_private_key as sealed from domains d
    where d.dkim_private_key is not null and (d.tenant_id, d.id) > (${after.tenant_id}::uuid, ${after.id}::uuid)
    order by d.tenant_id, d.id limit ${PAGE}`)

const endpointSecrets = (db: Db, after: Place) =>
  db.rows(sql<SealedSecrets>`
    select e.tenant_id, e.id, e.secret, e.previous_secret from webhook_endpoints e
    where e.deleted_at is null and (e.tenant_id, e.id) > (${after.tenant_id}::uuid, ${after.id}::uuid)
    order by e.tenant_id, e.id limit ${PAGE}`)
