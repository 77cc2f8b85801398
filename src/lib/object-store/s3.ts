// Objects in a bucket of Amazon S3 or of a server that speaks its protocol. Durable when the store says so. Beyond what
// every store offers: signed URLs, with which clients move bytes without this process.
import { createHash, randomUUID } from 'node:crypto'
import { open, rm } from 'node:fs/promises'
import { Agent as HttpAgent } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import {
  CopyObjectCommand,
  CreateBucketCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'
import {
  asObjectKey,
  LIST_PAGE,
  type ObjectKey,
  type ObjectSource,
  type ObjectStore,
  readObjectKey,
  SizeMismatch,
  StoreUnavailable,
} from '../object-store.ts'
import { impatient } from './impatient.ts'
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

const CONNECT_TIMEOUT_MS = 3_000
/** Until the store begins to answer, or goes on with what it has begun; then another connection is tried, once. */
const SILENCE_TIMEOUT_MS = 10_000
const MOST_ATTEMPTS = 2
/** The slowest link on which an object still gets to the store. */
const LEAST_BYTES_PER_MS = 256
const SILENT = { trace() {}, debug() {}, info() {}, warn() {}, error() {} }

/**
 * Makes the bucket if it is missing. Credentials, and a region that the location does not name, come from the usual AWS
 * variables. @throws StoreUnavailable
 */
export async function openS3Store(location: S3Location): Promise<S3Store> {
  // As many connections as there are callers, whose number is bounded where they come in. With fewer, clients who do
  // not read on what they asked for would keep all others from the store.
  const agents = { httpAgent: new HttpAgent({ keepAlive: true }), httpsAgent: new HttpsAgent({ keepAlive: true }) }
  const client = new S3Client({
    region: location.region ?? (await usualRegion()),
    ...(location.endpoint === undefined ? {} : { endpoint: location.endpoint }),
    forcePathStyle: location.pathStyle,
    // Servers other than Amazon's know no trailing checksums; ours are of the bytes themselves.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    // Its warnings would go to the console. What fails is thrown.
    logger: SILENT,
    requestHandler: {
      connectionTimeout: CONNECT_TIMEOUT_MS,
      requestTimeout: SILENCE_TIMEOUT_MS,
      throwOnRequestTimeout: true,
      ...agents,
    },
    maxAttempts: MOST_ATTEMPTS,
  })
  client.middlewareStack.add(
    (next) => async (request) => {
      try {
        return await next(request)
      } catch (error) {
        // When one connection has fallen silent the idle ones have too, most likely: the next attempt opens its own.
        if ((error as Error).name === 'TimeoutError') for (const agent of Object.values(agents)) closeIdle(agent)
        throw error
      }
    },
    { step: 'deserialize' },
  )
  const Bucket = location.bucket
  const at = (key: ObjectKey) => ({ Bucket, Key: `${location.prefix}${readObjectKey(key)}` })

  async function put(key: ObjectKey, body: Uint8Array | Readable, sizeBytes: number): Promise<void> {
    const requestTimeout = SILENCE_TIMEOUT_MS + sizeBytes / LEAST_BYTES_PER_MS
    const command = new PutObjectCommand({ ...at(key), Body: body, ContentLength: sizeBytes })
    await io(() => client.send(command, { requestTimeout }))
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
        if (statusOf(error) === 412 || isAbsent(error)) return false
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

function closeIdle({ freeSockets }: HttpAgent): void {
  for (const socket of Object.values(freeSockets).flat()) socket?.destroy()
}

/** Of the AWS variables and files; where they say nothing, what servers other than Amazon's go by. */
async function usualRegion(): Promise<string> {
  const client = new S3Client({ logger: SILENT })
  try {
    return await client.config.region()
  } catch {
    return 'us-east-1'
  } finally {
    client.destroy()
  }
}

async function makeBucket(client: S3Client, Bucket: string): Promise<void> {
  if (await unlessAbsent(() => client.send(new HeadBucketCommand({ Bucket })))) return
  try {
    await client.send(new CreateBucketCommand({ Bucket }))
  } catch (error) {
    // Another process was faster.
    if (!/BucketAlready/.test((error as Error).name)) throw unavailable(error)
  }
}

/** Writes a source to a file that has no name, so that it goes with the process however that ends. */
async function spool(source: Exclude<ObjectSource, Uint8Array>) {
  const path = join(tmpdir(), `mdk-${randomUUID()}`)
  const file = await io(() => open(path, 'wx+', 0o600))
  const hash = createHash('sha256')
  let sizeBytes = 0
  try {
    await io(() => rm(path))
    for await (const chunk of source) {
      hash.update(chunk)
      sizeBytes += chunk.length
      await io(() => file.writeFile(chunk))
    }
  } catch (error) {
    await file.close()
    throw error
  }
  return {
    sizeBytes,
    sha256: hash.digest('hex'),
    read: () => file.createReadStream({ start: 0, autoClose: false }),
    [Symbol.asyncDispose]: () => file.close(),
  }
}

function checkSize(came: number, announced: number | undefined): void {
  if (announced !== undefined && came !== announced) {
    throw new SizeMismatch(`${came} bytes came where ${announced} were announced.`)
  }
}

async function io<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw unavailable(error)
  }
}

async function unlessAbsent<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work()
  } catch (error) {
    if (isAbsent(error)) return undefined
    throw unavailable(error)
  }
}

function isAbsent(error: unknown): boolean {
  return statusOf(error) === 404
}

function statusOf(error: unknown): number | undefined {
  return (error as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode
}

function unavailable(error: unknown): Error {
  if (error instanceof RangeError) return error
  const { name, message } = error as Error
  return new StoreUnavailable(`the object store: ${name} ${message}`.trim(), { cause: error })
}
