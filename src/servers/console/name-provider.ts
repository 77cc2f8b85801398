// Names the provider of a tenant's single sign-on, or another.
import { Secret } from '../../lib/secret.ts'
import type { SecretBox } from '../../lib/secret-box.ts'
import type { Database } from '../../lib/sql.ts'
import type { Providers } from '../../people/single-sign-on/provider.ts'
import { setSingleSignOn } from '../../people/single-sign-on/set-single-sign-on.ts'
import { consoleData } from './console-data.ts'
import { NamedProvider } from './schemas.ts'

export default consoleData(
  { method: 'PUT', path: '/data/single-sign-on', body: NamedProvider, answer: null },
  (deps: { database: Database; box: SecretBox; providers: Providers }) =>
    async ({ actor, body: { issuer, clientId, clientSecret } }) =>
      setSingleSignOn(deps, actor, { issuer, clientId, clientSecret: new Secret(clientSecret) }),
)
