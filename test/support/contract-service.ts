// `mdk serve` with all its roles over a test's own database, a tenant whom nothing limits, and a webhook
// receiver: what the tests of the contract talk to.

import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { after } from 'node:test'
import type { Environment } from '../../src/access/actor.ts'
import { openFileStore } from '../../src/lib/object-store/file.ts'
import { checkInvariants } from '../../src/ops/invariants.ts'
import { createTestDatabase, type TestDatabase } from './database.ts'
import { type Receiver, startReceiver } from './receiver.ts'
import { startService, type TestService } from './service.ts'
import { temporaryFolder } from './temporary-folder.ts'
import { createTestTenant, type TestTenant } from './tenant.ts'

/** What the relay signs its reports with. */
export const REPORT_SECRET = 'a secret the relay shares'

export interface ContractService extends TestService {
  tenant: TestTenant
  receiver: Receiver
  /** What must hold over the whole database and does not, by name. */
  brokenInvariants(): Promise<string[]>
}

/**
 * Nothing it does leaves this machine, and names resolve to nothing. It stops after the tests. `over` is a database of the
 * test's own.
 */
export async function startContractService(
  environment: Environment = 'sandbox',
  over?: Pick<TestDatabase, 'database' | 'url'>,
): Promise<ContractService> {
  const { database, url } = over ?? (await createTestDatabase())
  const tenant = await createTestTenant(database, { environment })
  const receiver = await startReceiver()
  const dataDir = await temporaryFolder('contract-')
  const service = await startService({
    MDK_DATABASE_URL: url,
    MDK_DATA_DIR: dataDir,
    MDK_RELAY_URL: 'smtp://127.0.0.1:9',
    MDK_RETURN_PATH_DOMAIN: 'bounce.test',
    MDK_DNS_SERVERS: '127.0.0.1:9',
    MDK_WEBHOOK_ALLOW: '127.0.0.0/8',
    MDK_RELAY_REPORT_SECRET: REPORT_SECRET,
    MDK_SES_TOPIC: 'arn:aws:sns:eu-west-1:123456789012:ses',
    MDK_POLL: '50ms',
  })
  after(async () => {
    await service.stop()
    await rm(dataDir, { recursive: true, force: true })
  })
  const brokenInvariants = async () => {
    const checks = await checkInvariants(database, await openFileStore(join(dataDir, 'objects')))
    return checks.filter(({ result }) => result !== 'ok').map(({ name, found }) => `${name}: ${found}`)
  }
  return { ...service, tenant, receiver, brokenInvariants }
}
