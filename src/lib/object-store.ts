// What holds the bytes of messages and attachments, as every store must offer it. Knows nothing of mail, of
// folders or of S3.
import type { Readable } from 'node:stream'
import { isUuid, type Uuid } from './uuid.ts'

declare const checked: unique symbol

/** The name of an object: `messages/<uuid>/<uuid>`. Only `objectKey` and `readObjectKey` make one. */
export type ObjectKey = string & { readonly [checked]: true }

export type ObjectSource = Uint8Array | Readable | AsyncIterable<Uint8Array>

/** Octets of an object, both ends inclusive and within it, as HTTP counts them (RFC 9110 §14.1.1). */
export interface ByteRange {
  start: number
  end: number
}

export interface StoredObject {
  sizeBytes: number
  /** Lower-case hex. */
  sha256: string
}

export interface ObjectStore {
  /**
   * Keeps an object under a key, replacing what was there. When it resolves the bytes are durable; until then
   * nobody sees any of them. `sizeBytes`, where the caller knows it, is what the source must come to.
   * @throws StoreUnavailable, SizeMismatch, or whatever the source throws
   */
  put(key: ObjectKey, source: ObjectSource, sizeBytes?: number): Promise<StoredObject>
  /** The object's bytes, or undefined when there is none. The caller reads or destroys the stream. @throws StoreUnavailable */
  get(key: ObjectKey, range?: ByteRange): Promise<Readable | undefined>
  /** @throws StoreUnavailable */
  head(key: ObjectKey): Promise<{ sizeBytes: number } | undefined>
  /** Removes an object; an absent one is fine. @throws StoreUnavailable */
  delete(key: ObjectKey): Promise<void>
  /**
   * Every object, in pages of 1,000 at most unless another size is given; one that comes or goes meanwhile is in them or not.
   * @throws StoreUnavailable
   */
  list(pageSize?: number): AsyncIterable<ObjectKey[]>
  /** Resolves when the store can be written to now. @throws StoreUnavailable */
  check(): Promise<void>
}

/** The store could not do it now and may later: full disk, I/O error, no connection. */
export class StoreUnavailable extends Error {
  override name = 'StoreUnavailable'
}

/** An object that the database names is not in the store: asking again does not help. */
export class ObjectMissing extends Error {
  override name = 'ObjectMissing'

  constructor(key: ObjectKey) {
    super(`the object ${key} is not in the store`)
  }
}

/** The source came to another size than its caller had announced. Nothing was kept. */
export class SizeMismatch extends Error {
  override name = 'SizeMismatch'
}

/** What a page of a list holds, and the most that S3 gives at once. */
export const LIST_PAGE = 1_000

const KEY = /^([a-z]{1,20})\/([^/]+)\/([^/]+)$/

/** The key of something a tenant owns. Made of ids alone, so that no name or path of a user gets into it. */
export function objectKey(kind: 'messages' | 'attachments' | 'uploads', tenantId: Uuid, id: Uuid): ObjectKey {
  return readObjectKey(`${kind}/${tenantId}/${id}`)
}

/** Takes a key that was written down earlier. @throws RangeError when it has not exactly the form of one */
export function readObjectKey(text: string): ObjectKey {
  const key = asObjectKey(text)
  if (key === undefined) throw new RangeError('This is not an object key.')
  return key
}

/** Undefined when it is none: a store may hold what is not ours. */
export function asObjectKey(text: string): ObjectKey | undefined {
  const [, , owner = '', id = ''] = KEY.exec(text) ?? []
  return isUuid(owner) && isUuid(id) && text === text.toLowerCase() ? (text as ObjectKey) : undefined
}
