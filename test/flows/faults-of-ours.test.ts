// What a client is answered when the fault is ours: enough to report it, nothing of what is inside. And that no code of the
// catalogue is without a test.
import assert from 'node:assert/strict'
import { glob, readFile } from 'node:fs/promises'
import { test } from 'node:test'
import pino from 'pino'
import { PROBLEM_CODES, problem } from '../../src/access/problem.ts'
import { buildServer } from '../../src/servers/http/server.ts'

test('a fault of ours is a 500 that shows nothing of it, and the log has it under the same request', async () => {
  const lines: { level: number; requestId?: string; err?: { message: string; stack: string } }[] = []
  const app = buildServer({
    log: pino({ level: 'error' }, { write: (line: string) => void lines.push(JSON.parse(line)) }),
    onAnswer: () => {},
  })
  const inside = 'select * from secrets at /home/service/src/store.ts'
  const thrown: [string, unknown][] = [
    ['/error', new Error(inside)],
    ['/type', new TypeError(inside)],
    ['/coded', Object.assign(new Error(inside), { code: 'EISDIR', statusCode: 404 })],
    ['/text', inside],
    ['/nothing', undefined],
  ]
  for (const [url, what] of thrown) {
    app.get(url, { config: { auth: 'open' } }, async () => {
      throw what
    })
  }
  for (const [url, what] of thrown) {
    const answer = await app.inject({ url })
    const requestId = answer.headers['x-request-id']
    assert.deepEqual(
      [answer.statusCode, answer.json()],
      [
        500,
        {
          code: 'internal_error',
          message: 'Something went wrong on our side. Quote the requestId when you report it.',
          error: 'internal_error',
          requestId,
        },
      ],
      url,
    )
    assert(!answer.payload.includes('secrets'))
    const line = lines.find((each) => each.requestId === requestId)
    if (what instanceof Error) assert.equal(line?.err?.message, inside)
    else assert(line, `${url} is logged`)
  }
})

test('what is refused for want of room is no fault, and leaves no more than its line in the log', async () => {
  const levels: string[] = []
  const app = buildServer({
    log: pino(
      { level: 'info' },
      { write: (line: string) => void levels.push(pino.levels.labels[JSON.parse(line).level] ?? '') },
    ),
    onAnswer: () => {},
  })
  app.get('/full', { config: { auth: 'open' } }, async () => {
    throw problem('service_unavailable', { retryAfterSeconds: 1 })
  })
  const answer = await app.inject({ url: '/full' })
  assert.deepEqual([answer.statusCode, answer.headers['retry-after']], [503, '1'])
  assert(!levels.includes('error'))
})

test('every code of the catalogue is asked for by a test', async () => {
  const root = new URL('../../', import.meta.url).pathname
  const tests = await Array.fromAsync(glob('{src,test}/**/*.test.ts', { cwd: root }))
  const all = (await Promise.all(tests.map((path) => readFile(root + path, 'utf8')))).join('\n')
  assert.deepEqual(
    PROBLEM_CODES.filter((code) => !all.includes(`'${code}'`)),
    [],
  )
})
