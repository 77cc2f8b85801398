import assert from 'node:assert/strict'
import { chmod, lstat, mkdtemp, rm, rmdir, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import pg from 'pg'
import { fitsSocket, socketFolderFor, socketUrl } from './socket-folder.ts'

const LONGEST = process.platform === 'darwin' ? 103 : 107
const SOCKET = '/.s.PGSQL.5432'

test('a socket path may be as long as the system allows, counted in bytes, and no longer', () => {
  const fitting = `/${'x'.repeat(LONGEST - SOCKET.length - 1)}`
  assert(fitsSocket(fitting))
  assert(!fitsSocket(`${fitting}x`))
  assert(!fitsSocket(fitting.replace('xx', 'xé')))
})

test('data with a short path has its socket in it', async () => {
  assert.equal(await socketFolderFor('/data/postgres', {}), '/data/postgres')
})

test('data with a long path has a private folder, always the same, which nobody else may have taken', async () => {
  const data = join(await mkdtemp(join(tmpdir(), 'mdk-socket-')), 'x'.repeat(LONGEST))
  const folder = await socketFolderFor(data, {})
  try {
    assert(fitsSocket(folder))
    assert.equal((await lstat(folder)).mode & 0o777, 0o700)
    assert.equal(await socketFolderFor(data, {}), folder)

    await chmod(folder, 0o755)
    await assert.rejects(socketFolderFor(data, {}), /belongs to somebody else/)
    await rmdir(folder)
    await symlink(tmpdir(), folder)
    await assert.rejects(socketFolderFor(data, {}), /belongs to somebody else/)
  } finally {
    await rm(folder, { recursive: true, force: true })
    await rm(join(data, '..'), { recursive: true })
  }
})

test('the URL leads pg to the socket, whatever is in the path or in the environment', () => {
  process.env.PGPORT = '9999'
  process.env.PGSSLMODE = 'require'
  try {
    for (const folder of ['/data/postgres', '/Über uns/a b%20c?#@:&=/[x]']) {
      const client = new pg.Client({ connectionString: socketUrl(folder, 'mdk', 'mail') })
      assert.deepEqual(
        [client.host, client.port, client.user, client.database, client.ssl],
        [folder, 5432, 'mdk', 'mail', false],
      )
    }
  } finally {
    delete process.env.PGPORT
    delete process.env.PGSSLMODE
  }
})
