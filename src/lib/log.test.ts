import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLog, withoutSecrets } from './log.ts'

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

test('of an error its words, stack, code and causes are written, and not what a library hung onto it', () => {
  const cause = Object.assign(new Error('reset by peer'), { code: 'ECONNRESET', socket: { secret: 'of the socket' } })
  const lost = Object.assign(new Error('connection lost', { cause }), {
    code: '57P01',
    client: { secret: 'of the client' },
  })
  const several = new AggregateError([lost, 'no error'], 'all failed')
  const [one, all] = [lost, several].map((err) => logged((log) => log.warn({ err }, 'lost'))) as [string, string]
  for (const line of [one, all]) assert.doesNotMatch(line, /of the (socket|client)/)
  const { err } = JSON.parse(one)
  assert.equal(err.type, 'Error')
  assert.equal(err.code, '57P01')
  assert.match(err.message, /connection lost: reset by peer/)
  assert.match(err.stack, /log\.test\.ts/)
  assert.deepEqual(
    JSON.parse(all).err.errors.map((each: { code?: string }) => each.code ?? each),
    ['57P01', 'no error'],
  )
})

test('what is below the level is not written', () => {
  assert.equal(
    logged((log) => log.debug('quiet')),
    '',
  )
})

test('of a bearer token only the token is struck out, after whatever white space', () => {
  assert.equal(withoutSecrets('"Bearer  \t abc", then bearer def'), '"Bearer  \t [secret]", then bearer [secret]')
  assert.equal(withoutSecrets('"bearer   " of news'), '"bearer   " of news')
})

test('a line of white space takes no longer than its length', () => {
  const began = performance.now()
  for (const text of [' '.repeat(500_000), `bearer${' '.repeat(500_000)}"`, 'bearer \n'.repeat(100_000)])
    withoutSecrets(text)
  // What looks back from every character takes minutes.
  assert(performance.now() - began < 5_000)
})
