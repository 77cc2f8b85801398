// Adds a domain with a key of its own, and looks it up in the DNS a first time.
import type { TenantActor } from '../access/actor.ts'
import { assertMay } from '../access/permissions.ts'
import type { SecretBox } from '../lib/secret-box.ts'
import type { Uuid } from '../lib/uuid.ts'
import { addDomain } from './add-domain.ts'
import { type CheckDeps, checkAddedDomain } from './check-domain-now.ts'
import { makeDkimKey } from './dkim-key.ts'
import type { DnsRecord } from './dns-records.ts'

/** Whatever the DNS says or does not, the domain is added, and is checked on. @throws Problem as addDomain */
export async function addCheckedDomain(
  { secretBox, ...deps }: CheckDeps & { secretBox: SecretBox },
  actor: TenantActor,
  request: { domain: string; vouched: boolean },
): Promise<{ id: Uuid; records: DnsRecord[] }> {
  // Before a key is made, which takes its time.
  assertMay(actor, 'manageDomains')
  const added = await addDomain(deps.database, actor, { ...request, dkim: { key: await makeDkimKey(), secretBox } })
  await checkAddedDomain(deps, actor, added.id)
  return added
}
