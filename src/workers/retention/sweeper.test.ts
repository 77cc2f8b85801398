import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startSweeper } from './sweeper.ts'

test('each sweep runs in batches until it finds less than a batch, and one that fails holds up none', async () => {
  const swept: [string, number][] = []
  const failed: string[] = []
  let left = 250
  let rounds = 0
  const twice = Promise.withResolvers<void>()
  const sweeper = startSweeper({
    everyMs: 1,
    sweeps: [
      { name: 'broken', run: () => Promise.reject(new Error('no')) },
      {
        name: 'full',
        run: async (limit) => {
          const count = Math.min(limit, left)
          left -= count
          return count
        },
      },
      {
        name: 'last',
        run: async () => {
          rounds += 1
          if (rounds === 2) twice.resolve()
          return 0
        },
      },
    ],
    onSwept: (name, count) => swept.push([name, count]),
    onError: (_, name) => failed.push(name),
  })
  await twice.promise
  await sweeper.stop()
  assert.deepEqual(swept, [
    ['full', 100],
    ['full', 100],
    ['full', 50],
  ])
  assert(failed.length >= 2 && failed.every((name) => name === 'broken'))
})
