import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inStretches, weightOfAddresses } from './in-stretches.ts'

test('what others have to do is done between messages that take long, and all are made in their order', async () => {
  const recipients = Array.from({ length: 1_000 }, (_, i) => ({ address: `person${i}@shop.example`, name: null }))
  const log: string[] = []
  setImmediate(() => log.push('other work'))
  const made = inStretches(
    [1, 2, 3],
    () => weightOfAddresses(recipients),
    (n) => log.push(`made ${n}`),
  )
  assert.deepEqual(await made, [1, 3, 4])
  assert.deepEqual(log, ['made 1', 'other work', 'made 2', 'made 3'])
})

test('an address weighs more than a text, with its name', () => {
  assert.equal(weightOfAddresses([]), 0)
  assert.equal(weightOfAddresses([{ address: 'a@b.test', name: null }]), 64)
  assert.equal(weightOfAddresses([{ address: 'a@b.test', name: 'Ada' }]), 88)
})
