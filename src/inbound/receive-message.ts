// Takes one mail that the listener has let in: stores its bytes, reads it, and writes it down for every tenant it is
// for, or applies it when it is a report. When it resolves everything is durable. Knows nothing of SMTP.
import { createHash } from 'node:crypto'
import { attachmentKey } from '../attachments/store.ts'
import { keepObjects, removeLater } from '../lib/object-removals.ts'
import { type ByteRange, type ObjectKey, type ObjectStore, objectKey } from '../lib/object-store.ts'
import { newId, type Uuid } from '../lib/uuid.ts'
import type { MailParser } from '../mail-parser/mail-parser.ts'
import type { ParsedMessage } from '../mail-parser/parsed-message.ts'
import { insertReceived } from '../messages/insert-received.ts'
import { readReturnedMail } from '../outbound/returned-mail.ts'
import { applyReturned, type ReturnedDeps } from './apply-returned.ts'
import type { MailAuthenticator } from './authenticate.ts'
import { type Authentication, folderFor } from './authentication.ts'
import { type MailboxTarget, reserveReceipt } from './store.ts'

export interface ReceiveDeps extends ReturnedDeps {
  parser: MailParser
  authenticator: MailAuthenticator
  /** Told of everything that came: `message`, `duplicate`, or what kind of mail came back to a return path. */
  onReceived(what: string): void
}

export interface InboundMail {
  /** Empty for the null sender. */
  sender: string
  clientAddress: string
  clientName: string
  /** Whoever brings it, as one among those who wait for it to be read. */
  owner: string
  mailboxes: MailboxTarget[]
  /** The messages whose return paths it was sent to. */
  reports: { tenantId: Uuid; messageId: Uuid }[]
}

/** How long an object stays that its transaction never claimed. */
const UNCLAIMED_MS = 60 * 60 * 1000

/** @throws StoreUnavailable, whatever the source throws, or the database's error: nothing was taken then */
export async function receiveMessage(
  deps: ReceiveDeps,
  mail: InboundMail,
  source: AsyncIterable<Uint8Array>,
): Promise<void> {
  const tenants = [...new Set(mail.mailboxes.map((target) => target.tenantId))]
  const copies = [...tenants, ...mail.reports.map((report) => report.tenantId)].map((tenantId) => {
    const id = newId()
    return { id, key: objectKey('messages', tenantId, id) }
  })
  const [first, ...others] = copies as [{ id: Uuid; key: ObjectKey }, ...typeof copies]
  await removeLater(
    deps.database,
    copies.map(({ key }) => key),
    UNCLAIMED_MS,
  )
  const stored = await deps.store.put(first.key, source)
  const read = (mostBytes = stored.sizeBytes) =>
    readObject(deps.store, first.key, mostBytes < stored.sizeBytes ? { start: 0, end: mostBytes - 1 } : undefined)
  for (const { key } of others) await deps.store.put(key, read(), stored.sizeBytes)

  const { sender, clientAddress, clientName, owner } = mail
  const envelope = { sender, clientAddress, clientName }
  const [parsed, authentication] = await Promise.all([
    deps.parser.parse(read(), owner),
    tenants.length === 0 ? undefined : deps.authenticator.authenticate(read, envelope, owner),
  ])
  for (const [i, tenantId] of tenants.entries()) {
    const copy = copies[i] as (typeof copies)[0]
    const mailboxIds = mail.mailboxes.flatMap((target) => (target.tenantId === tenantId ? target.mailboxId : []))
    const digest = digestOf(sender, mailboxIds, stored.sha256)
    const content = { ...copy, ...stored, parsed, authentication: authentication as Authentication }
    const taken = await writeDown(deps, tenantId, mailboxIds, digest, content)
    deps.onReceived(taken ? 'message' : 'duplicate')
    if (taken) deps.onEvents()
  }
  if (mail.reports.length === 0) return
  const returned = readReturnedMail(parsed)
  for (const [i, report] of mail.reports.entries()) {
    const copy = copies[tenants.length + i] as (typeof copies)[0]
    deps.onReceived(await applyReturned(deps, mail, report, copy, returned))
  }
}

interface Content {
  id: Uuid
  key: ObjectKey
  sizeBytes: number
  parsed: ParsedMessage
  authentication: Authentication
}

/** False when the same mail was taken before. */
async function writeDown(
  deps: ReceiveDeps,
  tenantId: Uuid,
  mailboxIds: Uuid[],
  digest: Buffer,
  { id, key, sizeBytes, parsed, authentication }: Content,
): Promise<boolean> {
  const attachments = parsed.attachments.map((attachment) => ({ ...attachment, id: newId() }))
  const keys = attachments.map((attachment) => attachmentKey(tenantId, attachment.id))
  await removeLater(deps.database, keys, UNCLAIMED_MS)
  for (const [i, { content }] of attachments.entries())
    await deps.store.put(keys[i] as ObjectKey, content, content.length)
  const folder = folderFor(authentication)
  return deps.database.transaction(async (tx) => {
    if (!(await reserveReceipt(tx, tenantId, digest, id))) return false
    await keepObjects(tx, [key, ...keys])
    await insertReceived(tx, {
      ...parsed,
      tenantId,
      id,
      objectKey: key,
      sizeBytes,
      entries: mailboxIds.map((mailboxId) => ({ mailboxId, folder })),
      authentication,
      attachments: attachments.map(({ content: _content, ...attachment }) => attachment),
    })
    return true
  })
}

/** DECISIONS "Mail": the same bytes from the same envelope. The order of recipients makes no difference. */
function digestOf(sender: string, mailboxIds: readonly Uuid[], sha256: string): Buffer {
  return createHash('sha256')
    .update([sender, ...mailboxIds.toSorted(), sha256].join('\0'))
    .digest()
}

/** Asks for it when its turn to be read has come: a store ends connections on which nobody reads for long. */
async function* readObject(store: ObjectStore, key: ObjectKey, range?: ByteRange): AsyncGenerator<Uint8Array> {
  const bytes = await store.get(key, range)
  if (!bytes) throw new Error('an object that was stored is not in the store')
  yield* bytes
}
