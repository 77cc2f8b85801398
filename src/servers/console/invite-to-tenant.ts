// Invites somebody. The link shows this once.
import type { Database } from '../../lib/sql.ts'
import { invitePerson } from '../../people/invite-person.ts'
import { enterAddress, type Site } from '../sessions/site.ts'
import { consoleData } from './console-data.ts'
import { Invite, MadeLink } from './schemas.ts'

export default consoleData(
  { method: 'POST', path: '/data/people', body: Invite, answer: MadeLink, status: 201 },
  ({ database, site, mailsLinks: canBeMailed }: { database: Database; site: Site; mailsLinks: boolean }) =>
    async ({ actor, body }) => {
      const { id, token, expiresAt } = await invitePerson(database, actor, body)
      return { id, link: enterAddress(site, token), expiresAt, canBeMailed }
    },
)
