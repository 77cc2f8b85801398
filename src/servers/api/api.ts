// The HTTP API: each feature's operations in order.
import type { AttachmentDeps } from '../../attachments/manage-attachments.ts'
import type { CursorCodec } from '../../events/cursor.ts'
import type { ObjectStore } from '../../lib/object-store.ts'
import type { Database } from '../../lib/sql.ts'
import type { Sender } from '../../messages/send-message.ts'
import type { Server } from '../http/server.ts'
import { attachmentRoutes } from './attachment-routes.ts'
import { type BlobDeps, blobRoutes } from './blob-routes.ts'
import { eventRoutes } from './event-routes.ts'
import { mailboxRoutes } from './mailbox-routes.ts'
import { messageRoutes } from './message-routes.ts'
import { type ReportDeps, reportRoutes } from './report-routes.ts'
import { type WebhookDeps, webhookRoutes } from './webhook-routes.ts'

export interface ApiDeps {
  database: Database
  store: ObjectStore
  sender: Sender
  cursors: CursorCodec
  /** Called after a commit that appended events. */
  onEvents(): void
  webhooks: Omit<WebhookDeps, 'database'>
  attachments: Omit<AttachmentDeps, 'database' | 'store'>
  /** Set when the store has no signed URLs of its own. */
  blobLinks: BlobDeps['links'] | undefined
  reports: Pick<ReportDeps, 'secret' | 'sesTopic' | 'sns' | 'returnPath'>
}

/** Adds the operations to a server. */
export function apiRoutes(app: Server, deps: ApiDeps): void {
  mailboxRoutes(app, deps)
  messageRoutes(app, deps)
  eventRoutes(app, deps)
  attachmentRoutes(app, { database: deps.database, store: deps.store, ...deps.attachments })
  if (deps.blobLinks) blobRoutes(app, { database: deps.database, store: deps.store, links: deps.blobLinks })
  reportRoutes(app, { ...deps.reports, database: deps.database, store: deps.store, onEvents: deps.onEvents })
  webhookRoutes(app, { database: deps.database, ...deps.webhooks })
}
