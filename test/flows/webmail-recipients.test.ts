// Whom the webmail suggests to write to: people of earlier mail of the user's mailboxes, the best first, at the same cost however many.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rebuildActivity } from '../../src/activity/rebuild-activity.ts'
import { sql } from '../../src/lib/sql.ts'
import { newId, type Uuid } from '../../src/lib/uuid.ts'
import { addMailboxUser } from '../../src/mailboxes/add-mailbox-user.ts'
import { createMailbox } from '../../src/mailboxes/create-mailbox.ts'
import { removeMailboxUser } from '../../src/mailboxes/remove-mailbox-user.ts'
import { addSuppression } from '../../src/suppressions/add-suppression.ts'
import { activityFaults, followAll } from '../support/activity.ts'
import { send, startTestApi } from '../support/api.ts'
import { createTestDatabase } from '../support/database.ts'
import { type MailboxMail, writeMail } from '../support/mailbox-mail.ts'
import { operator, operatorOf } from '../support/operator.ts'
import { createTestMailboxUser, type TestUser } from '../support/people.ts'
import { startTestSite } from '../support/site.ts'
import { flushStatistics } from '../support/statistics.ts'
import { createTestTenant } from '../support/tenant.ts'
import { makePlace, type Place } from '../support/webmail-mail.ts'

const { database } = await createTestDatabase({ alone: true })
const site = await startTestSite('webmail', database)
const api = await startTestApi(database)

const ask = (user: TestUser, mailbox: Uuid, q: string) =>
  site.ask('GET', `/data/recipients?mailbox=${mailbox}&q=${encodeURIComponent(q)}`, { session: user.session })

async function suggested({ user, tenant }: Place, q: string, mailbox = tenant.mailboxId): Promise<string[]> {
  const { status, body } = await ask(user, mailbox, q)
  assert.equal(status, 200, JSON.stringify(body))
  return body.items.map(({ address, name }: { address: string; name: string | null }) =>
    name === null ? address : `${name} <${address}>`,
  )
}

/** Mail of these comes in. */
async function receive({ tenant }: Place, mail: readonly Partial<MailboxMail>[], mailboxIds = [tenant.mailboxId]) {
  const ids = await writeMail(
    database,
    tenant.tenantId,
    mail.map((one) => ({ mailboxIds, ...one })),
  )
  await followAll(database)
  return ids
}

async function write({ tenant }: Place, to: string[], more: { cc?: string[]; bcc?: string[] } = {}): Promise<void> {
  const body = { fromMailboxId: tenant.mailboxId, to, ...more, subject: 'Hi', text: 'Hello' }
  assert.equal((await send(api.url, tenant.key, body)).status, 202)
  await followAll(database)
}

async function another({ tenant, user }: Place): Promise<Uuid> {
  const by = operatorOf(tenant.tenantId)
  const address = `a-${newId()}@${tenant.address.split('@')[1]}`
  const { id } = await createMailbox(database, by, { address, displayName: 'Another' })
  await addMailboxUser(database, by, { mailboxId: id, login: user.login, access: 'read' })
  return id
}

/** All that is kept of whom a tenant's mailboxes write with. */
async function kept({ tenant }: Place): Promise<unknown> {
  const rows = await database.rows(sql<{ row: string }>`
    select c::text as row from correspondents c where c.tenant_id = ${tenant.tenantId}
    union all select w::text from correspondent_words w where w.tenant_id = ${tenant.tenantId}
    union all select s.correspondents::text from searched_mailboxes s where s.tenant_id = ${tenant.tenantId}
    order by row`)
  return rows.map(({ row }) => row)
}

test('who has written, and to whom mail went, are suggested by address and each word of the name, the best first', async () => {
  const place = await makePlace(database)
  await receive(place, [
    { from: 'ada@shop.example', fromName: 'Adá Løvelace' },
    { from: 'adam@shop.example', createdAt: '2020-01-01T00:00:00Z' },
    { from: 'grace@navy.example', fromName: 'Grace Hopper' },
  ])
  await write(place, ['adele@music.example'], { cc: ['cc@music.example'], bcc: ['bcc@music.example'] })
  const [adele, ada, adam] = ['adele@music.example', 'Adá Løvelace <ada@shop.example>', 'adam@shop.example']
  assert.deepEqual(await suggested(place, 'ad'), [adele, ada, adam])
  assert.deepEqual(await suggested(place, 'ADA'), [ada, adam])
  for (const q of ['lov', 'LØVE', 'ada lo', 'ada@sh']) assert.deepEqual(await suggested(place, q), [ada], q)
  assert.deepEqual(await suggested(place, 'music'), [adele, 'bcc@music.example', 'cc@music.example'])
  assert.deepEqual(await suggested(place, 'nobody'), [])
  assert.deepEqual(await suggested(place, '<>'), [])
  await receive(place, [{ from: 'Ada@Shop.example', fromName: 'Countess Ada' }])
  assert.deepEqual(await suggested(place, 'lov'), [])
  assert.deepEqual(await suggested(place, 'count'), ['Countess Ada <Ada@Shop.example>'])
  assert.deepEqual((await suggested(place, 'a')).length, 3)
})

test('eight are suggested at most, and what is asked has its bounds', async () => {
  const place = await makePlace(database)
  await receive(
    place,
    Array.from({ length: 9 }, (_, n) => ({ from: `x${n}@shop.example` })),
  )
  assert.equal((await suggested(place, 'x')).length, 8)
  const status = async (q: string) => (await ask(place.user, place.tenant.mailboxId, q)).status
  assert.deepEqual([await status('x'.repeat(320)), await status('x'.repeat(321)), await status('')], [200, 400, 400])
})

test('spam, mail that pretends, and addresses at which nobody reads are not suggested, unless they were written to', async () => {
  const place = await makePlace(database)
  const { tenantId } = place.tenant
  const ids = await writeMail(
    database,
    tenantId,
    ['zoe', 'no-reply', 'zack', 'zed'].map((local, n) => ({
      mailboxIds: [place.tenant.mailboxId],
      from: `${local}@z.example`,
      folder: n === 0 ? ('spam' as const) : ('inbox' as const),
    })),
  )
  await database.rows(sql`
    insert into message_contents (tenant_id, message_id, reply_to, reference_ids, headers, authentication)
    values (${tenantId}, ${ids[2] ?? null}, '[]', '[]', '[]', '{"dmarc": {"result": "fail"}}')`)
  await followAll(database)
  assert.deepEqual(await suggested(place, 'z'), ['zed@z.example'])
  // Filed as spam by somebody since.
  await database.rows(sql`update message_entries set folder = 'spam' where message_id = ${ids[3] ?? null}`)
  assert.deepEqual(await suggested(place, 'z'), [])
  await write(place, ['no-reply@z.example', 'zed@z.example'])
  assert.deepEqual(await suggested(place, 'z'), ['zed@z.example', 'no-reply@z.example'])
})

test('who bounced for good or is stopped comes last', async () => {
  const place = await makePlace(database)
  const { tenantId } = place.tenant
  for (let i = 0; i < 2; i += 1) await write(place, ['ka@k.example', 'kb@k.example'])
  await write(place, ['kc@k.example'])
  assert.deepEqual(await suggested(place, 'k'), ['ka@k.example', 'kb@k.example', 'kc@k.example'])
  await addSuppression(database, operatorOf(tenantId), { address: 'KA@k.example', note: null })
  await database.rows(sql`
    insert into bounced_addresses (tenant_id, environment_id, address, id, bounces, complaints, first_at, last_at,
      last_message_id, last_kind)
    values (${tenantId}, ${tenantId}, 'kb@k.example', ${newId()}, 1, 0, clock_timestamp(), clock_timestamp(), ${newId()}, 'bounced')`)
  assert.deepEqual(await suggested(place, 'k'), ['kc@k.example', 'ka@k.example', 'kb@k.example'])
})

test('people of a mailbox are suggested to its users alone, those of the mailbox that is written from first', async () => {
  const place = await makePlace(database)
  const { tenant, user } = place
  const mailboxB = await another(place)
  const ofB = await createTestMailboxUser(database, tenant.tenantId, mailboxB)
  await receive(place, [{ from: 'pa@p.example' }])
  await receive(place, [{ from: 'pb@p.example' }], [mailboxB])
  assert.deepEqual(await suggested(place, 'p'), ['pa@p.example', 'pb@p.example'])
  assert.deepEqual(await suggested(place, 'p', mailboxB), ['pb@p.example', 'pa@p.example'])
  assert.deepEqual(await suggested({ tenant, user: ofB }, 'p', mailboxB), ['pb@p.example'])
  assert.equal((await ask(ofB, tenant.mailboxId, 'p')).status, 404)
  const stranger = await makePlace(database)
  assert.equal((await ask(stranger.user, tenant.mailboxId, 'p')).status, 404)
  assert.deepEqual(await suggested(stranger, 'p'), [])
  await receive(place, [{ from: 'only-a@p.example' }])
  assert.deepEqual(await suggested({ tenant, user: ofB }, 'only', mailboxB), [])
  await removeMailboxUser(database, operatorOf(tenant.tenantId), { mailboxId: mailboxB, userId: user.id })
  assert.equal((await ask(user, mailboxB, 'p')).status, 404)
  assert.deepEqual((await suggested(place, 'p')).sort(), ['only-a@p.example', 'pa@p.example'])
})

test('each mail counts once, whoever brings it and in whatever order, and a rebuild makes all of it anew', async () => {
  const tenant = await createTestTenant(database)
  const mail = (count: number, year: number) =>
    Array.from({ length: count }, (_, n) => ({
      ...{ from: `p${n % 7}@o.example`, fromName: n % 3 ? `Person ${n}` : undefined, mailboxIds: [tenant.mailboxId] },
      createdAt: new Date(Date.UTC(year, 0, 1, 0, n)).toISOString(),
    })).map(({ fromName, ...rest }) => (fromName === undefined ? rest : { ...rest, fromName }))
  // Before anybody reads the mailbox: a walk brings it, the log what comes later.
  await writeMail(database, tenant.tenantId, mail(300, 2025))
  await followAll(database)
  const user = await createTestMailboxUser(database, tenant.tenantId, tenant.mailboxId)
  await writeMail(database, tenant.tenantId, mail(40, 2026))
  await followAll(database)
  const place = { tenant, user }
  const before = await kept(place)
  assert.equal((await suggested(place, 'p')).length, 7)
  await rebuildActivity(database, operator, tenant.tenantId, () => {})
  assert.deepEqual(await kept(place), before)
  await database.rows(sql`delete from correspondents where tenant_id = ${tenant.tenantId}`)
  await database.rows(sql`delete from correspondent_words where tenant_id = ${tenant.tenantId}`)
  await database.rows(sql`update searched_mailboxes set correspondents = 0 where tenant_id = ${tenant.tenantId}`)
  await rebuildActivity(database, operator, tenant.tenantId, () => {})
  assert.deepEqual(await kept(place), before)
})

/** As many people as that, all of them long ago. */
async function fill({ tenant }: Place, count: number): Promise<void> {
  await database.rows(sql`
    insert into correspondents (tenant_id, mailbox_id, key, address, name, named_at, mails, rank, found_by)
    select ${tenant.tenantId}, ${tenant.mailboxId}, k.key, k.key, null, 0, '[]', n / 1e6, ' ' || k.key || ' m' || n || ' '
    from generate_series(1, ${count}::integer) as n
    cross join lateral (select chr(97 + n % 26) || chr(97 + n / 26 % 26) || n || '@many.example' as key) k`)
  await database.rows(sql`
    insert into correspondent_words (tenant_id, mailbox_id, word, key)
    select c.tenant_id, c.mailbox_id, w.word, c.key from correspondents c
    cross join lateral string_to_table(trim(c.found_by), ' ') as w (word)
    where c.tenant_id = ${tenant.tenantId}`)
  await database.rows(sql`
    update searched_mailboxes set correspondents = ${count} where tenant_id = ${tenant.tenantId}`)
}

test('a mailbox keeps 20,000 people: those who were written with least and longest ago go', async () => {
  const place = await makePlace(database)
  const { tenantId } = place.tenant
  await fill(place, 19_998)
  const counts = async () => {
    const row = await database.first(sql<{ people: number; noted: number; words: number; lowest: string }>`
      select count(*) as people, (select correspondents from searched_mailboxes where tenant_id = ${tenantId}) as noted,
        (select count(distinct key) from correspondent_words where tenant_id = ${tenantId}) as words,
        min(substring(key from '[0-9]+')::integer) as lowest
      from correspondents where tenant_id = ${tenantId}`)
    return [row?.people, row?.noted, row?.words, row?.lowest]
  }
  await receive(place, [{ from: 'first@new.example' }, { from: 'second@new.example' }])
  assert.deepEqual(await counts(), [20_000, 20_000, 20_000, 1])
  await receive(place, [{ from: 'third@new.example' }, { from: 'first@new.example' }, { from: 'fourth@new.example' }])
  assert.deepEqual(await counts(), [20_000, 20_000, 20_000, 3])
  assert.deepEqual(await suggested(place, 'third'), ['third@new.example'])
  const kept = 'every mailbox keeps as many people as it says, and each is found by its words'
  const isBroken = async () => (await activityFaults(database)).some((fault) => fault.startsWith(kept))
  assert(!(await isBroken()))
  await database.rows(sql`
    delete from correspondent_words where tenant_id = ${tenantId} and word = 'third@new.example'`)
  assert(await isBroken())
})

test('what is looked at for a suggestion does not grow with the people that there are', async () => {
  const [few, many] = [await makePlace(database), await makePlace(database)]
  await fill(few, 1_000)
  await fill(many, 100_000)
  await database.pool.query('analyze correspondents, correspondent_words')
  const rowsRead = async () => {
    await flushStatistics(database)
    const row = await database.first(sql<{ indexed: number; all: number }>`
      select sum(idx_tup_fetch) as indexed, sum(seq_tup_read) as all from pg_stat_user_tables
      where relname in ('correspondents', 'correspondent_words')`)
    return { indexed: row?.indexed ?? 0, all: row?.all ?? 0 }
  }
  const costOf = async (place: Place, q: string) => {
    const before = await rowsRead()
    await suggested(place, q)
    const after = await rowsRead()
    assert.equal(after.all, before.all, `${q} reads a table from its beginning to its end`)
    return after.indexed - before.indexed
  }
  // Of one letter, of two, of one person, of nobody; and of some who are among those who rank lowest.
  for (const q of ['a', 'ab', 'm99', 'm777', 'zzz', 'm', 'm many', 'a m1']) {
    const [less, more] = [await costOf(few, q), await costOf(many, q)]
    assert(less <= 3_000 && more <= 3_000, `${q}: ${less} rows of a thousand, ${more} of a hundred thousand`)
  }
  assert.equal((await suggested(many, 'm777')).length, 8)
  assert.deepEqual(await suggested(many, 'm77777'), ['lb77777@many.example'])
})
