// One application with its keys, and what a first request with one of them needs.
import { listKeys } from '../../apps/list-keys.ts'
import { readApp } from '../../apps/read-app.ts'
import { IdParams } from '../../lib/schemas.ts'
import type { Db } from '../../lib/sql.ts'
import { firstMailbox } from '../../mailboxes/first-mailbox.ts'
import { ShownApp } from './app-schemas.ts'
import { consoleData } from './console-data.ts'

/** Of revoked and expired ones the newest are shown. */
const MOST_ENDED_KEYS = 50

export default consoleData(
  { method: 'GET', path: '/data/apps/:appId', params: IdParams('appId'), answer: ShownApp },
  ({ database, apiUrl }: { database: Db; apiUrl: string }) =>
    async ({ actor, params: { appId } }) => {
      const [app, keys, mailbox] = await Promise.all([
        readApp(database, actor, appId),
        listKeys(database, actor, appId, MOST_ENDED_KEYS),
        firstMailbox(database, actor),
      ])
      return { app, keys, apiUrl, mailbox: mailbox ?? null }
    },
)
