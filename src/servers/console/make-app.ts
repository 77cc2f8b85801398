// Makes an application.
import { createApp } from '../../apps/create-app.ts'
import type { Database } from '../../lib/sql.ts'
import { MadeApp, NewApp } from './app-schemas.ts'
import { consoleData } from './console-data.ts'

export default consoleData(
  { method: 'POST', path: '/data/apps', body: NewApp, answer: MadeApp, status: 201 },
  ({ database }: { database: Database }) =>
    ({ actor, body }) =>
      createApp(database, actor, body),
)
