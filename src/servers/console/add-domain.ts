// Adds a domain, and looks it up a first time.
import type { DnsResolver } from '../../lib/resolver.ts'
import type { SecretBox } from '../../lib/secret-box.ts'
import type { Database } from '../../lib/sql.ts'
import { addCheckedDomain } from '../../mailboxes/add-checked-domain.ts'
import { consoleData } from './console-data.ts'
import { MadeDomain, NamedDomain } from './domain-schemas.ts'

export default consoleData(
  { method: 'POST', path: '/data/domains', body: NamedDomain, answer: MadeDomain, status: 201 },
  ({ database, resolver, box: secretBox }: { database: Database; resolver: DnsResolver; box: SecretBox }) =>
    async ({ actor, body: { domain } }) => {
      const { id } = await addCheckedDomain({ database, resolver, secretBox }, actor, { domain, vouched: false })
      return { id }
    },
)
