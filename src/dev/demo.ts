// The demo tenant that `mdk dev` works with: made once, with keys that stay.
import { type Environment, type Operator, operatorIn, productionOf, type TenantOperator } from '../access/actor.ts'
import { SCOPES } from '../access/permissions.ts'
import { createApp } from '../apps/create-app.ts'
import { createKey } from '../apps/create-key.ts'
import { createTenant } from '../apps/create-tenant.ts'
import { findApps } from '../apps/find-apps.ts'
import { listKeys } from '../apps/list-keys.ts'
import { revokeKey } from '../apps/revoke-key.ts'
import { createHashTurns } from '../lib/hash-turns.ts'
import type { SecretBox } from '../lib/secret-box.ts'
import { type Database, sql } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'
import { addDomain } from '../mailboxes/add-domain.ts'
import { createMailbox } from '../mailboxes/create-mailbox.ts'
import { makeDkimKey } from '../mailboxes/dkim-key.ts'
import { findDomains } from '../mailboxes/find-domains.ts'
import { type DevKey, keepDevKeys, readDevKeys } from './dev-keys.ts'

export interface Demo {
  tenantId: Uuid
  productionAppId: Uuid
  sandboxAppId: Uuid
  mailboxId: Uuid
  address: string
  liveKey: string
  testKey: string
}

const DOMAIN = 'demo.test'
const ADDRESS = `hello@${DOMAIN}`
/** Whom notices are from. */
export const NOTICES_FROM = `notices@${DOMAIN}`
const KEY_NAME = 'mdk dev'

/** Finds or makes the demo tenant and its keys. `dataDir`: where the keys are kept. Keys that were kept nowhere are revoked. */
export async function prepareDemo(
  database: Database,
  operator: Operator,
  secretBox: SecretBox,
  dataDir: string,
): Promise<Demo> {
  const found = await findDemo(database)
  const { tenantId, mailboxId, production, sandbox } = found ?? (await makeDemo(database, operator, secretBox))
  const actor = operatorIn(operator, productionOf(tenantId))
  const kept = await readDevKeys(dataDir)
  const live = await usableKey(database, actor, production, kept?.live)
  const test = await usableKey(database, actor, sandbox, kept?.test)
  if (live !== kept?.live || test !== kept?.test) await keepDevKeys(dataDir, { live, test })
  return {
    tenantId,
    productionAppId: production,
    sandboxAppId: sandbox,
    mailboxId,
    address: ADDRESS,
    liveKey: live.key,
    testKey: test.key,
  }
}

interface DemoIds {
  tenantId: Uuid
  mailboxId: Uuid
  production: Uuid
  sandbox: Uuid
}

async function findDemo(database: Database): Promise<DemoIds | undefined> {
  return database.first(sql<DemoIds>`
    select m.tenant_id as "tenantId", m.id as "mailboxId", p.id as production, s.id as sandbox
    from mailboxes m
    join apps p on p.tenant_id = m.tenant_id and p.environment = 'production'
    join apps s on s.tenant_id = m.tenant_id and s.environment = 'sandbox'
    where m.address = ${ADDRESS}
    order by p.created_at, s.created_at limit 1`)
}

/** Makes what is missing: a start that was killed in here has left some of it, known by its domain, which no other can have vouched for. */
async function makeDemo(database: Database, operator: Operator, secretBox: SecretBox): Promise<DemoIds> {
  const dkim = { key: await makeDkimKey(), secretBox }
  const domain = (await findDomains(database, { domain: DOMAIN })).find(({ vouched }) => vouched)
  const tenantId = domain?.tenantId ?? (await createTenant(database, operator, { name: 'Demo', plan: 'scale' })).id
  const actor = operatorIn(operator, productionOf(tenantId))
  // Nothing leaves this machine: nobody is asked about a domain that does not exist.
  if (!domain) await addDomain(database, actor, { domain: DOMAIN, vouched: true, dkim, checked: false })
  const apps = await findApps(database, { tenantId })
  const appIn = async (environment: Environment, name: string) =>
    apps.find((app) => app.environment === environment) ?? createApp(database, actor, { name, environment })
  const production = await appIn('production', 'Demo')
  const sandbox = await appIn('sandbox', 'Demo sandbox')
  // Last, because a demo with its mailbox is a whole one.
  const mailbox = await createMailbox(database, actor, { address: ADDRESS, displayName: 'Demo' })
  return { tenantId, mailboxId: mailbox.id, production: production.id, sandbox: sandbox.id }
}

/** The key that was kept, as long as it is one of the application's, or else a fresh one. */
async function usableKey(
  database: Database,
  actor: TenantOperator,
  appId: Uuid,
  kept: DevKey | undefined,
): Promise<DevKey> {
  const valid = (await listKeys(database, actor, appId)).filter(
    ({ name, revokedAt }) => name === KEY_NAME && revokedAt === null,
  )
  if (kept && valid.some(({ id }) => id === kept.id)) return kept
  for (const { id } of valid) await revokeKey(database, actor, id)
  return createKey({ database, keyHasher: createHashTurns().keys }, actor, { appId, scopes: SCOPES, name: KEY_NAME })
}
