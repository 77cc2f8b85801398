import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { access, mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { after, before, describe, test } from 'node:test'
import { type ObjectStore, objectKey, readObjectKey, SizeMismatch, StoreUnavailable } from '../object-store.ts'
import { newId } from '../uuid.ts'
import { openFileStore } from './file.ts'

const newKey = () => objectKey('messages', newId(), newId())

describe('a store of local files', () => {
  let folder: string
  let store: ObjectStore

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'mdk-objects-'))
    store = await openFileStore(folder)
  })
  after(() => rm(folder, { recursive: true }))

  const incoming = () => readdir(join(folder, 'incoming'))

  test('an object is read back as it was put, from a buffer and from a stream', async () => {
    const bytes = randomBytes(300_000)
    const expected = { sizeBytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') }
    for (const source of [bytes, Readable.from(slices(bytes, 7_777))]) {
      const key = newKey()
      assert.deepEqual(await store.put(key, source), expected)
      assert.deepEqual(await store.head(key), { sizeBytes: bytes.length })
      assert.deepEqual(await read(store, key), bytes)
    }
    assert.deepEqual(await incoming(), [])
  })

  test('an empty object is an object', async () => {
    const key = newKey()
    assert.equal((await store.put(key, Buffer.alloc(0))).sizeBytes, 0)
    assert.deepEqual(await read(store, key), Buffer.alloc(0))
  })

  test('a range is inclusive at both ends', async () => {
    const key = newKey()
    const bytes = randomBytes(200_000)
    await store.put(key, bytes)
    assert.deepEqual(await read(store, key, { start: 0, end: 0 }), bytes.subarray(0, 1))
    assert.deepEqual(await read(store, key, { start: 65_535, end: 131_072 }), bytes.subarray(65_535, 131_073))
    assert.deepEqual(await read(store, key, { start: 199_999, end: 199_999 }), bytes.subarray(199_999))
  })

  test('what is absent is said to be absent, and deleting it is fine', async () => {
    const key = newKey()
    assert.equal(await store.get(key), undefined)
    assert.equal(await store.head(key), undefined)
    await store.delete(key)
    await store.put(key, Buffer.from('x'))
    await store.delete(key)
    assert.equal(await store.get(key), undefined)
  })

  test('putting again replaces the whole object', async () => {
    const key = newKey()
    await store.put(key, Buffer.from('the first and longer one'))
    await store.put(key, Buffer.from('the second'))
    assert.equal((await read(store, key)).toString(), 'the second')
  })

  test('a source that breaks off leaves the earlier object and nothing else', async () => {
    const key = newKey()
    await store.put(key, Buffer.from('whole'))
    async function* breakingOff() {
      yield Buffer.from('half of')
      throw new Error('the client went away')
    }
    await assert.rejects(store.put(key, breakingOff()), /the client went away/)
    assert.equal((await read(store, key)).toString(), 'whole')
    assert.deepEqual(await incoming(), [])
  })

  test('a source of another size than announced is refused', async () => {
    const key = newKey()
    for (const announced of [4, 6]) {
      await assert.rejects(store.put(key, Readable.from([Buffer.from('five!')]), announced), SizeMismatch)
    }
    assert.equal(await store.head(key), undefined)
    assert.deepEqual(await incoming(), [])
  })

  test('many puts at once, also into folders that are not there yet, all arrive', async () => {
    const keys = Array.from({ length: 400 }, (_, i) =>
      objectKey('attachments', newId(), i % 2 ? newId() : randomUUID()),
    )
    await Promise.all(keys.map((key) => store.put(key, Buffer.from(key))))
    for (const key of keys) assert.equal((await read(store, key)).toString(), key)
  })

  test('another process on the same folder sees what was put', async () => {
    const key = newKey()
    await store.put(key, Buffer.from('seen'))
    assert.equal((await read(await openFileStore(folder), key)).toString(), 'seen')
  })

  test('files and folders are for their owner only', async () => {
    const key = newKey()
    await store.put(key, Buffer.from('private'))
    const id = key.slice(-36)
    const path = join(folder, 'messages', id.slice(6, 8))
    assert.equal((await stat(path)).mode & 0o777, 0o700)
    assert.equal((await stat(join(path, `${key.slice(9, 45)}.${id}`))).mode & 0o777, 0o600)
  })

  test('a folder that was removed under the store is made again', async () => {
    const key = newKey()
    await store.put(key, Buffer.from('x'))
    await rm(join(folder, 'messages'), { recursive: true })
    await assert.rejects(store.put(key, Buffer.from('y')), StoreUnavailable)
    await store.put(key, Buffer.from('z'))
    assert.equal((await read(store, key)).toString(), 'z')
  })

  test('a key that is not made of ids is refused before any file is touched', async () => {
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
      await assert.rejects(store.put(text as ReturnType<typeof newKey>, Buffer.from('x')), RangeError)
      await assert.rejects(store.get(text as ReturnType<typeof newKey>), RangeError)
    }
    assert.throws(() => objectKey('messages', '../../etc', id), RangeError)
    assert.throws(() => objectKey('messages', id, 'passwd'), RangeError)
    assert.deepEqual(await incoming(), [])
  })

  test('check tells a store that can be written to', () => store.check())

  test('a store whose folder is gone is unavailable', async () => {
    const gone = await mkdtemp(join(tmpdir(), 'mdk-objects-'))
    const lost = await openFileStore(gone)
    await rm(gone, { recursive: true })
    await assert.rejects(lost.check(), StoreUnavailable)
    await assert.rejects(lost.put(newKey(), Buffer.from('x')), StoreUnavailable)
  })
})

const isRoot = process.getuid?.() === 0
test('a full disk is told as unavailable, and the store works again when there is room', {
  skip: isRoot ? false : 'mounting a small file system needs root',
}, async (t) => {
  const mount = await mkdtemp(join(tmpdir(), 'mdk-full-'))
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', mount])
  t.after(async () => {
    execFileSync('umount', [mount])
    await rm(mount, { recursive: true })
  })
  const store = await openFileStore(join(mount, 'objects'))
  const first = newKey()
  await store.put(first, randomBytes(600_000))
  for (const source of [randomBytes(600_000), Readable.from([randomBytes(300_000), randomBytes(300_000)])]) {
    const key = newKey()
    const fault = await store.put(key, source).then(
      () => undefined,
      (error: unknown) => error,
    )
    assert.ok(fault instanceof StoreUnavailable)
    assert.equal((fault.cause as NodeJS.ErrnoException).code, 'ENOSPC')
    assert.doesNotMatch(fault.message, /\//)
    assert.equal(await store.head(key), undefined)
  }
  await store.delete(first)
  await store.put(newKey(), randomBytes(600_000))
  await access(mount)
})

function* slices(bytes: Buffer, length: number) {
  for (let start = 0; start < bytes.length; start += length) yield bytes.subarray(start, start + length)
}

async function read(store: ObjectStore, key: ReturnType<typeof newKey>, range?: { start: number; end: number }) {
  const stream = await store.get(key, range)
  assert.ok(stream)
  return buffer(stream)
}
