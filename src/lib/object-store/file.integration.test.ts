// What the store of local files does beyond what every store must (../object-store.test.ts): folders, rights, full disks.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import { access, mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { after, before, describe, test } from 'node:test'
import { type ObjectStore, objectKey, SizeMismatch, StoreUnavailable } from '../object-store.ts'
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

  test('what fails leaves no temporary file', async () => {
    async function* breakingOff() {
      yield Buffer.from('half of')
      throw new Error('the client went away')
    }
    await assert.rejects(store.put(newKey(), breakingOff()), /the client went away/)
    await assert.rejects(store.put(newKey(), Buffer.from('five!'), 6), SizeMismatch)
    await assert.rejects(store.put(newKey(), Readable.from([Buffer.from('five!')]), 4), SizeMismatch)
    await store.check()
    assert.deepEqual(await readdir(join(folder, 'incoming')), [])
  })

  test('many puts at once into folders that are not there yet all arrive', async () => {
    const keys = Array.from({ length: 400 }, (_, i) =>
      objectKey('attachments', newId(), i % 2 ? newId() : randomUUID()),
    )
    await Promise.all(keys.map((key) => store.put(key, Buffer.from(key))))
    for (const key of keys) assert.equal((await read(store, key)).toString(), key)
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

  test('a store whose folder is gone is unavailable', async () => {
    const gone = await mkdtemp(join(tmpdir(), 'mdk-objects-'))
    const lost = await openFileStore(gone)
    await rm(gone, { recursive: true })
    await assert.rejects(lost.check(), StoreUnavailable)
    await assert.rejects(lost.put(newKey(), Buffer.from('x')), StoreUnavailable)
  })
})

const isRoot = process.getuid?.() === 0
test('a full disk is reported as unavailable, and the store works again when there is room', {
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

async function read(store: ObjectStore, key: ReturnType<typeof newKey>) {
  const stream = await store.get(key)
  assert.ok(stream)
  return buffer(stream)
}
