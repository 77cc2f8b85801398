import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nextWaitMs, persistently } from './persistently.ts'

const fault = (code: string) => Object.assign(new Error('no'), { code })

test('what takes too long waits twice as long each time, up to 30 seconds; an absence does not', () => {
  let waitMs = 250
  const waits = Array.from({ length: 9 }, () => (waitMs = nextWaitMs(fault('57014'), waitMs)))
  assert.deepEqual(waits, [500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000])
  assert.equal(nextWaitMs(fault('57P01'), 30_000), 250)
  assert.equal(nextWaitMs(fault('55P03'), 250), 500)
})

test('what takes too long is reported each time, and tried until it succeeds', async () => {
  const faults = ['57014', '57P01', '55P03']
  const reported: Error[] = []
  const result = await persistently(
    { lost: new AbortController().signal },
    (error) => reported.push(error),
    async () => {
      const code = faults.shift()
      if (code) throw fault(code)
      return 'done'
    },
  )
  assert.equal(result, 'done')
  assert.deepEqual(reported, [fault('57014'), fault('55P03')])
})

test('it ends with a fault that is not the database’s, and when the job is lost', async () => {
  const never = () => assert.fail('nothing took too long')
  const held = { lost: new AbortController().signal }
  await assert.rejects(
    persistently(held, never, () => Promise.reject(fault('23505'))),
    { code: '23505' },
  )
  const lost = new AbortController()
  await assert.rejects(
    persistently({ lost: lost.signal }, never, () => {
      lost.abort()
      return Promise.reject(fault('57P01'))
    }),
    { code: '57P01' },
  )
})
