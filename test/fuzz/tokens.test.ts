// Changes what the service gave out and signed or sealed: a key, a cursor, a URL that holds for a while. Whoever changes
// one has none.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { parseInstant } from '../../src/lib/instant.ts'
import { call, send, startTestApi } from '../support/api.ts'
import { createTestDatabase } from '../support/database.ts'
import { feedCaughtUp } from '../support/feed.ts'
import { createTestTenant } from '../support/tenant.ts'
import { changed } from './broken-text.ts'
import { hold, REQUESTS, SEED } from './property.ts'

const RUNS = REQUESTS / 20

const { database } = await createTestDatabase()
const { url } = await startTestApi(database)
const tenant = await createTestTenant(database)
const { key, mailboxId } = tenant
let prepared = 0

test(`a changed key opens nothing (FUZZ_SEED=${SEED})`, async () => {
  await hold(0, changesOf(key), RUNS, async (text) => {
    assert.equal((await call(url, 'GET', '/v1/mailboxes', { key: text })).status, 401)
  })
})

test(`a changed cursor of the feed is none (FUZZ_SEED=${SEED})`, async () => {
  for (const text of ['a', 'b']) await send(url, key, { fromMailboxId: mailboxId, to: ['a@example.net'], text })
  await feedCaughtUp(database)
  const { nextCursor } = (await call(url, 'GET', '/v1/events?limit=1', { key })).body
  const changes = changesOf(nextCursor).filter((text) => text !== '' && parseInstant(text) === undefined)
  await hold(1, changes, RUNS, async (text) => {
    const { status } = await call(url, 'GET', `/v1/events?cursor=${encodeURIComponent(text)}`, { key })
    assert.equal(status, 400)
  })
})

test(`a changed URL for octets leads nowhere (FUZZ_SEED=${SEED})`, async () => {
  const upload = await prepare()
  const attachmentId = await complete(upload)
  const download = (await call(url, 'GET', `/v1/attachments/${attachmentId}/download-url`, { key })).body.url
  for (const [property, method, signed] of [
    [2, 'PUT', (await prepare()).url],
    [3, 'GET', download],
  ] as const) {
    const token = signed.slice(signed.lastIndexOf('/') + 1)
    const changes = changesOf(token).filter((text) => !['', '.', '..'].includes(text))
    await hold(property, changes, RUNS, async (text) => {
      const path = `/v1/blobs/${encodeURIComponent(text)}`
      const body = method === 'PUT' ? { body: 'abc', headers: { 'content-type': 'text/plain' } } : {}
      assert.equal((await call(url, method, path, body)).status, 404)
    })
  }
})

/** What is another text after it has gone through a header or a URL. */
function changesOf(text: string): fc.Arbitrary<string> {
  const letters = ['A', 'B', '_', '-', '=', '0', 'z', '.', '~', 'é', ' ', text.slice(0, 9), text.slice(-6)]
  const swapped = fc.nat().map((at) => {
    const place = at % text.length
    const letter = text[place] as string
    const other = letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase()
    return text.slice(0, place) + other + text.slice(place + 1)
  })
  // The last letter of base64 may have bits that say nothing.
  const last = fc.constantFrom(...'ABCDEFGHabcdefgh0123456789-_').map((letter) => text.slice(0, -1) + letter)
  return fc
    .oneof(changed(fc.constant(text), letters), swapped, last)
    .filter((each) => each.trim() !== text && /^[\x20-\x7e\xa0-\xff]*$/.test(each))
}

async function prepare(): Promise<{ uploadId: string; url: string }> {
  const sha256 = createHash('sha256').update('abc').digest('hex')
  const body = { mailboxId, filename: 'a', mediaType: 'text/plain', sizeBytes: 3, sha256 }
  const headers = { 'idempotency-key': `tokens-${prepared++}` }
  const answer = await call(url, 'POST', '/v1/attachments/uploads', { key, headers, body })
  return { uploadId: answer.body.uploadId, url: answer.body.upload.url }
}

async function complete(upload: { uploadId: string; url: string }): Promise<string> {
  await fetch(upload.url, { method: 'PUT', headers: { 'content-type': 'text/plain' }, body: 'abc' })
  const path = `/v1/attachments/uploads/${upload.uploadId}/complete`
  return (await call(url, 'POST', path, { key })).body.attachment.id
}
