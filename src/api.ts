// The HTTP API: the machinery, then each feature's routes in order.
import type { Logger } from 'pino'
import { type BlobDeps, blobRoutes } from './attachments/blob-routes.ts'
import type { AttachmentDeps } from './attachments/manage-attachments.ts'
import { attachmentRoutes } from './attachments/routes.ts'
import { contractRoutes } from './contract/routes.ts'
import type { CursorCodec } from './events/cursor.ts'
import { eventRoutes } from './events/routes.ts'
import { buildServer, type Server, type ServerDeps } from './http/server.ts'
import { type ReportDeps, reportRoutes } from './inbound/report-routes.ts'
import type { ObjectStore } from './lib/object-store.ts'
import type { Database } from './lib/sql.ts'
import { mailboxRoutes } from './mailboxes/routes.ts'
import { messageRoutes } from './messages/routes.ts'
import type { Sender } from './messages/send-message.ts'
import { type WebhookDeps, webhookRoutes } from './webhooks/routes.ts'

export interface ApiDeps extends ServerDeps {
  log: Logger
  database: Database
  store: ObjectStore
  sender: Sender
  cursors: CursorCodec
  /** Told after a commit that appended events. */
  onEvents(): void
  webhooks: Omit<WebhookDeps, 'database'>
  attachments: Omit<AttachmentDeps, 'database' | 'store'>
  /** Set when the store has no signed URLs of its own. */
  blobLinks: BlobDeps['links'] | undefined
  reports: Pick<ReportDeps, 'secret' | 'sesTopic' | 'sns' | 'returnPath'>
}

/** Builds the API; nothing listens yet. */
export function buildApi(deps: ApiDeps): Server {
  const app = buildServer(deps)
  contractRoutes(app)
  mailboxRoutes(app, deps)
  messageRoutes(app, deps)
  eventRoutes(app, deps)
  attachmentRoutes(app, { database: deps.database, store: deps.store, ...deps.attachments })
  if (deps.blobLinks) blobRoutes(app, { database: deps.database, store: deps.store, links: deps.blobLinks })
  reportRoutes(app, { ...deps.reports, database: deps.database, store: deps.store, onEvents: deps.onEvents })
  webhookRoutes(app, { database: deps.database, ...deps.webhooks })
  return app
}
