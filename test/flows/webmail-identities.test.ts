// The name and the signature of whoever writes in the webmail: in each mailbox, of each user, as long as the user has it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../src/lib/sql.ts'
import { newId, type Uuid } from '../../src/lib/uuid.ts'
import { addMailboxUser } from '../../src/mailboxes/add-mailbox-user.ts'
import { createMailbox } from '../../src/mailboxes/create-mailbox.ts'
import { removeMailboxUser } from '../../src/mailboxes/remove-mailbox-user.ts'
import { setMailboxAccess } from '../../src/mailboxes/set-mailbox-access.ts'
import { createTestDatabase } from '../support/database.ts'
import { operatorOf } from '../support/operator.ts'
import { createTestMailboxUser, type TestUser } from '../support/people.ts'
import { startTestSite } from '../support/site.ts'
import { makePlace, type Place } from '../support/webmail-mail.ts'

const { database } = await createTestDatabase()
const site = await startTestSite('webmail', database)

const list = async (user: TestUser) => (await site.ask('GET', '/data/identities', { session: user.session })).body.items
const set = (user: TestUser, mailboxId: Uuid, body: unknown) =>
  site.ask('PUT', `/data/identities/${mailboxId}`, { session: user.session, body })

/** Another mailbox of the tenant, which the user has too. */
async function another({ tenant, user }: Place, access: 'read' | 'write'): Promise<Uuid> {
  const by = operatorOf(tenant.tenantId)
  const address = `a-${newId()}@${tenant.address.split('@')[1]}`
  const { id } = await createMailbox(database, by, { address, displayName: 'Another' })
  await addMailboxUser(database, by, { mailboxId: id, login: user.login, access })
  return id
}

test('a user has a name and a signature in each mailbox that the user writes from, and other users theirs', async () => {
  const place = await makePlace(database)
  const { tenant, user } = place
  const other = await createTestMailboxUser(database, tenant.tenantId, tenant.mailboxId)
  const second = await another(place, 'write')
  await another(place, 'read')
  const nothing = { name: null, signature: null }
  const mailboxes = [tenant.mailboxId, second]
  const byId = (items: { mailboxId: Uuid }[]) => Object.fromEntries(items.map((item) => [item.mailboxId, item]))
  assert.deepEqual(byId(await list(user)), byId(mailboxes.map((mailboxId) => ({ mailboxId, ...nothing }))))
  const mine = { name: ' Ada Løvelace 山 ', signature: '<p>Ada</p>\n' }
  const kept = { mailboxId: second, name: 'Ada Løvelace 山', signature: '<p>Ada</p>' }
  assert.deepEqual((await set(user, second, mine)).body, kept)
  assert.deepEqual(byId(await list(user)), byId([{ mailboxId: tenant.mailboxId, ...nothing }, kept]))
  assert.deepEqual(await list(other), [{ mailboxId: tenant.mailboxId, ...nothing }])
  const acts = await database.rows(sql<{ operation: string; by: Uuid }>`
    select operation, mailbox_user_id as by from audit_log where resource_id = ${second} and operation = 'identity.change'`)
  assert.deepEqual(acts, [{ operation: 'identity.change', by: user.id }])
  assert.deepEqual((await set(user, second, { name: '', signature: ' ' })).body, { mailboxId: second, ...nothing })
})

test('a name has 200 characters at most and no line ends, a signature 20,000', async () => {
  const { tenant, user } = await makePlace(database)
  const code = async (body: unknown) => (await set(user, tenant.mailboxId, body)).status
  assert.equal(await code({ name: 'x'.repeat(200), signature: 'y'.repeat(20_000) }), 200)
  assert.equal(await code({ name: '山'.repeat(200), signature: '山'.repeat(20_000) }), 200)
  const bad = ['x'.repeat(201), 'a\nBcc: b@example.test', 'a\rb', 'a\u0000b', 'a\u2028b', '\ud800', 7]
  for (const name of bad) assert.equal(await code({ name, signature: null }), 400, JSON.stringify(name))
  for (const signature of ['y'.repeat(20_001), '\u0000']) assert.equal(await code({ name: null, signature }), 400)
  assert.equal(await code({ name: 'a' }), 400)
  assert.equal((await list(user))[0].name, '山'.repeat(200))
})

test('a mailbox that the user has not is absent, one to read alone is not signed for, and with the access its identity goes', async () => {
  const place = await makePlace(database)
  const { tenant, user } = place
  const stranger = await makePlace(database)
  const by = operatorOf(tenant.tenantId)
  const mailboxId = await another(place, 'write')
  const mine = { name: 'Ada', signature: '<p>Ada</p>' }
  assert.equal((await set(stranger.user, mailboxId, mine)).status, 404)
  assert.equal((await set(user, stranger.tenant.mailboxId, mine)).status, 404)
  assert.equal((await set(user, mailboxId, mine)).status, 200)
  await setMailboxAccess(database, by, { mailboxId, userId: user.id, access: 'read' })
  assert.deepEqual((await set(user, mailboxId, mine)).body.code, 'not_allowed')
  assert.deepEqual(
    (await list(user)).map((item: { mailboxId: Uuid }) => item.mailboxId),
    [tenant.mailboxId],
  )
  const reader = await createTestMailboxUser(database, tenant.tenantId, tenant.mailboxId)
  await setMailboxAccess(database, by, { mailboxId: tenant.mailboxId, userId: reader.id, access: 'read' })
  assert.equal((await site.ask('GET', '/data/identities', { session: reader.session })).status, 403)
  await removeMailboxUser(database, by, { mailboxId, userId: user.id })
  assert.equal((await set(user, mailboxId, mine)).status, 404)
  assert.deepEqual(await database.rows(sql`select from sender_identities where mailbox_id = ${mailboxId}`), [])
})
