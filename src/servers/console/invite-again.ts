// A new link for somebody who was invited. The former is no good any more.
import { absent } from '../../access/problem.ts'
import { IdParams } from '../../lib/schemas.ts'
import type { Database } from '../../lib/sql.ts'
import { invitePerson } from '../../people/invite-person.ts'
import { listPeople } from '../../people/list-people.ts'
import { enterAddress, type Site } from '../sessions/site.ts'
import { consoleData } from './console-data.ts'
import { MadeLink } from './schemas.ts'

export default consoleData(
  {
    method: 'POST',
    path: '/data/people/:personId/invitation',
    params: IdParams('personId'),
    answer: MadeLink,
    status: 201,
  },
  ({ database, site, mailsLinks: canBeMailed }: { database: Database; site: Site; mailsLinks: boolean }) =>
    async ({ actor, params: { personId } }) => {
      const invited = (await listPeople(database, actor)).find(({ id }) => id === personId)
      if (!invited) throw absent('person')
      const { id, token, expiresAt } = await invitePerson(database, actor, invited)
      return { id, link: enterAddress(site, token), expiresAt, canBeMailed }
    },
)
