// What the service's database is made of: the migrations, and the functions and triggers that lie beside what calls them.
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import type { Schema } from './lib/schema-files.ts'

export const DATABASE_SCHEMA: Schema = {
  migrations: fileURLToPath(new URL('../migrations/', import.meta.url)),
  root: fileURLToPath(new URL('.', import.meta.url)),
  // Functions in any order: what their bodies name is looked up when they run, and what is looked up before, in a body of
  // `language sql`, are tables. Then the triggers, each of which needs its function.
  functions: [
    'activity/find-by-words.sql',
    'activity/find-in-mailboxes.sql',
    'activity/mailbox-query.sql',
    'apps/bump-credential-version.sql',
    'attachments/add-stored-bytes.sql',
    'attachments/stored-bytes-added.sql',
    'attachments/stored-bytes-changed.sql',
    'attachments/stored-bytes-removed.sql',
    'events/begin-feed-epoch.sql',
    'lib/new-uuid.sql',
    'lib/queue/await-resumption.sql',
    'lib/queue/cap-of-held-lane.sql',
    'lib/queue/claim-jobs.sql',
    'lib/queue/find-job.sql',
    'lib/queue/measure-queue.sql',
    'lib/queue/next-due.sql',
    'lib/queue/release-held-jobs.sql',
    'lib/queue/renew-jobs.sql',
    'lib/queue/resume-jobs.sql',
    'lib/queue/settle-jobs.sql',
    'lib/sealed-with.sql',
    'lib/uuid-at.sql',
    'webhooks/begin-cycles.sql',
    'messages/conversations/join-conversation.sql',
    'events/erased-data.sql',
    'ops/erase/count-naming.sql',
    'messages/record-tries.sql',
    'webhooks/current-receptions.sql',
    'webhooks/deliver-events.sql',
    'webhooks/record-accepted.sql',
    'webhooks/record-attempts.sql',
    'webhooks/remove-attempts.sql',
    'apps/triggers.sql',
    'attachments/triggers.sql',
    'messages/triggers.sql',
    'webhooks/triggers.sql',
  ],
  version: createRequire(import.meta.url)('../package.json').version,
}
