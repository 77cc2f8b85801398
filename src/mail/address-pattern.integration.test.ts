import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestDatabase } from '../../test/support/database.ts'
import { sql } from '../lib/sql.ts'
import { addressPattern } from './address-pattern.ts'

const { database } = await createTestDatabase()

async function names(text: string, address: string): Promise<boolean> {
  const row = await database.first(sql<{ found: boolean }>`select ${text}::text ~* ${addressPattern(address)} as found`)
  return row?.found ?? false
}

const FOUND = [
  'ada@b.test',
  'ADA@B.Test',
  'Ada <ada@b.test>, others',
  'write to ada@b.test.',
  'ada@b.test-',
  '"ada@b.test"',
  JSON.stringify({ diagnostic: '550 no\nada@b.test\r\nbye' }),
  'mailto:ada@b.test?subject=x',
  'https://x.test/?to=ada%40b.test&a=b',
  '{ada@b.test,NULL}',
]
const OTHERS = [
  'xada@b.test',
  'x.ada@b.test',
  'x-ada@b.test',
  'tag+ada@b.test',
  'ada+tag@b.test',
  'ada@b.test.example',
  'ada@b.tester',
  'ada@sub.b.test',
  'ada@b-test',
  'adaxb.test',
]

test('an address is found in any text that names it, and no other is', async () => {
  for (const text of FOUND) assert.equal(await names(text, 'ada@b.test'), true, text)
  for (const text of OTHERS) assert.equal(await names(text, 'ada@b.test'), false, text)
})

test('either spelling of its domain finds both', async () => {
  for (const asked of ['ada@münchen.test', 'ada@xn--mnchen-3ya.test', 'Ada@MÜNCHEN.test']) {
    for (const text of ['<ada@münchen.test>', 'ada@xn--mnchen-3ya.test']) {
      assert.equal(await names(text, asked), true, `${asked} in ${text}`)
    }
    assert.equal(await names('ada@munchen.test', asked), false)
  }
})

test('characters of an address that mean something in a pattern mean themselves', async () => {
  for (const address of ["o'neil.x@b.test", 'a+b@b.test', 'a*b@b.test', 'a{1}@b.test', 'a^$|?=b@b.test']) {
    assert.equal(await names(`<${address}>`, address), true, address)
  }
  assert.equal(await names('oxneilxx@b.test', 'o.neil.x@b.test'), false)
  assert.equal(await names('aaab@b.test', 'a*b@b.test'), false)
})
