// `mdk domain rotate-dkim`: from one DKIM key to the next. Nothing is signed by a key that the DNS does not have, and what is
// under way stays verifiable.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { after, test } from 'node:test'
import { dkimVerify } from 'mailauth'
import { createDnsResolver } from '../../src/lib/resolver.ts'
import { createSecretBox, parseSecretKeys } from '../../src/lib/secret-box.ts'
import { sql } from '../../src/lib/sql.ts'
import { newId } from '../../src/lib/uuid.ts'
import { addDomain } from '../../src/mailboxes/add-domain.ts'
import { createMailbox } from '../../src/mailboxes/create-mailbox.ts'
import { makeDkimKey } from '../../src/mailboxes/dkim-key.ts'
import { resealDkimKeys } from '../../src/mailboxes/reseal-dkim-keys.ts'
import { call, send, startTestApi } from '../support/api.ts'
import { createTestDatabase } from '../support/database.ts'
import { startTestDns } from '../support/dns.ts'
import { MDK, mdk, mdkHere } from '../support/mdk.ts'
import { operatorOf } from '../support/operator.ts'
import { TEST_SECRET_KEYS, TEST_SECRET_KEYS_TEXT } from '../support/role-parts.ts'
import { startSmtpSink } from '../support/smtp-sink.ts'
import { createTestTenant } from '../support/tenant.ts'
import { until } from '../support/until.ts'
import { startTestOutbound } from '../support/workers.ts'

const { database, url: databaseUrl } = await createTestDatabase()
const { url } = await startTestApi(database)
const { tenantId, key } = await createTestTenant(database)
const dns = await startTestDns()
const resolver = createDnsResolver([dns.server])
const sink = await startSmtpSink()
after(async () => {
  resolver.close()
  await Promise.all([dns.stop(), sink.stop()])
})
await startTestOutbound(database, { relayUrl: sink.url })
const env = { MDK_DATABASE_URL: databaseUrl, MDK_SECRET_KEYS: TEST_SECRET_KEYS_TEXT, MDK_DNS_SERVERS: dns.server }

/** A domain whose key is in the DNS, with a mailbox. */
async function makeDomain() {
  const domain = `d${newId().replaceAll('-', '')}.test`
  const dkim = { key: await makeDkimKey(), secretBox: createSecretBox(TEST_SECRET_KEYS) }
  const { id, records } = await addDomain(database, operatorOf(tenantId), { domain, vouched: true, dkim })
  const address = `sender@${domain}`
  const mailbox = await createMailbox(database, operatorOf(tenantId), { address, displayName: 'Sender' })
  const published = records.find((record) => record.purpose === 'dkim') ?? assert.fail()
  dns.zone[published.name] = { TXT: [published.value] }
  return { domain, id, published, fromMailboxId: mailbox.id }
}

async function mailFrom(fromMailboxId: string): Promise<Buffer> {
  const { length } = sink.mails
  const answer = await send(url, key, { fromMailboxId, to: ['you@example.com'], subject: 'x', text: 'x' })
  assert.equal(answer.status, 202)
  const sent = async () =>
    (await call(url, 'GET', `/v1/messages/${answer.body.id}`, { key })).body.message.status === 'sent'
  await until('it is sent', sent)
  return sink.mails[length]?.bytes ?? assert.fail()
}

const selectorOf = (mail: Buffer) => /\bs=([\w-]+)/.exec(mail.toString('latin1'))?.[1]

async function verdictOf(mail: Buffer): Promise<string | undefined> {
  const { results } = await dkimVerify(mail, {
    resolver: async (name: string, type: string) => {
      const answer = await resolver.query(name, type as 'TXT')
      return answer.kind === 'records' ? answer.records : []
    },
  })
  return results[0]?.status.result
}

const rotate = (domain: string) => mdkHere(env, 'domain', 'rotate-dkim', domain)

test('the next key signs once the DNS has it, and what the one before has signed stays good for a week', async () => {
  const { domain, published, fromMailboxId } = await makeDomain()
  const before = await mailFrom(fromMailboxId)
  const prepared = await rotate(domain)
  assert.equal(prepared.state, 'prepared')
  assert.notEqual(prepared.publish.name, published.name)
  assert.deepEqual(await rotate(domain), prepared, 'the same key, however often it is asked')
  assert.equal(selectorOf(await mailFrom(fromMailboxId)), selectorOf(before), 'the DNS does not have it')

  dns.zone[prepared.publish.name] = { TXT: [published.value] }
  assert.equal((await rotate(domain)).state, 'prepared', 'what stands there is another key')
  dns.zone[prepared.publish.name] = { TXT: [prepared.publish.value] }
  const signing = await rotate(domain)
  assert.deepEqual([signing.state, signing.keep], ['signing', published])
  const days = (Date.parse(signing.until) - Date.now()) / 86_400_000
  assert.ok(days > 6.9 && days < 7.1)
  const now = await mailFrom(fromMailboxId)
  assert.equal(`${selectorOf(now)}._domainkey.${domain}`, prepared.publish.name)
  assert.deepEqual([await verdictOf(before), await verdictOf(now)], ['pass', 'pass'])
  assert.deepEqual(await rotate(domain), signing)

  await database.rows(sql`update dkim_turns set previous_until = clock_timestamp() where tenant_id = ${tenantId}`)
  assert.deepEqual(await rotate(domain), { state: 'turned', remove: published })
  delete dns.zone[published.name]
  assert.equal(await verdictOf(await mailFrom(fromMailboxId)), 'pass')
  const shown = await mdkHere(env, 'domain', 'show', domain)
  assert.ok(shown.records.some((record: { name: string }) => record.name === prepared.publish.name))
})

test('several at once, and one that is killed, make one key and turn once', async () => {
  const { domain, id, fromMailboxId } = await makeDomain()
  const asked = await Promise.all([1, 2, 3].map(() => mdk(env, 'domain', 'rotate-dkim', domain)))
  const [first] = asked
  for (const { status, json, stderr } of asked) {
    assert.equal(status, 0, stderr)
    assert.deepEqual(json, first?.json)
  }
  dns.zone[first?.json.publish.name] = { TXT: [first?.json.publish.value] }
  dns.delayMs = 2_000
  const { length } = dns.questions
  const killed = spawn(MDK, ['domain', 'rotate-dkim', domain], {
    env: { PATH: process.env.PATH ?? '', ...env },
    stdio: 'ignore',
  })
  const exited = once(killed, 'exit')
  await until('it asks the DNS', () => dns.questions.length > length)
  killed.kill('SIGKILL')
  await exited
  dns.delayMs = 0
  const turned = await Promise.all([1, 2].map(() => mdk(env, 'domain', 'rotate-dkim', domain)))
  assert.deepEqual(
    turned.map(({ json }) => json.state),
    ['signing', 'signing'],
  )
  const records = await database.rows(sql<{ state: string }>`
    select details ->> 'state' as state from audit_log
    where operation = 'domain.rotate-dkim' and resource_id = ${id} order by at`)
  assert.deepEqual(
    records.map(({ state }) => state),
    ['prepared', 'signing'],
  )
  assert.equal(await verdictOf(await mailFrom(fromMailboxId)), 'pass')
})

test('a key that is about to sign is sealed anew with the others', async () => {
  const { domain, id } = await makeDomain()
  const { publish } = await rotate(domain)
  const both = parseSecretKeys(`2:${Buffer.alloc(32, 2).toString('base64')},${TEST_SECRET_KEYS_TEXT}`)
  for (let count = 100; count === 100; ) count = await resealDkimKeys(database, createSecretBox(both), 2, 100)
  const old = await database.rows(sql`
    select from dkim_turns where sealed_with(next_private_key) = 1
    union all select from domains where sealed_with(dkim_private_key) = 1`)
  assert.equal(old.length, 0)
  dns.zone[publish.name] = { TXT: [publish.value] }
  const keys = `2:${Buffer.alloc(32, 2).toString('base64')},${TEST_SECRET_KEYS_TEXT}`
  const turned = await mdkHere({ ...env, MDK_SECRET_KEYS: keys }, 'domain', 'rotate-dkim', id)
  assert.equal(turned.state, 'signing')
})
