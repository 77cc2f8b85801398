// The doctor's check of what is sealed: opens every secret that the database holds, as whoever uses it would.
import type { Config } from '../config.ts'
import { createSecretBox, type SecretBox } from '../lib/secret-box.ts'
import { type Db, sql } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'
import { openDkimKey } from '../mailboxes/dkim-key.ts'
import { loadSecretKeys } from '../secret-keys.ts'
import { createSigningKeyring, type SealedSecrets } from '../webhooks/signing-keys.ts'
import type { Check } from './check.ts'

const PAGE = 1_000
const NIL = '00000000-0000-0000-0000-000000000000'

/** A lost key file is made anew with the same version: only opening tells. */
export async function checkSecretKeys(config: Config, db: Db): Promise<Check> {
  const name = 'secret keys'
  try {
    const keys = await loadSecretKeys(config)
    const { count, example } = await closedSecrets(db, createSecretBox(keys))
    if (count === 0) return { name, result: 'ok', found: `version ${keys.map(({ version }) => version).join(', ')}` }
    const found = `${count} sealed secrets do not open, such as that of ${example}`
    return { name, result: 'fail', found, mend: 'give MDK_SECRET_KEYS, or its file, every key that sealed them' }
  } catch (error) {
    return { name, result: 'fail', found: (error as Error).message, mend: 'check MDK_SECRET_KEYS or its file' }
  }
}

interface SealedDkimKey {
  tenant_id: Uuid
  id: Uuid
  envelope: Uint8Array
}

async function closedSecrets(db: Db, box: SecretBox): Promise<{ count: number; example: string }> {
  const { keysOf } = createSigningKeyring(box)
  let count = 0
  let example = ''
  const tryOpening = (whose: string, open: () => unknown) => {
    try {
      open()
    } catch (error) {
      if (count++ === 0) example = `${whose}: ${(error as Error).message}`
    }
  }
  for await (const { tenant_id: tenantId, id, envelope } of pages((after) => dkimKeys(db, after))) {
    tryOpening(`domain ${id}`, () => openDkimKey(box, { tenantId, id }, envelope))
  }
  for await (const endpoint of pages((after) => endpointSecrets(db, after))) {
    tryOpening(`webhook endpoint ${endpoint.id}`, () => keysOf(endpoint))
  }
  return { count, example }
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
    select d.tenant_id, d.id, d.dkim_private_key as envelope from domains d
    where d.dkim_private_key is not null and (d.tenant_id, d.id) > (${after.tenant_id}::uuid, ${after.id}::uuid)
    order by d.tenant_id, d.id limit ${PAGE}`)

const endpointSecrets = (db: Db, after: Place) =>
  db.rows(sql<SealedSecrets>`
    select e.tenant_id, e.id, e.secret, e.previous_secret from webhook_endpoints e
    where e.deleted_at is null and (e.tenant_id, e.id) > (${after.tenant_id}::uuid, ${after.id}::uuid)
    order by e.tenant_id, e.id limit ${PAGE}`)
