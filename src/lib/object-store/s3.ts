// Objects in a bucket of Amazon S3 or of a server that speaks its protocol. Durable when the store says so. Beyond what
// every store offers: signed URLs, with which clients move bytes without this process.
import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import {
  CopyObjectCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
} from '@aws-sdk/client-s3'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'
import {
  asObjectKey,
  LIST_PAGE,
  type ObjectKey,
  type ObjectStore,
  readObjectKey,
  SizeMismatch,
  StoreUnavailable,
} from '../object-store.ts'
import { impatient } from './impatient.ts'
import {
  httpStatusOf,
  io,
  isAbsent,
  makeBucket,
  makeS3Client,
  putWithinMs,
  SILENCE_TIMEOUT_MS,
  spool,
  unavailable,
  unlessAbsent,
} from './s3-client.ts'
import type { S3Location } from './s3-location.ts'

export interface S3Store extends ObjectStore {
  /** A URL to which exactly such bytes may be put until then, and less than a second longer. `sha256` in hex. */
  signPut(key: ObjectKey, announced: Announced, until: Date): Promise<{ url: string; headers: Record<string, string> }>
  /** A URL that gives the object under that name and type until then, and less than a second longer. */
  signGet(key: ObjectKey, shown: { disposition: string; mediaType: string }, until: Date): Promise<string>
  /** What the store knows of an object; sha256 in hex where it has one. @throws StoreUnavailable */
  describe(key: ObjectKey): Promise<Described | undefined>
  /** Copies an object as long as it is still the one with this etag; false when it is not. @throws StoreUnavailable */
  copy(from: ObjectKey, etag: string, to: ObjectKey): Promise<boolean>
}

export interface Announced {
  mediaType: string
  sizeBytes: number
  sha256: string
}

export interface Described {
  sizeBytes: number
  mediaType: string
  sha256: string | undefined
  etag: string
}

/**
 * Makes the bucket if it is missing. Credentials, and a region that the location does not name, come from the usual AWS
 * variables. @throws StoreUnavailable
 */
export async function openS3Store(location: S3Location): Promise<S3Store> {
  const client = await makeS3Client(location)
  const Bucket = location.bucket
  const at = (key: ObjectKey) => ({ Bucket, Key: `${location.prefix}${readObjectKey(key)}` })

  async function put(key: ObjectKey, body: Uint8Array | Readable, sizeBytes: number): Promise<void> {
    const command = new PutObjectCommand({ ...at(key), Body: body, ContentLength: sizeBytes })
    await io(() => client.send(command, { requestTimeout: putWithinMs(sizeBytes) }))
  }

  async function describe(key: ObjectKey): Promise<Described | undefined> {
    const found = await unlessAbsent(() => client.send(new HeadObjectCommand({ ...at(key), ChecksumMode: 'ENABLED' })))
    if (!found) return undefined
    const { ChecksumSHA256: digest } = found
    return {
      sizeBytes: found.ContentLength ?? 0,
      mediaType: found.ContentType ?? '',
      sha256: digest === undefined ? undefined : Buffer.from(digest, 'base64').toString('hex'),
      etag: found.ETag ?? '',
    }
  }

  await makeBucket(client, Bucket)

  return {
    async put(key, source, sizeBytes) {
      if (source instanceof Uint8Array) {
        checkSize(source.length, sizeBytes)
        await put(key, source, source.length)
        return { sizeBytes: source.length, sha256: createHash('sha256').update(source).digest('hex') }
      }
      // The store wants the length first, and nothing may be seen of a source that fails in the middle.
      await using spooled = await spool(source)
      checkSize(spooled.sizeBytes, sizeBytes)
      await put(key, spooled.read(), spooled.sizeBytes)
      return { sizeBytes: spooled.sizeBytes, sha256: spooled.sha256 }
    },
    async get(key, range) {
      const Range = range && `bytes=${range.start}-${range.end}`
      const found = await unlessAbsent(() =>
        client.send(new GetObjectCommand({ ...at(key), ...(Range ? { Range } : {}) })),
      )
      return (
        found &&
        impatient(
          found.Body as Readable,
          SILENCE_TIMEOUT_MS,
          () => new StoreUnavailable('The object store fell silent.'),
        )
      )
    },
    async head(key) {
      const found = await describe(key)
      return found && { sizeBytes: found.sizeBytes }
    },
    async delete(key) {
      await unlessAbsent(() => client.send(new DeleteObjectCommand(at(key))))
    },
    async *list(MaxKeys = LIST_PAGE) {
      let ContinuationToken: string | undefined
      do {
        const from = ContinuationToken === undefined ? {} : { ContinuationToken }
        const command = new ListObjectsV2Command({ Bucket, Prefix: location.prefix, MaxKeys, ...from })
        const page = await io(() => client.send(command))
        yield (page.Contents ?? []).flatMap(({ Key = '' }) => asObjectKey(Key.slice(location.prefix.length)) ?? [])
        ContinuationToken = page.IsTruncated ? page.NextContinuationToken : undefined
      } while (ContinuationToken !== undefined)
    },
    async check() {
      await io(() => client.send(new HeadBucketCommand({ Bucket })))
    },
    describe,
    async signPut(key, { mediaType, sizeBytes, sha256 }, until) {
      const digest = Buffer.from(sha256, 'hex').toString('base64')
      const command = new PutObjectCommand({
        ...at(key),
        ContentType: mediaType,
        ContentLength: sizeBytes,
        ChecksumSHA256: digest,
      })
      const url = await getSignedUrl(client, command, {
        ...signedUntil(until),
        unhoistableHeaders: new Set(['x-amz-checksum-sha256']),
        signableHeaders: new Set(['host', 'content-type', 'content-length', 'x-amz-checksum-sha256']),
      })
      return { url, headers: { 'content-type': mediaType, 'x-amz-checksum-sha256': digest } }
    },
    signGet(key, { disposition, mediaType }, until) {
      const shown = { ResponseContentDisposition: disposition, ResponseContentType: mediaType }
      return getSignedUrl(client, new GetObjectCommand({ ...at(key), ...shown }), signedUntil(until))
    },
    async copy(from, etag, to) {
      const source = `${Bucket}/${encodeURI(`${location.prefix}${from}`)}`
      try {
        await client.send(new CopyObjectCommand({ ...at(to), CopySource: source, CopySourceIfMatch: etag }))
        return true
      } catch (error) {
        if (httpStatusOf(error) === 412 || isAbsent(error)) return false
        throw unavailable(error)
      }
    },
  }
}

/** A signature knows whole seconds: it begins with the one that is running and ends with the one in which `until` lies. */
function signedUntil(until: Date): { signingDate: Date; expiresIn: number } {
  const now = Math.floor(Date.now() / 1000)
  const end = Math.floor(until.getTime() / 1000) + 1
  return { signingDate: new Date(now * 1000), expiresIn: Math.max(1, end - now) }
}

function checkSize(came: number, announced: number | undefined): void {
  if (announced !== undefined && came !== announced) {
    throw new SizeMismatch(`${came} bytes came where ${announced} were announced.`)
  }
}
