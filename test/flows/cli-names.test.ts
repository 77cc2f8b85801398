// What an operator looks at and how it is named: every noun has `list` and `show`, and wherever an id is taken a name or an
// address will do, as long as it says which one is meant.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { call, send, startTestApi } from '../support/api.ts'
import { createTestDatabase } from '../support/database.ts'
import { feedCaughtUp } from '../support/feed.ts'
import { mdkHere, mdkInside } from '../support/mdk.ts'
import { startReceiver } from '../support/receiver.ts'

const { database, url: databaseUrl } = await createTestDatabase()
const env = { MDK_DATABASE_URL: databaseUrl, MDK_DNS_SERVERS: '127.0.0.1:1', MDK_SECRET_KEYS: `1:${'A'.repeat(43)}=` }
const { url } = await startTestApi(database)
const ok = (...args: string[]) => mdkHere(env, ...args)

/** What a command that must fail says. */
async function refusal(...args: string[]): Promise<string> {
  const { status, stdout, stderr } = await mdkInside(env, ...args)
  assert.deepEqual([status, stdout], [1, ''], args.join(' '))
  return JSON.parse(stderr).message
}

const acme = await ok('tenant', 'create', '--name', 'Acme', '--plan', 'unlimited')
const bolt = await ok('tenant', 'create', '--name', 'Bolt')
await ok('domain', 'add', '--tenant', 'Acme', '--domain', 'acme.test', '--verified')
const mailbox = await ok('mailbox', 'create', '--tenant', 'Acme', '--address', 'hi@acme.test', '--name', 'Hi')
const shop = await ok('app', 'create', '--tenant', 'Acme', '--name', 'Shop', '--environment', 'production')
const other = await ok('app', 'create', '--tenant', 'Bolt', '--name', 'Shop', '--environment', 'sandbox')
const box = await ok('app', 'create', '--tenant', 'Acme', '--name', 'Box', '--environment', 'sandbox')
const scopes = ['messages:send', 'messages:read', 'webhooks:write'].flatMap((scope) => ['--scope', scope])
const key = await ok('key', 'create', '--app', 'Shop', '--tenant', 'Acme', ...scopes, '--name', 'ci')
const boxKey = await ok('key', 'create', '--app', 'Box', ...scopes)
const receiver = await startReceiver()
const made = await call(url, 'POST', '/v1/webhook-endpoints', {
  key: key.key,
  body: { url: receiver.url, eventTypes: ['message.bounced'] },
})
const endpoint = made.body.endpoint

test('each noun is listed where it belongs, and shown by its id and by its name', async () => {
  const tenants = await ok('tenant', 'list')
  assert.deepEqual(Object.keys(tenants), ['items'])
  assert.deepEqual(
    tenants.items.map(({ id, name, plan, status }: Record<string, string>) => [id, name, plan, status]),
    [
      [acme.id, 'Acme', 'unlimited', 'active'],
      [bolt.id, 'Bolt', 'standard', 'active'],
    ],
  )
  const domains = await ok('domain', 'list', '--tenant', 'Acme')
  assert.equal(domains.items[0].mailboxCount, 1)
  assert.equal(domains.items[0].records, undefined)
  for (const [noun, list, id, name] of [
    ['tenant', [], acme.id, 'Acme'],
    ['domain', ['--tenant', 'Acme'], domains.items[0].id, 'ACME.test.'],
    ['mailbox', ['--tenant', acme.id], mailbox.id, 'Hi@Acme.test'],
    ['app', ['--tenant', 'Acme'], box.id, 'Box'],
    ['key', ['--app', shop.id], key.id, 'ci'],
    ['endpoint', ['--app', shop.id], endpoint.id, receiver.url],
  ] as [string, string[], string, string][]) {
    const { items } = await ok(noun, 'list', ...list)
    const shown = await ok(noun, 'show', id)
    assert.equal(shown.id, id, noun)
    for (const [member, value] of Object.entries(items.find((item: { id: string }) => item.id === id))) {
      assert.deepEqual(shown[member], value, `${noun} ${member}`)
    }
    assert.deepEqual(await ok(noun, 'show', name), shown)
    assert.deepEqual(await ok(noun, 'show', id.toUpperCase()), shown)
  }
  assert.deepEqual((await ok('app', 'list', '--tenant', bolt.id)).items.length, 1)
  assert.deepEqual((await ok('key', 'list', '--app', other.id)).items, [])
})

test('a domain shows the records that it was added with', async () => {
  const added = await ok('domain', 'add', '--tenant', 'Acme', '--domain', 'two.acme.test')
  assert.deepEqual((await ok('domain', 'show', 'two.acme.test')).records, added.records)
})

test('a name that several have is refused with all of them, until it is said whose', async () => {
  const words = await refusal('app', 'suspend', 'Shop')
  assert.match(words, /^"Shop" is the name of 2 applications; give the id of one:\n/)
  assert(words.includes(`  ${shop.id}  production, of Acme`), words)
  assert(words.includes(`  ${other.id}  sandbox, of Bolt`), words)
  assert.equal((await ok('app', 'suspend', 'Shop', '--tenant', 'Bolt')).id, other.id)
  assert.equal((await ok('app', 'show', 'Shop', '--tenant', acme.id)).status, 'active')
  assert.match(await refusal('key', 'list', '--app', 'Shop'), /2 applications/)
  assert.match(await refusal('app', 'show', 'Box', '--tenant', 'Bolt'), /no application "Box"/)
  assert.match(await refusal('app', 'show', box.id, '--tenant', 'Bolt'), /no such application/)
})

test('an id is never taken for a name', async () => {
  const named = await ok('tenant', 'create', '--name', acme.id)
  assert.equal((await ok('tenant', 'show', acme.id)).name, 'Acme')
  assert.equal((await ok('tenant', 'show', named.id)).name, acme.id)
  assert.match(await refusal('tenant', 'show', endpoint.id), /no such tenant/)
})

test('a key is named by what it begins with, or by the whole of it', async () => {
  assert.equal((await ok('key', 'show', boxKey.key.slice(0, 15))).id, boxKey.id)
  assert.equal((await ok('key', 'show', boxKey.key)).id, boxKey.id)
  assert.match(await refusal('key', 'show', boxKey.key.slice(0, 14)), /no key "mdk_test_/)
  assert.match(await refusal('key', 'show', boxKey.key.slice(0, 15), '--app', shop.id), /no key/)
  assert(!JSON.stringify(await ok('key', 'show', boxKey.id)).includes(boxKey.key.slice(31)), 'nothing of the secret')
  const second = await ok('key', 'create', '--app', shop.id, '--scope', 'messages:read', '--name', 'ci')
  assert.match(await refusal('key', 'revoke', 'ci'), new RegExp(`2 keys.*\n.*${second.id}[^]*${key.id}`))
  await ok('key', 'revoke', second.key.slice(0, 20))
  assert.notEqual((await ok('key', 'show', second.id)).revokedAt, null)
})

test('messages are listed by tenant, mailbox and sandbox, page by page, and one is shown', async () => {
  const body = { fromMailboxId: mailbox.id, to: ['a@example.test'], subject: 'Hello', text: 'x' }
  for (let i = 0; i < 3; i++) assert.equal((await send(url, key.key, body)).status, 202)
  const inBox = await send(url, boxKey.key, body)
  const first = await ok('message', 'list', '--tenant', 'Acme', '--limit', '2')
  const last = await ok('message', 'list', '--tenant', 'Acme', '--cursor', first.nextCursor)
  assert.deepEqual([first.items.length, last.items.length, last.nextCursor], [2, 1, null])
  const ids = (page: { items: { id: string }[] }) => page.items.map(({ id }) => id)
  assert.deepEqual(ids(await ok('message', 'list', '--mailbox', 'hi@acme.test')), [...ids(first), ...ids(last)])
  assert.deepEqual(ids(await ok('message', 'list', '--app', 'Box')), [inBox.body.id])
  const shown = await ok('message', 'show', inBox.body.id)
  assert.deepEqual([shown.subject, shown.recipients[0].address], ['Hello', 'a@example.test'])
  assert.match(await refusal('message', 'list'), /--tenant, --mailbox, or --app/)
  assert.match(await refusal('message', 'list', '--mailbox', 'nobody@acme.test'), /no mailbox "nobody@acme.test"/)
  assert.match(await refusal('message', 'list', '--tenant', 'Acme', '--cursor', 'x'), /cursor/)
  assert.match(await refusal('message', 'list', '--tenant', 'Bolt', '--mailbox', 'hi@acme.test'), /mailboxId/)
})

test('events are listed newest first, of production or of a sandbox', async () => {
  await feedCaughtUp(database)
  const { items } = await ok('events', 'list', '--tenant', 'Acme', '--limit', '2')
  assert.deepEqual(
    items.map(({ type }: { type: string }) => type),
    ['message.queued', 'message.queued'],
  )
  const triggered = await ok('events', 'trigger', '--app', 'Box', '--type', 'message.delivered')
  assert.equal((await ok('events', 'list', '--app', 'Box')).items[0].id, triggered.id)
  assert.match(await refusal('events', 'list'), /--tenant, or --app/)
  const shown = await ok('events', 'show', items[0].id)
  assert.deepEqual([shown.type, shown.tenantId, shown.data.subject], ['message.queued', acme.id, 'Hello'])
  assert.match(await refusal('events', 'show', box.id), /no such event/)
})

test('a record of the audit log is shown as it is listed, that of a send too', async () => {
  const { items } = await ok('audit', 'list', '--tenant', 'Acme')
  const sends = items.filter(({ operation }: { operation: string }) => operation === 'sendMessage')
  assert.equal(sends.length, 4)
  for (const record of [sends[0], items.at(-1)]) assert.deepEqual(await ok('audit', 'show', record.id), record)
  assert.match(await refusal('audit', 'show', box.id), /no such record/)
})

test('an endpoint is disabled by its URL', async () => {
  assert.deepEqual(await ok('endpoint', 'disable', receiver.url), { id: endpoint.id, enabled: false })
  assert.equal((await ok('endpoint', 'show', receiver.url)).disabledReason, 'disabled by the operator')
})
