// Throws octets at the service's socket: whatever comes, it is refused in the service's form or the connection ends, no
// process dies of it, and none grows.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { createConnection } from 'node:net'
import { test } from 'node:test'
import fc from 'fast-check'
import { call } from '../support/api.ts'
import { startContractService } from '../support/contract-service.ts'
import { brokenHttp } from './broken-http.ts'
import { hold, REQUESTS, SEED } from './property.ts'

const GOOD_REQUEST_EVERY = 50
/** Longer than the service takes for anything that has come to its end. */
const CONNECTION_ENDS_WITHIN_MS = 30_000
/** What a process may hold more after all of it than after the first part: the heap breathes. */
const GROWTH_BYTES = 96 * 1024 * 1024

const service = await startContractService()
const { tenant } = service
const port = Number(new URL(service.url).port)

const message = JSON.stringify({ fromMailboxId: tenant.mailboxId, to: ['a@example.net'], text: 'x' })
const head = (line: string) => `${line} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${tenant.key}\r\n`
const json = 'content-type: application/json\r\n'
const REQUESTS_TO_BREAK = [
  `${head('GET /v1/mailboxes')}\r\n`,
  `${head('GET /v1/messages?limit=5&cursor=2026-01-01T00:00:00Z')}\r\n`,
  `${head('POST /v1/messages')}idempotency-key: broken-http\r\n${json}content-length: ${message.length}\r\n\r\n${message}`,
  `${head('POST /v1/messages')}idempotency-key: broken-chunks\r\n${json}transfer-encoding: chunked\r\n\r\n` +
    `${message.length.toString(16)}\r\n${message}\r\n0\r\n\r\n`,
  `${head('DELETE /v1/webhook-endpoints/0199f0a0-0000-7000-8000-000000000001')}\r\n`,
  `PUT ${await announce()} HTTP/1.1\r\nhost: x\r\ncontent-type: text/plain\r\ncontent-length: 3\r\n\r\nabc`,
  `POST /v1/relay-reports/ses HTTP/1.1\r\nhost: x\r\ncontent-type: text/plain\r\ncontent-length: 2\r\n\r\n{}`,
  'GET /docs/guides/quick-start HTTP/1.1\r\nhost: x\r\n\r\n',
]

test(`broken HTTP is refused or cut off, and costs nothing (FUZZ_SEED=${SEED})`, async () => {
  const part = REQUESTS / 3 / 4
  await throwOctets(0, part)
  const before = await residentBytes()
  await throwOctets(1, 3 * part)
  const grown = (await residentBytes()) - before
  assert(grown < GROWTH_BYTES, `the process has grown by ${grown} bytes`)
  const faults = service.logs.filter(({ level }) => level === 'error' || level === 'fatal')
  assert.deepEqual(faults, [])
})

let thrown = 0

function throwOctets(property: number, runs: number): Promise<void> {
  const connections = fc.array(fc.record({ octets: brokenHttp(REQUESTS_TO_BREAK), abrupt: fc.boolean() }), {
    minLength: 1,
    maxLength: 4,
  })
  return hold(property, connections, runs / 2.5, async (several) => {
    await Promise.all(several.map(({ octets, abrupt }) => (abrupt ? hangUp(octets) : converse(octets))))
    thrown += several.length
    if (thrown % GOOD_REQUEST_EVERY >= several.length) return
    assert.equal((await call(service.url, 'GET', '/v1/mailboxes', { key: tenant.key })).status, 200)
  })
}

/** Sends it all and no more, and reads until the connection ends. */
function converse(octets: string): Promise<void> {
  return new Promise((resolve, reject) => {
    let text = ''
    const socket = createConnection({ port, host: '127.0.0.1' }, () => socket.end(octets, 'latin1'))
    socket.setTimeout(CONNECTION_ENDS_WITHIN_MS, () => reject(new Error('the connection did not end')))
    socket.setEncoding('latin1').on('data', (chunk) => {
      text += chunk
    })
    socket.on('error', () => {})
    socket.on('close', () => {
      try {
        checkAnswers(text)
        resolve()
      } catch (error) {
        reject(error)
      }
    })
  })
}

/** Sends it and is gone. */
function hangUp(octets: string): Promise<void> {
  return new Promise((resolve) => {
    const socket = createConnection({ port, host: '127.0.0.1' }, () =>
      socket.write(octets, 'latin1', () => socket.resetAndDestroy()),
    )
    socket.on('error', () => {}).on('close', () => resolve())
  })
}

function checkAnswers(all: string): void {
  const text = all.replace(/^(?:HTTP\/1\.1 1.*?\r\n\r\n)*/s, '')
  if (text === '') return
  for (const [, status] of text.matchAll(/^HTTP\/1\.1 (\d{3})/gm)) assert(Number(status) < 500, text.slice(0, 1_000))
  const [, status, headers, rest] = /^HTTP\/1\.1 (\d{3})[^\r]*\r\n(.*?)\r\n\r\n(.*)$/s.exec(text) ?? []
  assert(status !== undefined && headers !== undefined, `no answer of HTTP: ${text.slice(0, 200)}`)
  if (Number(status) < 400) return
  const requestId = /^x-request-id: (\S+)/im.exec(headers)?.[1]
  const length = Number(/^content-length: (\d+)/im.exec(headers)?.[1])
  const { code, requestId: repeated } = JSON.parse((rest as string).slice(0, length))
  assert(typeof code === 'string' && requestId !== undefined && requestId === repeated, text.slice(0, 1_000))
}

/** The path of a signed URL that takes three octets. */
async function announce(): Promise<string> {
  const sha256 = createHash('sha256').update('abc').digest('hex')
  const file = { mailboxId: tenant.mailboxId, filename: 'a', mediaType: 'text/plain', sizeBytes: 3, sha256 }
  const headers = { 'idempotency-key': 'octets-upload' }
  const { body } = await call(service.url, 'POST', '/v1/attachments/uploads', { key: tenant.key, headers, body: file })
  return new URL(body.upload.url).pathname
}

async function residentBytes(): Promise<number> {
  const metrics = await (await fetch(`${service.opsUrl}/metrics`)).text()
  return Number(/^process_resident_memory_bytes (\S+)/m.exec(metrics)?.[1])
}
