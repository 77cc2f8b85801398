import assert from 'node:assert/strict'
import { mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, test } from 'node:test'
import { placeFolder } from './place-folder.ts'

let parent: string

beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'mdk-place-'))
})
afterEach(() => rm(parent, { recursive: true }))

test('of many that make one folder at once one wins, and nothing else stays', async () => {
  const folder = join(parent, 'made')
  const makers = ['a', 'b', 'c', 'd'].map((name) =>
    placeFolder(folder, async (temporary) => {
      await writeFile(join(temporary, 'first'), name)
      await writeFile(join(temporary, 'second'), name)
    }),
  )
  await Promise.all(makers)
  assert.deepEqual(await readdir(parent), ['made'])
  assert.equal(await readFile(join(folder, 'first'), 'utf8'), await readFile(join(folder, 'second'), 'utf8'))
})

test('one that fails leaves nothing behind', async () => {
  const failing = placeFolder(join(parent, 'made'), async (temporary) => {
    await writeFile(join(temporary, 'half'), '')
    throw new Error('disk full')
  })
  await assert.rejects(failing, /disk full/)
  assert.deepEqual(await readdir(parent), [])
})

test('what a crash left behind long ago goes; what another process may be making stays', async () => {
  const longAgo = new Date(Date.now() - 2 * 3_600_000)
  for (const name of ['made-unfinished-old', 'made-unfinished-new', 'other']) await mkdir(join(parent, name))
  await utimes(join(parent, 'made-unfinished-old'), longAgo, longAgo)
  await utimes(join(parent, 'other'), longAgo, longAgo)
  await placeFolder(join(parent, 'made'), async () => {})
  assert.deepEqual((await readdir(parent)).sort(), ['made', 'made-unfinished-new', 'other'])
})
