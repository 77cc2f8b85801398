// DKIM from end to end: what reaches the relay is signed with the domain's key, and is what the store holds.

import assert from 'node:assert/strict'
import { buffer } from 'node:stream/consumers'
import { after, test } from 'node:test'
import { dkimVerify } from 'mailauth'
import PostalMime from 'postal-mime'
import { objectKey } from '../../src/lib/object-store.ts'
import { createDnsResolver } from '../../src/lib/resolver.ts'
import { createSecretBox, parseSecretKeys, SealError } from '../../src/lib/secret-box.ts'
import { newId } from '../../src/lib/uuid.ts'
import { addDomain } from '../../src/mailboxes/add-domain.ts'
import { createMailbox } from '../../src/mailboxes/create-mailbox.ts'
import { makeDkimKey } from '../../src/mailboxes/dkim-key.ts'
import { call, send, startTestApi } from '../support/api.ts'
import { createTestDatabase } from '../support/database.ts'
import { startTestDns } from '../support/dns.ts'
import { operatorOf } from '../support/operator.ts'
import { TEST_SECRET_KEYS } from '../support/role-parts.ts'
import { startSmtpSink } from '../support/smtp-sink.ts'
import { createTestTenant } from '../support/tenant.ts'
import { until } from '../support/until.ts'
import { startTestOutbound } from '../support/workers.ts'

const { database } = await createTestDatabase()
const { url } = await startTestApi(database)
const { tenantId, key } = await createTestTenant(database)
const dns = await startTestDns()
const resolver = createDnsResolver([dns.server])
after(async () => {
  resolver.close()
  await dns.stop()
})

const domain = `d${newId().replaceAll('-', '')}.test`
const dkim = { key: await makeDkimKey(), secretBox: createSecretBox(TEST_SECRET_KEYS) }
const { records } = await addDomain(database, operatorOf(tenantId), { domain, vouched: true, dkim })
const address = `sender@${domain}`
const { id: fromMailboxId } = await createMailbox(database, operatorOf(tenantId), { address, displayName: 'Sender' })
const published = records.find((record) => record.purpose === 'dkim') ?? assert.fail()
dns.zone = { [published.name]: { TXT: [published.value] } }

const accept = async () => {
  const body = { fromMailboxId, to: ['you@example.com'], subject: 'Grüße', text: 'Hello  \n\n\n', html: '<p>Hello</p>' }
  const answer = await send(url, key, body)
  assert.equal(answer.status, 202)
  return answer.body.id as string
}
/** White space may be folded anywhere in a signature. */
const plain = (value: string) => value.replaceAll(/\s+/g, '')
const read = async (id: string) => (await call(url, 'GET', `/v1/messages/${id}`, { key })).body.message

test('a message is signed for its domain, and a verifier that asks the DNS accepts it', async () => {
  const sink = await startSmtpSink()
  after(sink.stop)
  const outbound = await startTestOutbound(database, { relayUrl: sink.url })
  const id = await accept()
  const message = await until('it is sent', async () => {
    const now = await read(id)
    return now.status === 'sent' && now
  })
  const received = sink.mails[0]?.bytes ?? assert.fail()
  const stored = await outbound.store.get(objectKey('messages', tenantId, id))
  assert(stored && received.equals(await buffer(stored)), 'what was submitted is what is stored')
  assert.equal(message.sizeBytes, received.length)
  const { headers } = await PostalMime.parse(received)
  assert.deepEqual(
    message.headers.map((field: { name: string }) => field.name),
    headers.map((field) => field.originalKey),
  )
  const [signature] = message.headers
  assert.equal(signature.name, 'DKIM-Signature')
  assert.equal(plain(signature.value), plain(headers[0]?.value ?? ''))
  const { results } = await dkimVerify(received, {
    resolver: async (name: string, type: string) => {
      const answer = await resolver.query(name, type as 'TXT')
      return answer.kind === 'records' ? answer.records : []
    },
  })
  assert.deepEqual(
    results.map((result) => [result.status.result, result.signingDomain, result.status.aligned]),
    [['pass', domain, domain]],
  )
  await outbound.stop()
})

test('while the key cannot be opened a message waits; it goes out signed when it can be again', async () => {
  const sink = await startSmtpSink()
  after(sink.stop)
  const other = parseSecretKeys(`9:${Buffer.alloc(32, 9).toString('base64')}`)
  const without = await startTestOutbound(database, { relayUrl: sink.url, secretKeys: other })
  const id = await accept()
  await until('it is reported', () => without.errors().some(({ err }) => err?.type === SealError.name))
  assert.equal((await read(id)).status, 'queued')
  assert.equal(sink.mails.length, 0, 'nothing goes out unsigned')
  await without.stop()
  await startTestOutbound(database, { relayUrl: sink.url })
  await until('it is sent', async () => (await read(id)).status === 'sent')
  assert.match(sink.mails[0]?.bytes.toString() ?? '', /^DKIM-Signature: /)
})
