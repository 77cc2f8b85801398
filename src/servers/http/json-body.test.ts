import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Problem } from '../../access/problem.ts'
import { readJson } from './json-body.ts'

const read = (text: string | Uint8Array) => readJson(Buffer.from(text as string))

test('JSON is read as it is', () => {
  for (const [text, value] of [
    ['{"a":[1,{"b":null}],"c":"d"}', { a: [1, { b: null }], c: 'd' }],
    ['{"a:b,{[":"}]\\"\\\\"}', { 'a:b,{[': '}]"\\' }],
    [' "x" ', 'x'],
    ['\uFEFF{}', {}],
    ['{"a":{"x":1},"b":{"x":1}}', { a: { x: 1 }, b: { x: 1 } }],
    [`${'['.repeat(16)}${']'.repeat(16)}`, JSON.parse(`${'['.repeat(16)}${']'.repeat(16)}`)],
  ] as const) {
    assert.deepEqual(read(text), value)
  }
})

test('what two readers could read differently is refused', () => {
  for (const text of [
    '{"a":1,"a":2}',
    '{"a":1,"\\u0061":2}',
    '{"to":[{"x":{"y":1,"y":1}}]}',
    '{"__proto__":1,"__proto__":2}',
    '',
    '{',
    '{"a',
    '{"a":"\\"}',
    '{}{}',
    "{'a':1}",
    '{"a":1,}',
    'NaN',
    new Uint8Array([0x22, 0xff, 0x22]),
    Buffer.from('{}', 'utf16le'),
  ]) {
    assert.throws(() => read(text), { code: 'invalid_json' }, String(text))
  }
})

test('a name that JavaScript knows is a name like any other, and changes no prototype', () => {
  const value = read('{"__proto__":{"admin":true}}') as Record<string, unknown>
  assert.deepEqual(Object.keys(value), ['__proto__'])
  assert.equal(Object.getPrototypeOf(value), Object.prototype)
  assert.equal(({} as { admin?: boolean }).admin, undefined)
})

test('more values or deeper ones than any operation takes are refused before memory is spent on them', () => {
  const codeOf = (text: string) => {
    try {
      read(text)
      return 'read'
    } catch (error) {
      assert(error instanceof Problem)
      const {
        fields: [fault],
      } = error.details as { fields: { code: string }[] }
      return fault?.code
    }
  }
  assert.equal(codeOf(`[${'0,'.repeat(9_998)}0]`), 'read')
  assert.equal(codeOf(`[${'0,'.repeat(10_000)}0]`), 'too_many')
  assert.equal(codeOf('['.repeat(17)), 'too_deep')
  const started = process.memoryUsage().heapUsed
  assert.equal(codeOf('[['.repeat(10_000_000)), 'too_deep')
  assert.equal(codeOf(`[${'{},'.repeat(6_000_000)}`), 'too_many')
  assert(process.memoryUsage().heapUsed - started < 64 * 1024 * 1024)
})
