import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bounceType } from './bounce-type.ts'

test('bounces are permanent unless time may heal them or nobody said why', () => {
  const types = { '5.1.1': 'permanent', '5.7.1': 'permanent', '5.2.2': 'transient', '5.3.1': 'transient' }
  for (const [code, type] of Object.entries(types)) assert.equal(bounceType(code), type)
  for (const code of ['5.0.0', '2.0.0', null]) assert.equal(bounceType(code), 'undetermined')
})
