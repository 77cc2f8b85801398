import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { RecordCheck, ShownRecord } from '../../../src/servers/console/domain-schemas.ts'
import { adviceOn, stateOf } from './record-words.ts'

const KEY = `v=DKIM1; k=rsa; p=${'QUJD'.repeat(90)}`

/** All there are: one that is missing here does not compile. */
const FAULTS: Record<NonNullable<RecordCheck['fault']>, true> = {
  nothing: true,
  others: true,
  alias: true,
  several: true,
  quoted: true,
  another_key: true,
  revoked_key: true,
  another_algorithm: true,
  another_token: true,
  taken: true,
  allows_everyone: true,
  no_policy: true,
  takes_no_mail: true,
  no_key: true,
  no_answer: true,
}

const dkim = (check: Partial<RecordCheck>): ShownRecord => ({
  ...{ purpose: 'dkim', type: 'TXT', name: 'mdk-1._domainkey.shop.test', value: KEY, zoneLine: '' },
  check: { status: 'wrong', fault: null, found: [], others: [], alias: null, expected: KEY, ...check },
})

test('of whatever is wrong it is said what to do, and of what is right nothing', () => {
  for (const fault of Object.keys(FAULTS) as (keyof typeof FAULTS)[]) {
    assert.match(adviceOn(dkim({ fault, alias: 'elsewhere.test' })) ?? '', /^[A-Z].+\.$|^mdk-1.+\.$/, fault)
  }
  assert.equal(adviceOn(dkim({ status: 'pass' })), undefined)
  assert.equal(adviceOn({ ...dkim({}), check: null }), undefined)
})

test('a key that was cut off is told from another one', () => {
  assert.match(adviceOn(dkim({ fault: 'another_key', found: [KEY.slice(0, 255)] })) ?? '', /cut off/)
  assert.match(adviceOn(dkim({ fault: 'another_key', found: ['v=DKIM1; k=rsa; p=QUJE'] })) ?? '', /Another key/)
  assert.match(adviceOn(dkim({ fault: 'another_key', found: [`${KEY}QUJE`] })) ?? '', /Another key/)
})

test('the record of ownership is not missed where the operator vouches for the domain', () => {
  const record = { purpose: 'verification', check: dkim({ status: 'missing' }).check } as const
  assert.equal(stateOf(record, { vouched: true }).words, 'Not needed')
  assert.equal(stateOf(record, { vouched: false }).words, 'Missing')
  assert.equal(stateOf({ ...record, purpose: 'mx' }, { vouched: true }).words, 'Missing')
  assert.equal(stateOf({ ...record, check: null }, { vouched: false }).words, 'Not checked yet')
})
