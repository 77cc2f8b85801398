// Mail that was received, written as the inbound role writes it, without the listener or the store.
import type { Database, Tx } from '../../src/lib/sql.ts'
import { newId, type Uuid } from '../../src/lib/uuid.ts'
import { insertReceived, type ReceivedMessage } from '../../src/messages/insert-received.ts'

export type WrittenMail = Partial<Omit<ReceivedMessage, 'tenantId' | 'entries'>> & {
  mailboxIds: readonly Uuid[]
  folder?: 'inbox' | 'spam'
}

/** Gives its id. */
export async function writeReceived(
  tx: Tx,
  tenantId: Uuid,
  { mailboxIds, folder, ...mail }: WrittenMail,
): Promise<Uuid> {
  const id = newId()
  const entries = mailboxIds.map((mailboxId) => ({ mailboxId, folder: folder ?? ('inbox' as const) }))
  await insertReceived(tx, { ...NOTHING, id, ...mail, tenantId, entries })
  return id
}

/** The same, in a transaction of its own. */
export function receive(database: Database, tenantId: Uuid, mail: WrittenMail): Promise<Uuid> {
  return database.transaction((tx) => writeReceived(tx, tenantId, mail))
}

const NOTHING = {
  sizeBytes: 1,
  from: { address: 'someone@example.test', name: null },
  to: [],
  cc: [],
  replyTo: [],
  references: [],
  headers: [],
  attachments: [],
  subject: '',
  preview: '',
  text: null,
  html: null,
  textTruncated: false,
  htmlTruncated: false,
  mime: null,
  authentication: null,
  messageId: null,
  inReplyTo: null,
}
