import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inTurn } from './in-turn.ts'

test('what is asked for while it is done is done once more, however often it was asked for', async () => {
  const acts: (() => void)[] = []
  const rests: (() => void)[] = []
  const waitIn = (list: (() => void)[]) => () => new Promise<void>((resolve) => void list.push(resolve))
  const ask = inTurn(waitIn(acts), waitIn(rests))
  const settled = () => new Promise((resolve) => setImmediate(resolve))
  const end = async (list: (() => void)[]) => {
    list.at(-1)?.()
    await settled()
  }

  ask()
  assert.equal(acts.length, 1)
  ask()
  ask()
  await end(acts)
  assert.equal(acts.length, 1, 'it rests first')
  await end(rests)
  assert.equal(acts.length, 2)
  await end(acts)
  await end(rests)
  assert.equal(acts.length, 2, 'nobody asked')
  ask()
  assert.equal(acts.length, 3)
})

test('what fails is done again when it is asked for', async () => {
  let tries = 0
  const ask = inTurn(
    async () => {
      tries++
      throw new Error('no')
    },
    async () => {},
  )
  ask()
  await new Promise((resolve) => setImmediate(resolve))
  ask()
  assert.equal(tries, 2)
})
