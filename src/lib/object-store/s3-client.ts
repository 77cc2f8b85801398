// The connection to a server that speaks the protocol of S3, and what its failures mean. Knows nothing of what is kept there.
import { createHash, randomUUID } from 'node:crypto'
import { open, rm } from 'node:fs/promises'
import { Agent as HttpAgent } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CreateBucketCommand, HeadBucketCommand, S3Client } from '@aws-sdk/client-s3'
import { type ObjectSource, StoreUnavailable } from '../object-store.ts'
import type { S3Location } from './s3-location.ts'

const CONNECT_TIMEOUT_MS = 3_000
/** Until the store begins to answer, or goes on with what it has begun; then another connection is tried, once. */
export const SILENCE_TIMEOUT_MS = 10_000
const MOST_ATTEMPTS = 2
/** The slowest link on which an object still gets to the store. */
const LEAST_BYTES_PER_MS = 256
const SILENT = { trace() {}, debug() {}, info() {}, warn() {}, error() {} }

/** Credentials, and a region that the location does not name, come from the usual AWS variables. */
export async function makeS3Client(location: S3Location): Promise<S3Client> {
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
  return client
}

/** How long a put of so many bytes may take. */
export function putWithinMs(sizeBytes: number): number {
  return SILENCE_TIMEOUT_MS + sizeBytes / LEAST_BYTES_PER_MS
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

/** Makes the bucket if it is missing. @throws StoreUnavailable */
export async function makeBucket(client: S3Client, Bucket: string): Promise<void> {
  if (await unlessAbsent(() => client.send(new HeadBucketCommand({ Bucket })))) return
  try {
    await client.send(new CreateBucketCommand({ Bucket }))
  } catch (error) {
    // Another process was faster.
    if (!/BucketAlready/.test((error as Error).name)) throw unavailable(error)
  }
}

/** Writes a source to a file that has no name, so that it goes with the process however that ends. */
export async function spool(source: Exclude<ObjectSource, Uint8Array>) {
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

/** `what` is what the server is to us. @throws StoreUnavailable for whatever the server or the way to it fails with */
export async function io<T>(work: () => Promise<T>, what?: string): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw unavailable(error, what)
  }
}

/** As `io`; undefined when what was asked for is not there. */
export async function unlessAbsent<T>(work: () => Promise<T>, what?: string): Promise<T | undefined> {
  try {
    return await work()
  } catch (error) {
    if (isAbsent(error)) return undefined
    throw unavailable(error, what)
  }
}

export function isAbsent(error: unknown): boolean {
  return httpStatusOf(error) === 404
}

export function httpStatusOf(error: unknown): number | undefined {
  return (error as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode
}

export function unavailable(error: unknown, what = 'the object store'): Error {
  if (error instanceof RangeError) return error
  const { name, message } = error as Error
  return new StoreUnavailable(`${what}: ${name} ${message}`.trim(), { cause: error })
}
