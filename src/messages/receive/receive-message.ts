// Takes one mail that the listener has let in: stores its bytes, reads it, and writes it down for every tenant it is
// for, or applies it when it is a report. When it resolves everything is durable. Knows nothing of SMTP.
import { createHash } from 'node:crypto'
import { attachmentKey } from '../../attachments/attachment-key.ts'
import { keepObjects, removeLater } from '../../lib/object-removals.ts'
import { type ByteRange, type ObjectKey, type ObjectStore, objectKey } from '../../lib/object-store.ts'
import { newId, type Uuid } from '../../lib/uuid.ts'
import type { MailAuthenticator } from '../../mail/authenticate/authenticate.ts'
import { type Authentication, folderFor } from '../../mail/authenticate/authentication.ts'
import type { MailParser } from '../../mail/parse/mail-parser.ts'
import type { ParsedMessage } from '../../mail/parse/parsed-message.ts'
import { readReturnedMail } from '../../mail/reports/returned-mail.ts'
import { insertReceived } from '../insert-received.ts'
import { applyReturned, type ReturnedDeps } from './apply-returned.ts'
import type { MailboxTarget } from './find-mailbox.ts'
import { reserveReceipt } from './receipts.ts'
import { checkRoom, StorageFull } from './tenant-room.ts'

export interface ReceiveDeps extends ReturnedDeps {
  parser: MailParser
  authenticator: MailAuthenticator
  /** Called with everything that came: `message`, `duplicate`, or what kind of mail came back to a return path. */
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

/** @throws StoreUnavailable, StorageFull, whatever the source throws, or the database's error: nothing was taken then */
export async function receiveMessage(
  deps: ReceiveDeps,
  mail: InboundMail,
  source: AsyncIterable<Uint8Array>,
): Promise<void> {
  const tenants = [...new Set(mail.mailboxes.map((target) => target.tenantId))]
  // A report belongs to nobody: its bytes stay only while it is read.
  const owners = tenants.length > 0 ? tenants : mail.reports.slice(0, 1).map((report) => report.tenantId)
  const copies = owners.map((tenantId) => {
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
  /** What nothing needs any more. */
  const left: ObjectKey[] = tenants.length === 0 ? [first.key] : []
  let isFull = false
  for (const [i, tenantId] of tenants.entries()) {
    const copy = copies[i] as (typeof copies)[0]
    const mailboxIds = mail.mailboxes.flatMap((target) => (target.tenantId === tenantId ? target.mailboxId : []))
    const digest = digestOf(sender, mailboxIds, stored.sha256)
    const content = { ...copy, ...stored, parsed, authentication: authentication as Authentication }
    const outcome = await writeDown(deps, tenantId, mailboxIds, digest, content)
    if (outcome === 'full') isFull = true
    else deps.onReceived(outcome)
    if (outcome !== 'message') left.push(copy.key)
  }
  if (!isFull && mail.reports.length > 0) {
    const returned = readReturnedMail(parsed)
    const keep = once(() => storeExcerpt(deps, mail.reports[0]?.tenantId as Uuid, read(EXCERPT_BYTES)))
    for (const report of mail.reports) deps.onReceived(await applyReturned(deps, mail, report, keep, returned))
  }
  await removeLater(deps.database, left, 0)
  if (isFull) throw new StorageFull('a tenant has no room for a mail')
}

/** What is kept of mail in which no report could be read: enough for somebody to see what it is. */
const EXCERPT_BYTES = 65_536

async function storeExcerpt(
  { database, store }: ReceiveDeps,
  tenantId: Uuid,
  excerpt: AsyncIterable<Uint8Array>,
): Promise<ObjectKey> {
  const key = objectKey('messages', tenantId, newId())
  await removeLater(database, [key], UNCLAIMED_MS)
  await store.put(key, excerpt)
  return key
}

/** Does it when it is asked for first, and gives the same to all. */
function once<T>(work: () => Promise<T>): () => Promise<T> {
  let done: Promise<T> | undefined
  return () => {
    done ??= work()
    return done
  }
}

interface Content {
  id: Uuid
  key: ObjectKey
  sizeBytes: number
  parsed: ParsedMessage
  authentication: Authentication
}

/** `duplicate`: the same mail was taken before. `full`: the tenant has no room for it. */
async function writeDown(
  deps: ReceiveDeps,
  tenantId: Uuid,
  mailboxIds: Uuid[],
  digest: Buffer,
  { id, key, sizeBytes, parsed, authentication }: Content,
): Promise<'message' | 'duplicate' | 'full'> {
  const attachments = parsed.attachments.map((attachment) => ({ ...attachment, id: newId() }))
  const keys = attachments.map((attachment) => attachmentKey(tenantId, attachment.id))
  await removeLater(deps.database, keys, UNCLAIMED_MS)
  for (const [i, { content }] of attachments.entries())
    await deps.store.put(keys[i] as ObjectKey, content, content.length)
  const folder = folderFor(authentication)
  const written = deps.database.transaction(async (tx) => {
    if (!(await reserveReceipt(tx, tenantId, digest, id))) return 'duplicate'
    await keepObjects(tx, [key, ...keys])
    await insertReceived(tx, {
      ...parsed,
      tenantId,
      id,
      sizeBytes,
      entries: mailboxIds.map((mailboxId) => ({ mailboxId, folder })),
      authentication,
      attachments: attachments.map(({ content: _content, ...attachment }) => attachment),
    })
    await checkRoom(tx, tenantId)
    return 'message'
  })
  const outcome = await written.catch((error) => {
    if (error instanceof StorageFull) return 'full' as const
    throw error
  })
  if (outcome !== 'message') await removeLater(deps.database, keys, 0)
  return outcome
}

/** The order of recipients makes no difference. specification.md#same-mail-again */
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
