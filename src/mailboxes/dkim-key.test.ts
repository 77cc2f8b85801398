import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { makeDkimKey } from './dkim-key.ts'

test('whoever makes many keys holds up nobody who needs a thread as well', async () => {
  let made = 0
  const keys = Array.from({ length: 8 }, async () => {
    const { publicKey } = await makeDkimKey()
    made += 1
    return publicKey
  })
  await readFile(import.meta.filename)
  assert(made < 4, `${made} keys were made before a file was read`)
  assert.equal(new Set(await Promise.all(keys)).size, 8)
})
