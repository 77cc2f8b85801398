// What the webmail gives a user of what is in a message: by its id, by what lies in it, and by nobody else.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../src/lib/sql.ts'
import { newId, type Uuid } from '../../src/lib/uuid.ts'
import { addMailboxUser } from '../../src/mailboxes/add-mailbox-user.ts'
import { createMailbox } from '../../src/mailboxes/create-mailbox.ts'
import { removeMailboxUser } from '../../src/mailboxes/remove-mailbox-user.ts'
import { openTestStore, send, startTestApi } from '../support/api.ts'
import { createTestDatabase } from '../support/database.ts'
import { startTestInbound } from '../support/inbound.ts'
import { operatorOf } from '../support/operator.ts'
import { createTestMailboxUser, type TestUser } from '../support/people.ts'
import { startTestSite } from '../support/site.ts'
import { authenticated, HEAD, makePlace, moveTo, PNG, part, receive, withFiles } from '../support/webmail-mail.ts'

const { database } = await createTestDatabase()
const store = await openTestStore()
const inbound = await startTestInbound(database, { store })
const api = await startTestApi(database, { store })
const site = await startTestSite('webmail', database, { store })

const ask = (user: TestUser, path: string, method = 'GET', body?: unknown) =>
  site.ask(method, path, { session: user.session, body })

async function open(user: TestUser, id: Uuid) {
  const answer = await ask(user, `/data/messages/${id}`)
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}

test('a message that came is told whole, and reading it leaves no record', async () => {
  const place = await makePlace(database)
  const id = await receive(
    database,
    inbound.port,
    place,
    withFiles(
      '<p>Hello <img src="cid:logo@shop"></p>',
      part('Content-Type: image/png\r\nContent-ID: <logo@shop>\r\nContent-Disposition: inline; filename=logo.png', PNG),
      part('Content-Type: text/plain\r\nContent-Disposition: attachment; filename=notes.txt', 'Notes'),
    ),
  )
  const message = await open(place.user, id)
  assert.deepEqual(
    {
      ...{ id: message.id, direction: message.direction, from: message.from, bcc: message.bcc, status: message.status },
      ...{ subject: message.subject, html: message.html, text: message.text, isCut: message.isCut },
      entries: message.entries,
    },
    {
      ...{ id, direction: 'inbound', from: { address: 'ada@shop.example', name: 'Ada' }, bcc: [], status: 'received' },
      ...{ subject: 'Hello', html: '<p>Hello <img src="cid:logo@shop"></p>', text: message.text, isCut: false },
      entries: [{ mailboxId: place.tenant.mailboxId, folder: 'inbox', isRead: false, isStarred: false }],
    },
  )
  assert.deepEqual(
    message.attachments.map((file: Record<string, unknown>) => [file.filename, file.isInline, file.preview]),
    [
      ['logo.png', true, 'image'],
      ['notes.txt', false, 'text'],
    ],
  )
  assert.deepEqual(Object.keys(message.inline), ['logo@shop'])
  assert.match(message.inline['logo@shop'], /^\/inline\/[\w-]+$/)
  // Nobody answers for the domain here.
  assert.equal(message.badge.kind, 'unverified')
  assert.deepEqual(message.images, { mayShow: true, always: false, why: null })
  assert.deepEqual(message.recipients, [])
  const acts = await database.rows(sql`
    select operation from audit_log where tenant_id = ${place.tenant.tenantId} and mailbox_user_id = ${place.user.id}
      and resource_type in ('message', 'attachment')`)
  assert.deepEqual(acts, [])
})

test('a message that was sent says what became of it, and to whom the blind copies went', async () => {
  const place = await makePlace(database)
  const { body } = await send(api.url, place.tenant.key, {
    ...{ fromMailboxId: place.tenant.mailboxId, subject: 'Hello', text: 'Words' },
    ...{ to: ['ada@shop.example'], bcc: ['eve@shop.example'] },
  })
  const message = await open(place.user, body.id)
  assert.equal(message.direction, 'outbound')
  assert.equal(message.badge, null)
  assert.deepEqual(message.bcc, [{ address: 'eve@shop.example', name: null }])
  assert.deepEqual(
    message.recipients.map(({ address, kind, status }: Record<string, unknown>) => [address, kind, status]),
    [
      ['ada@shop.example', 'to', 'queued'],
      ['eve@shop.example', 'bcc', 'queued'],
    ],
  )
  assert.deepEqual(message.entries, [
    { mailboxId: place.tenant.mailboxId, folder: 'sent', isRead: true, isStarred: false },
  ])
})

test('what lies in none of the user’s mailboxes is absent, part by part, and so is what did until access ended', async () => {
  const [place, other] = [await makePlace(database), await makePlace(database)]
  const address = `second@${place.tenant.address.split('@')[1]}`
  const second = await createMailbox(database, operatorOf(place.tenant.tenantId), { address, displayName: 'Second' })
  const ofSecond = await createTestMailboxUser(database, place.tenant.tenantId, second.id)
  const both = await receive(database, inbound.port, place, `${HEAD}\r\nTo both`, [place.tenant.address, address])
  const own = await receive(database, inbound.port, place, `${HEAD}\r\nTo one`)
  assert.deepEqual(
    (await open(ofSecond, both)).entries.map(({ mailboxId }: { mailboxId: Uuid }) => mailboxId),
    [second.id],
  )
  const paths = (id: Uuid) => ['', '/source', '/raw'].map((part) => `/data/messages/${id}${part}`)
  for (const path of paths(both)) assert.equal((await ask(ofSecond, path)).status, 200, path)
  for (const path of [...paths(own), ...paths(newId())]) assert.equal((await ask(ofSecond, path)).status, 404, path)
  for (const path of [...paths(own), ...paths(both)]) assert.equal((await ask(other.user, path)).status, 404, path)
  // Somebody keeps the session by another mailbox.
  await addMailboxUser(database, operatorOf(place.tenant.tenantId), {
    ...{ mailboxId: second.id, login: place.user.login, access: 'read' as const },
  })
  await removeMailboxUser(database, operatorOf(place.tenant.tenantId), {
    ...{ mailboxId: place.tenant.mailboxId, userId: place.user.id },
  })
  for (const path of paths(own)) assert.equal((await ask(place.user, path)).status, 404, path)
  assert.deepEqual(
    (await open(place.user, both)).entries.map(({ mailboxId }: { mailboxId: Uuid }) => mailboxId),
    [second.id],
  )
})

test('the source is shown up to 256 KiB, and downloaded whole', async () => {
  const place = await makePlace(database)
  const [short, long] = [
    await receive(database, inbound.port, place, `${HEAD}\r\nShort`),
    await receive(database, inbound.port, place, `${HEAD}\r\n${'0123456789abcdef\r\n'.repeat(20_000)}`),
  ]
  const whole = (await ask(place.user, `/data/messages/${short}/source`)).body
  assert.equal(whole.isCut, false)
  assert.match(whole.source, /Subject: Hello\r\n\r\nShort/)
  const { source, isCut } = (await ask(place.user, `/data/messages/${long}/source`)).body
  assert.deepEqual([source.length, isCut], [256 * 1024, true])
  const file = await ask(place.user, `/data/messages/${long}/raw`)
  assert.equal(file.headers.get('content-type'), 'message/rfc822')
  assert.match(file.headers.get('content-disposition') ?? '', /^attachment; filename="[\w-]+\.eml"$/)
  assert.equal(file.headers.get('content-security-policy'), "sandbox; default-src 'none'")
  assert(file.text.startsWith(source.slice(0, 1_000)) && file.text.length > source.length)
})

test('a message that failed DMARC is told as one that pretends, and its images are not to be had', async () => {
  const place = await makePlace(database)
  const id = await receive(database, inbound.port, place, withFiles('<img src="https://shop.example/a.png">'))
  await authenticated(database, place, id, 'fail')
  const { badge, images } = await open(place.user, id)
  assert.equal(badge.kind, 'failed')
  assert.match(badge.words, /^Pretends to be from shop\.example/)
  assert.deepEqual([images.mayShow, images.always], [false, false])
  assert.match(images.why, /pretends/)
})

test('images of a sender are shown without being asked when the user says so and DMARC has passed, and not in spam', async () => {
  const place = await makePlace(database)
  const id = await receive(database, inbound.port, place, withFiles('<img src="https://shop.example/a.png">'))
  await authenticated(database, place, id, 'pass')
  assert.equal((await open(place.user, id)).images.always, false)
  assert.equal((await ask(place.user, '/data/image-senders', 'POST', { address: 'Ada@SHOP.example' })).status, 204)
  assert.deepEqual((await open(place.user, id)).images, { mayShow: true, always: true, why: null })
  await moveTo(api.url, place, id, 'spam')
  assert.equal((await open(place.user, id)).images.mayShow, false)
  await moveTo(api.url, place, id, 'inbox')
  await authenticated(database, place, id, 'none')
  assert.deepEqual((await open(place.user, id)).images, { mayShow: true, always: false, why: null })
})

test('settings are kept for the user, what is not named stays, and nothing else is taken', async () => {
  const { user } = await makePlace(database)
  const read = async () => (await ask(user, '/data/settings')).body
  assert.deepEqual(await read(), { shortcuts: true, theme: 'system', notifications: false, imageSenders: [] })
  assert.equal((await ask(user, '/data/settings', 'PATCH', { theme: 'dark' })).status, 204)
  assert.equal((await ask(user, '/data/settings', 'PATCH', { shortcuts: false, notifications: true })).status, 204)
  assert.deepEqual(await read(), { shortcuts: false, theme: 'dark', notifications: true, imageSenders: [] })
  for (const body of [{}, { theme: 'pink' }, { shortcuts: 'no' }, { imageSenders: [] }]) {
    assert.equal((await ask(user, '/data/settings', 'PATCH', body)).status, 400, JSON.stringify(body))
  }
  // Each of two at once changes what it names.
  await Promise.all([
    ask(user, '/data/settings', 'PATCH', { theme: 'light' }),
    ask(user, '/data/settings', 'PATCH', { shortcuts: true }),
  ])
  assert.deepEqual(await read(), { shortcuts: true, theme: 'light', notifications: true, imageSenders: [] })
})

test('senders whose images show are kept once, up to 1,000, whoever adds at once, and removed', async () => {
  const { tenant, user } = await makePlace(database)
  const add = (address: string) => ask(user, '/data/image-senders', 'POST', { address })
  const remove = (address: string) => ask(user, `/data/image-senders?address=${encodeURIComponent(address)}`, 'DELETE')
  assert.equal((await add('ada@shop.example')).status, 204)
  assert.equal((await add('ADA@shop.example')).status, 204)
  assert.equal((await add('jürgen+a&b@münchen.example')).status, 204)
  assert.deepEqual((await ask(user, '/data/settings')).body.imageSenders, [
    'ada@shop.example',
    'jürgen+a&b@xn--mnchen-3ya.example',
  ])
  assert.equal((await add('nobody')).status, 400)
  assert.equal((await remove('jürgen+a&b@münchen.example')).status, 204)
  assert.equal((await remove('jürgen+a&b@münchen.example')).status, 404)
  await database.rows(sql`
    insert into image_senders (tenant_id, user_id, address)
    select ${tenant.tenantId}, ${user.id}, i || '@many.example' from generate_series(1, 997) i`)
  const answers = await Promise.all([1, 2, 3, 4, 5].map((i) => add(`${i}@last.example`)))
  assert.deepEqual(answers.map(({ status }) => status).sort(), [204, 204, 400, 400, 400])
  assert.equal((await add('ada@shop.example')).status, 204)
  assert.match(answers.find(({ status }) => status === 400)?.text ?? '', /1,000 senders/)
  const acts = await database.rows(sql<{ operation: string }>`
    select operation from audit_log where tenant_id = ${tenant.tenantId} and mailbox_user_id = ${user.id}
      and operation like 'imageSender.%'`)
  assert.equal(acts.length, 5)
})
