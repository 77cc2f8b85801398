import assert from 'node:assert/strict'
import { rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { temporaryFolder } from '../../test/support/temporary-folder.ts'
import { makeFolder } from './make-folder.ts'

const base = await temporaryFolder('make-folder-')
after(() => rm(base, { recursive: true }))

test('a folder is made with those above it, and stays when it is there', async () => {
  const folder = join(base, 'a/b/c')
  await makeFolder(folder, 0o700)
  await makeFolder(folder, 0o755)
  assert.equal((await stat(folder)).mode & 0o777, 0o700)
  await Promise.all(Array.from({ length: 20 }, () => makeFolder(join(base, 'd/e/f'))))
  assert((await stat(join(base, 'd/e/f'))).isDirectory())
})

test('where none can be made that is said, and the folder named', { timeout: 10_000 }, async () => {
  await writeFile(join(base, 'file'), '')
  for (const [folder, code] of [
    ['/proc/none', 'ENOENT'],
    ['/proc/none/of/these', 'ENOENT'],
    [join(base, 'file'), 'EEXIST'],
    [join(base, 'file/below'), 'ENOTDIR'],
  ] as const) {
    await assert.rejects(makeFolder(folder), { code, message: `the folder ${folder} cannot be made (${code})` })
  }
})
