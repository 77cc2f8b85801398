import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { HOSTILE_BODIES, HOSTILE_HEADERS } from '../../../test/corpus/hostile-mail.ts'
import { createMailParser } from './mail-parser.ts'

/** Ten times what the slowest takes; what grows with the square of its length takes far more. */
const TIMEOUT_MS = 10_000
const HEADER_BYTES = 500_000
const BODY_BYTES = 2_000_000

const parser = createMailParser({ threads: 1, timeoutMs: TIMEOUT_MS, heapMiB: 256 })
after(() => parser.stop())

describe('a message is read in a time that its length bounds, and its beginning is shown, with a header of', () => {
  for (const [name, shape] of Object.entries(HOSTILE_HEADERS)) {
    test(name, async () => {
      const message = await parser.parse([Buffer.from(shape(HEADER_BYTES))])
      assert.equal(message.fault, null)
      assert.equal(message.readable, 'whole')
    })
  }
})

describe('a message is read in a time that its length bounds with a body of', () => {
  for (const [name, shape] of Object.entries(HOSTILE_BODIES)) {
    test(name, async () => assert.equal((await parser.parse([Buffer.from(shape(BODY_BYTES))])).fault, null))
  }
})
