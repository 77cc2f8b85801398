import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Refusal } from '../../ui/request.ts'
import { faultsByField } from './send-faults.ts'

const refusal = (...paths: string[]) =>
  new Refusal(422, {
    message: 'The message cannot be sent.',
    details: { fields: paths.map((path) => ({ path, message: `is wrong at ${path}` })) },
  })

test('what is wrong with somebody stands where they stand', () => {
  const { above, ofPeople } = faultsByField(refusal('to[1]', 'to', 'cc[0].address'))
  assert.deepEqual(above, [])
  assert.deepEqual(
    [...ofPeople('to')],
    [
      [1, 'is wrong at to[1]'],
      [-1, 'is wrong at to'],
    ],
  )
  assert.deepEqual([...ofPeople('cc')], [[0, 'is wrong at cc[0].address']])
  assert.deepEqual([...ofPeople('bcc')], [])
})

test('what no field shows stands above them all, and so does a refusal without fields', () => {
  assert.deepEqual(faultsByField(refusal('body', 'attachmentIds[2]', 'other', 'subject')).above, [
    ...['The text is wrong at body.', 'An attachment is wrong at attachmentIds[2].', 'This is wrong at other.'],
  ])
  assert.equal(faultsByField(refusal('subject')).of('subject'), 'is wrong at subject')
  assert.deepEqual(faultsByField(refusal()).above, ['The message cannot be sent.'])
  assert.deepEqual(faultsByField(undefined).above, [])
})

test('of a field that was changed since nothing is said', () => {
  const { above, ofPeople } = faultsByField(refusal('to[1]', 'cc[0]', 'body'), (field) => field === 'cc')
  assert.deepEqual([above, [...ofPeople('to')], [...ofPeople('cc')]], [[], [], [[0, 'is wrong at cc[0]']]])
})
