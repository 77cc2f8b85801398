import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isTimelineHistory, isWalSegment, walSegmentAfter, walSegments } from './wal-names.ts'

test('a segment follows the other, also where the next file of the log begins', () => {
  for (const [name, next] of [
    ['000000010000000000000001', '000000010000000000000002'],
    ['00000001000000000000000F', '000000010000000000000010'],
    ['0000000A000000AB000000FE', '0000000A000000AB000000FF'],
    ['0000000A000000AB000000FF', '0000000A000000AC00000000'],
    ['00000001000000FF000000FF', '000000010000010000000000'],
  ] as const) {
    assert.equal(walSegmentAfter(name), next)
  }
  assert.throws(() => walSegmentAfter('00000002.history'), RangeError)
})

test('the segments between two are all of them, with both', () => {
  assert.deepEqual(
    [...walSegments('0000000100000000000000FE', '000000010000000100000001')],
    ['0000000100000000000000FE', '0000000100000000000000FF', '000000010000000100000000', '000000010000000100000001'],
  )
  assert.deepEqual([...walSegments('000000010000000000000001', '000000010000000000000001')].length, 1)
})

test('segments and histories are told from what else lies in the folder', () => {
  assert(isWalSegment('000000010000000000000001'))
  for (const name of [
    '000000010000000000000001.partial',
    '00000001.history',
    'archive_status',
    '00000001000000000000000g',
  ])
    assert(!isWalSegment(name), name)
  assert(isTimelineHistory('00000002.history'))
  assert(!isTimelineHistory('000000010000000000000001'))
})
