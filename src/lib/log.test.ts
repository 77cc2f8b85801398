import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLog } from './log.ts'

function logged(write: (log: ReturnType<typeof createLog>) => void): string {
  const lines: string[] = []
  write(createLog('info', { write: (line: string) => void lines.push(line) }))
  return lines.join('')
}

test('a line is one JSON object with level, time and what was said', () => {
  const line = JSON.parse(logged((log) => log.info({ requestId: 'x' }, 'request')))
  assert.equal(line.level, 'info')
  assert.equal(line.requestId, 'x')
  assert.equal(line.msg, 'request')
  assert.match(line.time, /^\d{4}-\d\d-\d\dT/)
})

test('no secret reaches a line, wherever it stands', () => {
  const key = `mdk_live_${'a'.repeat(71)}`
  const secret = `whsec_${Buffer.alloc(32, 9).toString('base64')}`
  for (const text of [
    logged((log) => log.info({ url: `/v1/messages?key=${key}` }, `used ${key}`)),
    logged((log) => log.error({ err: new Error(`bad header: Bearer ${key}`) }, 'failed')),
    logged((log) => log.info({ headers: { authorization: `Bearer ${key}` } }, 'x')),
    logged((log) => log.info({ request: { authorization: 'Basic abcdefgh' } }, 'x')),
    logged((log) => log.info({ deep: { deeper: [secret] } }, 'x')),
  ]) {
    assert.doesNotMatch(text, /aaaaaaaa|CQkJCQkJ|abcdefgh/)
    assert.match(text, /\[secret\]/)
    assert.doesNotThrow(() => JSON.parse(text))
  }
})

test('what is below the level is not written', () => {
  assert.equal(
    logged((log) => log.debug('quiet')),
    '',
  )
})
