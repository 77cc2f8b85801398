// Mails a link to whom it is for, for whoever has just made it.
import { problem } from '../../access/problem.ts'
import type { SecretBox } from '../../lib/secret-box.ts'
import type { Database } from '../../lib/sql.ts'
import { mailMadeLink } from '../../users/mail-made-link.ts'
import { consoleData } from './console-data.ts'
import { MailLink } from './schemas.ts'

export default consoleData(
  { method: 'POST', path: '/data/links/mail', body: MailLink, answer: null },
  ({ database, box, mailsLinks }: { database: Database; box: SecretBox; mailsLinks: boolean }) =>
    async ({ actor, body }) => {
      if (!mailsLinks) throw problem('not_allowed', { message: 'No links are mailed here: hand it on yourself.' })
      await mailMadeLink({ database, box }, actor, body)
    },
)
