// A link by which somebody sets a new password, and loses the other factors.
import { IdParams } from '../../lib/schemas.ts'
import type { Database } from '../../lib/sql.ts'
import { resetPerson } from '../../people/reset-person.ts'
import { enterAddress, type Site } from '../sessions/site.ts'
import { consoleData } from './console-data.ts'
import { MadeLink } from './schemas.ts'

export default consoleData(
  { method: 'POST', path: '/data/people/:personId/reset', params: IdParams('personId'), answer: MadeLink, status: 201 },
  ({ database, site, mailsLinks: canBeMailed }: { database: Database; site: Site; mailsLinks: boolean }) =>
    async ({ actor, params: { personId } }) => {
      const { token, expiresAt } = await resetPerson(database, actor, personId)
      return { id: personId, link: enterAddress(site, token), expiresAt, canBeMailed }
    },
)
