import assert from 'node:assert/strict'
import { test } from 'node:test'
import { digestOf } from './digest.ts'

const OF_ABC = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'

test('a file has one digest, with or without what browsers keep for secure pages', async () => {
  assert.equal(await digestOf(new Blob(['abc'])), OF_ABC)
  assert.equal(await digestOf(new Blob(['a', 'bc']), null), OF_ABC)
})
