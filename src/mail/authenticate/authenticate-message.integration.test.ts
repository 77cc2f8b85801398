import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import { test } from 'node:test'
import './authenticate-message.ts'

test('a thread that authenticates loads no more of the library than it uses', () => {
  const loaded = Object.keys(createRequire(import.meta.url).cache)
  assert.ok(loaded.some((path) => path.includes('/mailauth/lib/spf/')))
  assert.deepEqual(
    loaded.filter((path) => /\/(bimi|undici|vmc|fast-xml-parser)\//.test(path)),
    [],
  )
})
