// The MIME message as it lies in the store: built once, and the same bytes ever after.
import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { attachmentKey } from '../../attachments/attachment-key.ts'
import { type ByteRange, type ObjectKey, type ObjectStore, objectKey } from '../../lib/object-store.ts'
import { buildMime, isSmtpUtf8, writeMime } from '../../mail/build/build-mime.ts'
import { type DkimSigner, dkimSignature } from '../../mail/build/dkim-signature.ts'
import type { OutgoingMessage } from '../../mail/build/layout.ts'
import { UnbuildableMessage } from '../../mail/mail-address.ts'
import type { StoredBytes } from '../../mail/smtp/smtp-session.ts'
import type { LoadedMessage } from '../../messages/load-messages.ts'

/** Far more than a signature takes whose list of fields is ours. */
const MOST_SIGNATURE_BYTES = 4_096

export interface StoredMime {
  objectKey: ObjectKey
  sizeBytes: number
  /** The whole of it, or how to read it where it may be large. */
  bytes: Uint8Array | StoredBytes
  /** The value of its DKIM-Signature field in one line; null when it has none. */
  dkimSignature: string | null
  /** True when a header holds an address that only a relay with SMTPUTF8 may be given (RFC 6531 §3.2). */
  smtpUtf8: boolean
}

/**
 * Whatever was stored first, or else what is built and signed now. `again`: an earlier attempt may have stored it
 * without getting as far as to record it.
 * @throws UnbuildableMessage, StoreUnavailable, or what `signer` throws
 */
export async function storeMime(
  store: ObjectStore,
  message: LoadedMessage,
  signer: () => DkimSigner | undefined,
  again: boolean,
): Promise<StoredMime> {
  const outgoing: OutgoingMessage = {
    ...message,
    messageId: message.messageIdHeader,
    date: new Date(message.createdAt),
  }
  const key = objectKey('messages', message.tenantId, message.id)
  const smtpUtf8 = isSmtpUtf8(outgoing)
  const stored = message.isStored || again ? await store.head(key) : undefined
  if (stored) {
    const begin = await mustGet(store, key, { start: 0, end: Math.min(stored.sizeBytes, MOST_SIGNATURE_BYTES) - 1 })
    return fromStore(store, key, stored.sizeBytes, await buffer(begin), smtpUtf8)
  }
  if (message.attachments.length === 0) {
    const built = await buildMime(outgoing)
    const bytes = await signed(built.bytes, signer())
    await store.put(key, bytes, bytes.length)
    return { objectKey: key, sizeBytes: bytes.length, bytes, dkimSignature: signatureIn(bytes), smtpUtf8 }
  }
  // Written twice, to the same bytes: once for the signature that stands in front of them.
  const write = () => writeMime(outgoing, ({ id }) => mustGet(store, attachmentKey(message.tenantId, id)))
  const dkim = signer()
  const field = dkim && (await dkimSignature(write(), dkim))
  const { sizeBytes } = await store.put(key, field ? inFront(field, write()) : write())
  return fromStore(store, key, sizeBytes, field ?? Buffer.alloc(0), smtpUtf8)
}

async function signed(bytes: Buffer, signer: DkimSigner | undefined): Promise<Buffer> {
  return signer ? Buffer.concat([await dkimSignature([bytes], signer), bytes]) : bytes
}

async function* inFront(field: Buffer, message: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  yield field
  yield* message
}

function fromStore(
  store: ObjectStore,
  key: ObjectKey,
  sizeBytes: number,
  begin: Buffer,
  smtpUtf8: boolean,
): StoredMime {
  const bytes = { sizeBytes, open: () => mustGet(store, key) }
  return { objectKey: key, sizeBytes, bytes, dkimSignature: signatureIn(begin), smtpUtf8 }
}

/** The field stands first where there is one; the lines that continue it begin with white space (RFC 5322 2.2.3). */
function signatureIn(begin: Buffer): string | null {
  const text = begin.toString('latin1', 0, MOST_SIGNATURE_BYTES)
  const folded = /^DKIM-Signature: (.*(?:\r\n[ \t].*)*)\r\n/.exec(text)?.[1]
  return folded?.replace(/\r\n/g, '') ?? null
}

async function mustGet(store: ObjectStore, key: ObjectKey, range?: ByteRange): Promise<Readable> {
  const bytes = await store.get(key, range)
  if (!bytes) throw new UnbuildableMessage('its bytes are no longer in the object store')
  return bytes
}
