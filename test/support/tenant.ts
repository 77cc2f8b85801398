// A tenant with all that a test needs to call the API, made as an operator would make it.

import type { Environment } from '../../src/access/actor.ts'
import { SCOPES, type Scope } from '../../src/access/permissions.ts'
import { createApp } from '../../src/apps/create-app.ts'
import { createKey } from '../../src/apps/create-key.ts'
import { createTenant } from '../../src/apps/create-tenant.ts'
import type { Database } from '../../src/lib/sql.ts'
import { newId, type Uuid } from '../../src/lib/uuid.ts'
import { addDomain, type NewDomain } from '../../src/mailboxes/add-domain.ts'
import { createMailbox } from '../../src/mailboxes/create-mailbox.ts'
import { keyHasher } from './hash-turns.ts'
import { operator, operatorOf } from './operator.ts'

export interface TestTenant {
  tenantId: Uuid
  appId: Uuid
  mailboxId: Uuid
  address: string
  key: string
}

/** A tenant on a plan (one without limits unless given), with a vouched domain, a mailbox, an application and a key of all scopes. */
export async function createTestTenant(
  database: Database,
  options: { plan?: string; environment?: Environment; scopes?: readonly Scope[]; dkim?: NewDomain['dkim'] } = {},
): Promise<TestTenant> {
  const { plan = 'unlimited' } = options
  const { id: tenantId } = await createTenant(database, operator, { name: 'Example', plan })
  const domain = `t${newId().replaceAll('-', '')}.test`
  await addDomain(database, operatorOf(tenantId), {
    domain,
    vouched: true,
    ...(options.dkim ? { dkim: options.dkim } : {}),
  })
  const address = `sender@${domain}`
  const { id: mailboxId } = await createMailbox(database, operatorOf(tenantId), { address, displayName: 'Sender' })
  const environment = options.environment ?? 'production'
  const { id: appId } = await createApp(database, operatorOf(tenantId), { name: 'Example', environment })
  const { key } = await createKey({ database, keyHasher }, operatorOf(tenantId), {
    appId,
    scopes: options.scopes ?? SCOPES,
  })
  return { tenantId, appId, mailboxId, address, key }
}
