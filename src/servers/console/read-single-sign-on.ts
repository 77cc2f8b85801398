// Shows a tenant's provider, and the addresses that it and people need.
import type { Db } from '../../lib/sql.ts'
import { showSingleSignOn } from '../../people/single-sign-on/show-single-sign-on.ts'
import { singleSignOnUrls } from '../../people/single-sign-on/urls.ts'
import type { Site } from '../sessions/site.ts'
import { consoleData } from './console-data.ts'
import { SingleSignOnSettings } from './schemas.ts'

export default consoleData(
  { method: 'GET', path: '/data/single-sign-on', answer: SingleSignOnSettings },
  ({ database, site }: { database: Db; site: Site }) =>
    async ({ actor }) => {
      const provider = await showSingleSignOn(database, actor)
      const { signIn, callback } = singleSignOnUrls(site.origin(), actor.tenantId)
      return { provider: provider ?? null, signInUrl: signIn, callbackUrl: callback }
    },
)
