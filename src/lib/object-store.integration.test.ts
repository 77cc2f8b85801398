// What every object store must do, asked of each of them: of local files and of a real S3-compatible server.
import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { after, describe, test } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { skipWithout } from '../../scripts/install-test-packages.ts'
import { startS3 } from '../../test/support/s3.ts'
import { startTcpProxy } from '../../test/support/tcp-proxy.ts'
import { temporaryFolder } from '../../test/support/temporary-folder.ts'
import { openFileStore } from './object-store/file.ts'
import { openS3Store } from './object-store/s3.ts'
import { readS3Location } from './object-store/s3-location.ts'
import {
  type ByteRange,
  type ObjectKey,
  type ObjectStore,
  objectKey,
  readObjectKey,
  SizeMismatch,
  StoreUnavailable,
} from './object-store.ts'
import { newId } from './uuid.ts'

interface Candidate {
  store: ObjectStore
  /** The same objects as another process sees them. */
  openAgain(): Promise<ObjectStore>
  /** Takes away what the store stands on. Last of all. */
  takeAway(): Promise<void>
}

const MIB = 1024 * 1024
const newKey = () => objectKey('messages', newId(), newId())

describe('local files', async () => {
  await conformance(await openCandidateOfFiles())
})

const skip = skipWithout('swift', 'swift-proxy', 'swift-account', 'swift-container', 'swift-object')
describe('an S3-compatible server', { skip }, async () => {
  if (!skip) await conformance(await openCandidateOfS3())
})

async function conformance({ store, openAgain, takeAway }: Candidate): Promise<void> {
  test('an object is read back as it was put, from a buffer and from a stream', async () => {
    const bytes = randomBytes(300_000)
    const expected = { sizeBytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') }
    for (const source of [bytes, Readable.from(slices(bytes, 7_777)), slicesInTime(bytes, 100_000)]) {
      for (const announced of [bytes.length, undefined]) {
        const key = newKey()
        // A stream is read once.
        const given = announced === undefined && !(source instanceof Uint8Array) ? Readable.from([bytes]) : source
        assert.deepEqual(await store.put(key, given, announced), expected)
        assert.deepEqual(await store.head(key), { sizeBytes: bytes.length })
        assert.deepEqual(await read(store, key), bytes)
      }
    }
  })

  test('every object is listed once, page by page', async () => {
    const keys = Array.from({ length: 25 }, newKey)
    await Promise.all(keys.map((key) => store.put(key, Buffer.from('x'))))
    const listed: ObjectKey[] = []
    for await (const page of store.list(10)) {
      assert(page.length <= 10)
      listed.push(...page)
    }
    assert.equal(new Set(listed).size, listed.length)
    const absent = keys.filter((key) => !listed.includes(key))
    assert.deepEqual(absent, [])
  })

  test('an empty object is an object', async () => {
    for (const source of [Buffer.alloc(0), Readable.from([])]) {
      const key = newKey()
      assert.equal((await store.put(key, source)).sizeBytes, 0)
      assert.deepEqual(await store.head(key), { sizeBytes: 0 })
      assert.deepEqual(await read(store, key), Buffer.alloc(0))
    }
  })

  test('a range is inclusive at both ends', async () => {
    const key = newKey()
    const bytes = randomBytes(200_000)
    await store.put(key, bytes)
    for (const [start, end] of [
      [0, 0],
      [5, 9],
      [65_535, 131_072],
      [199_999, 199_999],
      [0, 199_999],
    ] as const) {
      assert.deepEqual(await read(store, key, { start, end }), bytes.subarray(start, end + 1))
    }
  })

  test('what is absent is said to be absent, and deleting it is fine', async () => {
    const key = newKey()
    assert.equal(await store.get(key), undefined)
    assert.equal(await store.get(key, { start: 0, end: 0 }), undefined)
    assert.equal(await store.head(key), undefined)
    await store.delete(key)
    await store.put(key, Buffer.from('x'))
    await store.delete(key)
    assert.equal(await store.get(key), undefined)
    assert.equal(await store.head(key), undefined)
    await store.delete(key)
  })

  test('putting again replaces the whole object', async () => {
    const key = newKey()
    await store.put(key, Buffer.from('the first and longer one'))
    await store.put(key, Buffer.from('the second'))
    assert.equal((await read(store, key)).toString(), 'the second')
  })

  test('a source that breaks off, or comes to another size than announced, leaves what was there', async () => {
    async function* breakingOff() {
      yield randomBytes(100_000)
      throw new Error('the client went away')
    }
    for (const before of [undefined, Buffer.from('whole')]) {
      const key = newKey()
      if (before) await store.put(key, before)
      await assert.rejects(store.put(key, breakingOff()), /the client went away/)
      await assert.rejects(store.put(key, breakingOff(), 200_000), /the client went away/)
      for (const announced of [4, 6]) {
        await assert.rejects(store.put(key, Buffer.from('five!'), announced), SizeMismatch)
        await assert.rejects(store.put(key, Readable.from([Buffer.from('five!')]), announced), SizeMismatch)
      }
      assert.deepEqual(before ? await read(store, key) : await store.get(key), before)
    }
  })

  test('of many puts under one key at once one is there, whole', async () => {
    const key = newKey()
    const versions = Array.from({ length: 12 }, (_, i) => Buffer.alloc(100_000 + i, i))
    const puts = versions.map((version, i) => store.put(key, i % 2 ? version : Readable.from(slices(version, 9_999))))
    // Readers meanwhile see nothing or one of them whole, never a mixture.
    const readings = Array.from({ length: 12 }, () => store.get(key).then((stream) => stream && buffer(stream)))
    for (const seen of await Promise.all(readings)) assert(!seen || versions.some((version) => version.equals(seen)))
    await Promise.all(puts)
    const last = await read(store, key)
    assert(versions.some((version) => version.equals(last)))
    assert.deepEqual(await store.head(key), { sizeBytes: last.length })
  })

  test('a reader has the object that it began with, whatever becomes of the key', async () => {
    const key = newKey()
    const bytes = randomBytes(MIB)
    await store.put(key, bytes)
    const stream = await store.get(key)
    assert(stream)
    await store.delete(key)
    assert.deepEqual(await buffer(stream), bytes)
  })

  test('many puts at once under many keys all arrive', async () => {
    const keys = Array.from({ length: 40 }, newKey)
    await Promise.all(keys.map((key) => store.put(key, Buffer.from(key))))
    for (const key of keys) assert.equal((await read(store, key)).toString(), key)
  })

  test('64 MiB go in and come out without being held in memory', async () => {
    const key = newKey()
    const piece = randomBytes(MIB)
    const watch = watchMemory()
    async function* large() {
      for (let i = 0; i < 64; i++) {
        if (i % 8 === 7) watch.look()
        yield Buffer.from(piece)
      }
    }
    assert.equal((await store.put(key, large(), 64 * MIB)).sizeBytes, 64 * MIB)
    const stream = await store.get(key)
    assert(stream)
    let sizeBytes = 0
    let looked = 0
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      sizeBytes += chunk.length
      if (sizeBytes - looked < 8 * MIB) continue
      looked = sizeBytes
      watch.look()
    }
    assert.equal(sizeBytes, 64 * MIB)
    assert(watch.growth() < 32 * MIB, `${watch.growth()} bytes were held`)
    await store.delete(key)
  })

  test('a reader that goes away in the middle leaves the store at work', async () => {
    const key = newKey()
    await store.put(key, Buffer.alloc(4 * MIB))
    // More than a store has connections or files to lose.
    for (let i = 0; i < 60; i++) {
      const stream = await store.get(key)
      assert(stream)
      for await (const _ of stream) break
    }
    assert.deepEqual(await store.head(key), { sizeBytes: 4 * MIB })
  })

  test('another process sees what was put', async () => {
    const key = newKey()
    await store.put(key, Buffer.from('seen'))
    assert.equal((await read(await openAgain(), key)).toString(), 'seen')
  })

  test('a key that is not made of ids is refused', async () => {
    const id = newId()
    for (const text of [
      '',
      'messages',
      `messages/${id}`,
      `messages/${id}/..`,
      `messages/../${id}`,
      `../${id}/${id}`,
      `/messages/${id}/${id}`,
      `messages/${id}/${id}/${id}`,
      `messages/${id}/${id}\n`,
      `messages/${id}/${id.toUpperCase()}`,
      `messages//${id}/${id}`,
      `messages/${id}/${id}\0`,
      `incoming/${id}`,
    ]) {
      assert.throws(() => readObjectKey(text), RangeError, JSON.stringify(text))
      await assert.rejects(store.put(text as ObjectKey, Buffer.from('x')), RangeError, JSON.stringify(text))
      await assert.rejects(store.get(text as ObjectKey), RangeError, JSON.stringify(text))
      await assert.rejects(store.head(text as ObjectKey), RangeError, JSON.stringify(text))
      await assert.rejects(store.delete(text as ObjectKey), RangeError, JSON.stringify(text))
    }
    assert.throws(() => objectKey('messages', '../../etc', id), RangeError)
    assert.throws(() => objectKey('messages', id, 'passwd'), RangeError)
  })

  test('check accepts a store that can be written to', () => store.check())

  test('a store that is away says so, whatever it is asked', async () => {
    const key = newKey()
    await store.put(key, Buffer.from('x'))
    await takeAway()
    for (const asked of [
      () => store.put(key, Buffer.from('y')),
      () => store.put(newKey(), Readable.from([Buffer.from('y')])),
      () => store.get(key),
      () => store.head(key),
      () => store.delete(key),
      () => store.check(),
      openAgain,
    ]) {
      await assert.rejects(asked, (fault: Error) => {
        assert(fault instanceof StoreUnavailable, `${asked}: ${fault}`)
        assert(fault.cause, 'the log needs the cause')
        return true
      })
    }
  })
}

async function openCandidateOfFiles(): Promise<Candidate> {
  const base = await temporaryFolder('objects-test-')
  after(() => rm(base, { recursive: true, force: true }))
  const folder = join(base, 'objects')
  return {
    store: await openFileStore(folder),
    openAgain: () => openFileStore(folder),
    async takeAway() {
      // As with a file system that is no longer mounted there.
      await rename(folder, join(base, 'elsewhere'))
      await writeFile(folder, '')
    },
  }
}

async function openCandidateOfS3(): Promise<Candidate> {
  const server = await startS3()
  const direct = new URL(readS3Location(server.urlOf('conformance')).endpoint as string)
  const proxy = await startTcpProxy(Number(direct.port))
  const location = { ...readS3Location(server.urlOf('conformance')), endpoint: `http://127.0.0.1:${proxy.port}` }
  return {
    store: await openS3Store(location),
    openAgain: () => openS3Store(location),
    takeAway: () => proxy.stop(),
  }
}

/** How much the memory of buffers that are in use has grown since, at the most that was looked at. */
function watchMemory(): { look(): void; growth(): number } {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const inUse = () => {
    // A collection frees buffers on a thread of its own, and the next one waits until that is done.
    collect()
    collect()
    return process.memoryUsage().arrayBuffers
  }
  const atFirst = inUse()
  let most = atFirst
  return {
    look() {
      most = Math.max(most, inUse())
    },
    growth: () => most - atFirst,
  }
}

function* slices(bytes: Buffer, length: number) {
  for (let start = 0; start < bytes.length; start += length) yield bytes.subarray(start, start + length)
}

async function* slicesInTime(bytes: Buffer, length: number) {
  for (const slice of slices(bytes, length)) yield await Promise.resolve(slice)
}

async function read(store: ObjectStore, key: ObjectKey, range?: ByteRange): Promise<Buffer> {
  const stream = await store.get(key, range)
  assert.ok(stream)
  return buffer(stream)
}
