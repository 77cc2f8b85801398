import assert from 'node:assert/strict'
import { chmod, cp, mkdtemp, readdir, readFile, readlink, rm, stat, unlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { findPackage, locateBinaries } from './binaries.ts'
import { chooseServerUser, isRoot, runAs } from './server-user.ts'

let folder: string
let closed: string
let copies: string

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mdk-binaries-'))
  await chmod(folder, 0o755)
  closed = join(folder, 'package')
  copies = join(folder, 'copies')
  await cp(findPackage(), closed, { recursive: true, verbatimSymlinks: true })
})
after(async () => {
  await chmod(join(closed, 'native/lib'), 0o755)
  await rm(folder, { recursive: true })
})

/** The package as npm leaves it when install scripts are off. */
async function removeLinks(): Promise<string[]> {
  const list = JSON.parse(await readFile(join(closed, 'native/pg-symlinks.json'), 'utf8')) as { target: string }[]
  for (const { target } of list) await unlink(join(closed, target))
  return list.map(({ target }) => join(closed, target))
}

test('library links that no install script made are made, by many at once as well', async () => {
  const links = await removeLinks()
  const user = await chooseServerUser()
  await assert.rejects(runAs(user, join(closed, 'native/bin/postgres'), ['--version']), /shared libraries/)
  const [found] = await Promise.all([1, 2, 3].map(() => locateBinaries(closed, copies, user)))
  assert.equal(found?.postgres, join(closed, 'native/bin/postgres'))
  for (const link of links) assert.doesNotMatch(await readlink(link), /\//)
  await assert.rejects(stat(copies), { code: 'ENOENT' })
})

test('a package that the user of the server cannot run where it lies is copied, once', async () => {
  const user = await chooseServerUser()
  // For root: out of reach. For an ordinary user: without links, and closed to writing.
  if (isRoot()) await chmod(closed, 0o700)
  else {
    await removeLinks()
    await chmod(join(closed, 'native/lib'), 0o555)
  }
  const [found] = await Promise.all([1, 2].map(() => locateBinaries(closed, copies, user)))
  assert(found)
  assert(found.postgres.startsWith(copies))
  assert.match(await runAs(user, found.postgres, ['--version']), new RegExp(`PostgreSQL\\) ${found.major}\\.`))
  assert.match(await runAs(user, found.initdb, ['--version']), /initdb/)

  const made = await stat(found.postgres)
  assert.deepEqual(await locateBinaries(closed, copies, user), found)
  assert.equal((await stat(found.postgres)).ino, made.ino)
  assert.equal((await readdir(copies)).length, 1)
})
