// Notices by mail: who gets them, once each, and what becomes of those that cannot be mailed.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { dkimVerify } from 'mailauth'
import PostalMime from 'postal-mime'
import { createTenant } from '../../src/apps/create-tenant.ts'
import { setTenantStatus } from '../../src/apps/set-tenant-status.ts'
import { createSecretBox, parseSecretKeys } from '../../src/lib/secret-box.ts'
import { openDatabase, sql } from '../../src/lib/sql.ts'
import { newId, type Uuid } from '../../src/lib/uuid.ts'
import { addDomain } from '../../src/mailboxes/add-domain.ts'
import { addMailboxUser } from '../../src/mailboxes/add-mailbox-user.ts'
import { makeDkimKey } from '../../src/mailboxes/dkim-key.ts'
import { resetMailboxUser } from '../../src/mailboxes/reset-mailbox-user.ts'
import { giveUpNotices, sweepNotices } from '../../src/notices/sweep-notices.ts'
import { invitePerson } from '../../src/people/invite-person.ts'
import { joinTenant } from '../../src/people/join-tenant.ts'
import { removePerson } from '../../src/people/remove-person.ts'
import { setRole } from '../../src/people/set-role.ts'
import { findLink } from '../../src/users/links.ts'
import { mailMadeLink } from '../../src/users/mail-made-link.ts'
import { takeUpLink } from '../../src/users/take-up-link.ts'
import type { UserKind } from '../../src/users/user.ts'
import { openTestStore } from '../support/api.ts'
import { createTestDatabase } from '../support/database.ts'
import { hasher } from '../support/hash-turns.ts'
import { handIn, startTestInbound } from '../support/inbound.ts'
import { noticesOf, settled, tell } from '../support/notices.ts'
import { operator, operatorOf } from '../support/operator.ts'
import { createTestPerson, originOf, PASSWORD } from '../support/people.ts'
import { TEST_SECRET_KEYS } from '../support/role-parts.ts'
import { startTestSite } from '../support/site.ts'
import { type SinkBehaviour, startSmtpSink } from '../support/smtp-sink.ts'
import { createTestTenant } from '../support/tenant.ts'
import { until } from '../support/until.ts'
import { startTestOutbound } from '../support/workers.ts'

const { database, url: databaseUrl } = await createTestDatabase()
const box = createSecretBox(TEST_SECRET_KEYS)
const FROM = 'notices@service.test'

const newTenant = async (name = 'Acme') => (await createTenant(database, operator, { name, plan: 'unlimited' })).id
const ownerOf = (tenantId: Uuid) => createTestPerson(database, tenantId, 'owner')

async function startSink(behaviour: SinkBehaviour = {}) {
  const sink = await startSmtpSink(behaviour)
  after(sink.stop)
  return sink
}

const startWorker = (relayUrl: string, options = {}) =>
  startTestOutbound(database, { relayUrl, noticesFrom: FROM, ...options })

/** So that the workers of the tests that follow mail none of them. */
const drop = (tenantId: Uuid) =>
  database.rows(sql`update notices set status = 'dropped', sealed_token = null where tenant_id = ${tenantId}`)

const addressees = (mails: readonly { to: string[] }[]) => mails.flatMap(({ to }) => to).sort()

test('each Owner gets one mail, however many processes tell of the same and mail it', async () => {
  const tenantId = await newTenant()
  const owners = await Promise.all([1, 2, 3].map(() => ownerOf(tenantId)))
  await createTestPerson(database, tenantId, 'admin')
  const sink = await startSink()
  const other = openDatabase({ url: databaseUrl })
  const workers = [
    await startWorker(sink.url),
    await startTestOutbound(other, { relayUrl: sink.url, noticesFrom: FROM }),
  ]
  const told = await Promise.all(
    Array.from({ length: 10 }, (_, i) => tell(i % 2 ? database : other, tenantId, 'failing.test', 'today')),
  )
  assert.deepEqual(told.toSorted(), [0, 0, 0, 0, 0, 0, 0, 0, 0, 3])
  assert((await settled(database, tenantId)).every(({ status }) => status === 'sent'))
  await Promise.all(workers.map((worker) => worker.stop()))
  await other.end()
  assert.deepEqual(addressees(sink.mails), owners.map(({ login }) => login).sort())
})

test('nobody gets one who is an Admin, was removed, has another role by now, wants none, or is still invited', async () => {
  const tenantId = await newTenant()
  const [stays, removed, demoted, quiet] = await Promise.all([1, 2, 3, 4].map(() => ownerOf(tenantId)))
  await createTestPerson(database, tenantId, 'admin')
  await invitePerson(database, operatorOf(tenantId), { email: 'invited@example.test', role: 'owner' })
  assert.equal(await tell(database, tenantId), 4)
  await removePerson(database, operatorOf(tenantId), removed?.id as Uuid)
  await setRole(database, operatorOf(tenantId), demoted?.id as Uuid, 'admin')
  await database.rows(sql`update users set notices = false where id = ${quiet?.id as Uuid}`)
  const sink = await startSink()
  const worker = await startWorker(sink.url)
  const notices = await settled(database, tenantId)
  await worker.stop()
  assert.deepEqual(addressees(sink.mails), [stays?.login])
  assert.deepEqual(notices.map(({ status }) => status).sort(), ['dropped', 'dropped', 'dropped', 'sent'])
})

test('a suspended tenant is told nothing', async () => {
  const tenantId = await newTenant()
  await ownerOf(tenantId)
  await tell(database, tenantId)
  await setTenantStatus(database, operator, tenantId, 'suspended')
  const sink = await startSink()
  const worker = await startWorker(sink.url)
  assert.deepEqual(
    (await settled(database, tenantId)).map(({ status }) => status),
    ['dropped'],
  )
  await worker.stop()
  assert.equal(sink.mails.length, 0)
})

test('without an address that notices are from none is mailed, and none waits', async () => {
  const tenantId = await newTenant()
  await ownerOf(tenantId)
  await tell(database, tenantId)
  const sink = await startSink()
  const worker = await startWorker(sink.url, { noticesFrom: undefined })
  assert.deepEqual(
    (await settled(database, tenantId)).map(({ status }) => status),
    ['dropped'],
  )
  await worker.stop()
  assert.equal(sink.mails.length, 0)
  assert(worker.lines.some(({ msg }) => msg.includes('MDK_NOTICE_FROM is not set')))
})

test('a notice says that nobody wrote it, names the tenant, and leads to the console', async () => {
  const tenantId = await newTenant()
  // No command takes such a name.
  const name = 'Acme & <b>Söhne</b>\r\nBcc: victim@example.test'
  await database.pool.query('update tenants set name = $2 where id = $1', [tenantId, name])
  const owner = await ownerOf(tenantId)
  await tell(database, tenantId, 'failing.test')
  const sink = await startSink()
  const worker = await startWorker(sink.url)
  const [mail] = await sink.received(1)
  await worker.stop()
  const [notice] = await noticesOf(database, tenantId)
  const parsed = await PostalMime.parse(mail?.bytes as Buffer)
  const header = (name: string) => parsed.headers.filter(({ key }) => key === name).map(({ value }) => value)
  assert.deepEqual(header('auto-submitted'), ['auto-generated'])
  assert.deepEqual(header('message-id'), [`<${notice?.id}@service.test>`])
  assert.deepEqual(header('bcc'), [])
  assert.deepEqual(parsed.from, { address: FROM, name: '' })
  assert.deepEqual(parsed.to, [{ address: owner.login, name: '' }])
  assert.equal(parsed.subject, 'The domain failing.test is failing')
  assert.match(parsed.text ?? '', /“Acme & <b>Söhne<\/b> Bcc: victim@example\.test”/)
  assert.match(parsed.html ?? '', /“Acme &amp; &lt;b&gt;Söhne&lt;\/b&gt; Bcc/)
  for (const part of [parsed.text, parsed.html]) assert.match(part ?? '', /https:\/\/console\.test\/domains/)
})

test('a notice is signed where its domain has a key here', async () => {
  const domain = 'signed.test'
  const tenantId = await newTenant()
  const owner = await ownerOf(tenantId)
  const dkim = { key: await makeDkimKey(), secretBox: box }
  const { records } = await addDomain(database, operatorOf(tenantId), { domain, vouched: true, dkim })
  const published = records.find(({ purpose }) => purpose === 'dkim') ?? assert.fail()
  await tell(database, tenantId)
  const sink = await startSink()
  const worker = await startWorker(sink.url, { noticesFrom: `notices@${domain}` })
  const [mail] = await sink.received(1)
  await worker.stop()
  assert.deepEqual(mail?.to, [owner.login])
  const { results } = await dkimVerify(mail?.bytes as Buffer, {
    resolver: async (name: string) => (name === published.name ? [[published.value]] : []),
  })
  assert.deepEqual(
    results.map(({ status, signingDomain }) => [status.result, signingDomain]),
    [['pass', domain]],
  )
})

test('while the relay is away a notice waits, and is mailed once when it is back', async () => {
  const tenantId = await newTenant()
  await ownerOf(tenantId)
  const gone = await startSmtpSink()
  await gone.stop()
  const worker = await startWorker(gone.url)
  await tell(database, tenantId)
  await until('it was put off', async () => {
    const [job] = await database.rows(sql<{ attempt: number | null }>`
      select (payload->>'attempt')::integer as attempt from jobs where tenant_id = ${tenantId} and queue = 'notices'`)
    return (job?.attempt ?? 0) > 1
  })
  const sink = await startSink({ port: gone.port })
  assert.deepEqual(
    (await settled(database, tenantId)).map(({ status }) => status),
    ['sent'],
  )
  await worker.stop()
  assert.equal(sink.mails.length, 1)
})

test('a notice that the relay may have is mailed again under the same Message-ID', async () => {
  const tenantId = await newTenant()
  await ownerOf(tenantId)
  const taken: Buffer[] = []
  const sink = await startSink({ onMessage: ({ bytes }) => (taken.push(bytes) === 1 ? 'drop' : undefined) })
  const worker = await startWorker(sink.url)
  await tell(database, tenantId)
  await settled(database, tenantId)
  await worker.stop()
  assert.equal(taken.length, 2)
  assert.deepEqual(taken[0], taken[1])
})

test('an address that is refused for good costs the other Owners nothing', async () => {
  const tenantId = await newTenant()
  const [one, two] = [await ownerOf(tenantId), await ownerOf(tenantId)]
  const sink = await startSink({ onRecipient: (address) => (address === one.login ? '550 5.1.1 no' : undefined) })
  const worker = await startWorker(sink.url)
  await tell(database, tenantId)
  const notices = await settled(database, tenantId)
  await worker.stop()
  assert.deepEqual(notices.map(({ status }) => status).sort(), ['dropped', 'sent'])
  assert.deepEqual(addressees(sink.mails), [two.login])
  const given = worker.lines.filter(({ msg }) => msg === 'a notice was given up')
  assert.equal(given.length, 1)
  assert(!JSON.stringify(worker.lines).includes('@example.com'), 'the log names nobody')
})

test('a notice that cannot be mailed for a day is given up, by whoever comes first, and never mailed then', async () => {
  const tenantId = await newTenant()
  await ownerOf(tenantId)
  await tell(database, tenantId)
  const age = (interval: string) =>
    database.rows(sql`
      update notices set expires_at = clock_timestamp() + ${interval}::interval where tenant_id = ${tenantId}`)
  await age('1 minute')
  assert.deepEqual(await giveUpNotices(database, 100), [])
  await age('-1 second')
  const [late, ...others] = await giveUpNotices(database, 100)
  assert.deepEqual([(await noticesOf(database, tenantId))[0]?.id, others], [late?.id, []])

  await tell(database, tenantId)
  await age('-1 second')
  const sink = await startSink()
  const worker = await startWorker(sink.url)
  assert.deepEqual(
    (await settled(database, tenantId)).map(({ status }) => status),
    ['dropped', 'dropped'],
  )
  await worker.stop()
  assert.equal(sink.mails.length, 0)
  assert.equal(worker.lines.filter(({ msg }) => msg === 'a notice was given up').length, 1)
})

test('a notice is remembered for forty days, so that nobody is told of the same again', async () => {
  const tenantId = await newTenant()
  await ownerOf(tenantId)
  const told = () => tell(database, tenantId, 'failing.test', 'once')
  assert.equal(await told(), 1)
  const age = (days: number) =>
    database.rows(sql`
      update notices set created_at = clock_timestamp() - make_interval(days => ${days}) where tenant_id = ${tenantId}`)
  await age(39)
  assert.deepEqual([await sweepNotices(database, 100), await told()], [0, 0])
  await age(41)
  assert.deepEqual([await sweepNotices(database, 100), await told()], [1, 1])
  await drop(tenantId)
})

const mail = (tenantId: Uuid, token: string, kind: UserKind = 'person') =>
  mailMadeLink({ database, box }, operatorOf(tenantId), { kind, token })

test('a link is mailed to whom it is for when that is asked for, also to who wants no notices, and kept sealed until then', async () => {
  const tenantId = await newTenant()
  const email = 'new@example.test'
  const { id, token } = await invitePerson(database, operatorOf(tenantId), { email, role: 'admin' })
  assert.deepEqual(await noticesOf(database, tenantId), [], 'nobody has asked')
  await Promise.all([mail(tenantId, token), mail(tenantId, token)])
  await database.rows(sql`update users set notices = false where id = ${id}`)
  const [waiting, ...others] = await noticesOf(database, tenantId)
  assert.deepEqual(others, [], 'asked for twice')
  assert(waiting?.sealedToken && !waiting.sealedToken.includes(token))
  const rows = await database.rows(sql<{ row: string }>`
    select n::text as row from notices n where tenant_id = ${tenantId}`)
  assert(!JSON.stringify(rows).includes(token))

  const sink = await startSink()
  const worker = await startWorker(sink.url)
  const [received] = await sink.received(1)
  const [ended] = await settled(database, tenantId)
  await worker.stop()
  assert.deepEqual(received?.to, [email])
  const { text, html } = await PostalMime.parse(received?.bytes as Buffer)
  for (const part of [text, html]) assert(part?.includes(`https://console.test/enter/${token}`))
  assert.deepEqual([ended?.status, ended?.sealedToken], ['sent', null])
  assert(!JSON.stringify(worker.lines).includes(token))
})

test('a link that was used, or took the place of another, is not mailed any more', async () => {
  const tenantId = await newTenant()
  const invite = async (email: string) => {
    const { token } = await invitePerson(database, operatorOf(tenantId), { email, role: 'owner' })
    await mail(tenantId, token)
    return token
  }
  await invite('again@example.test')
  await invite('again@example.test')
  const token = await invite('used@example.test')
  await takeUpLink({ database, hasher, join: joinTenant }, 'person', { token, password: PASSWORD }, originOf(1))
  const sink = await startSink()
  const worker = await startWorker(sink.url)
  assert.deepEqual(
    (await settled(database, tenantId)).map(({ status }) => status),
    ['dropped', 'sent', 'dropped'],
  )
  await worker.stop()
  assert.deepEqual(addressees(sink.mails), ['again@example.test'])
  await assert.rejects(mail(tenantId, token), { code: 'not_found' })
})

test("a link is mailed by nobody but its own tenant's, and not as one of the other kind", async () => {
  const [tenantId, other] = [await newTenant(), await newTenant()]
  const { token } = await invitePerson(database, operatorOf(tenantId), { email: 'mine@example.test', role: 'admin' })
  await assert.rejects(mail(other, token), { code: 'not_found' })
  await assert.rejects(mail(tenantId, token, 'mailbox_user'), { code: 'not_found' })
  await assert.rejects(mail(tenantId, 'x'.repeat(43)), { code: 'not_found' })
  assert.deepEqual([...(await noticesOf(database, tenantId)), ...(await noticesOf(database, other))], [])
})

test('a tenant has a hundred links mailed in a day, and no more', async () => {
  const tenantId = await newTenant()
  const invite = async () => {
    const email = `${newId()}@example.test`
    return (await invitePerson(database, operatorOf(tenantId), { email, role: 'admin' })).token
  }
  await mail(tenantId, await invite())
  await database.rows(sql`
    insert into notices (tenant_id, id, kind, occasion, user_id, facts, status, expires_at)
    select tenant_id, gen_random_uuid(), kind, 'copy ' || n, user_id, facts, 'sent', expires_at
    from notices, generate_series(1, 98) n where tenant_id = ${tenantId}`)
  const atOnce = await Promise.allSettled([await invite(), await invite()].map((token) => mail(tenantId, token)))
  assert.deepEqual(atOnce.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
  await assert.rejects(mail(tenantId, await invite()), { code: 'not_allowed', message: /no more links/i })
  await database.rows(sql`
    update notices set created_at = created_at - interval '1 day' where tenant_id = ${tenantId} and occasion like 'copy %'`)
  await mail(tenantId, await invite())
  await drop(tenantId)
})

test('an Owner has a link mailed from the console that was just made there; an Admin may not, nor anybody where none is mailed', async () => {
  const tenantId = await newTenant()
  const owner = await ownerOf(tenantId)
  const admin = await createTestPerson(database, tenantId, 'admin')
  const [mailing, silent] = [FROM, undefined].map((noticesFrom) =>
    startTestSite('console', database, { config: { noticesFrom } }),
  )
  const invite = async (site: typeof mailing, email: string) => {
    const body = { email, role: 'admin' }
    const made = await (await site)?.ask('POST', '/data/people', { session: owner.session, body })
    assert.equal(made?.status, 201)
    return made?.body
  }
  const ask = async (site: typeof mailing, { link }: { link: string }, session = owner.session) => {
    const body = { kind: 'person', token: link.slice(link.lastIndexOf('/') + 1) }
    return (await (await site)?.ask('POST', '/data/links/mail', { session, body }))?.status
  }
  const made = await invite(mailing, 'asked@example.test')
  assert.equal(made.canBeMailed, true)
  assert.equal(await ask(mailing, made, admin.session), 403)
  assert.equal(await ask(mailing, { link: `/enter/${'x'.repeat(43)}` }), 404)
  assert.deepEqual(await noticesOf(database, tenantId), [])
  assert.equal(await ask(mailing, made), 204)
  assert.deepEqual(
    (await noticesOf(database, tenantId)).map(({ kind, userId }) => [kind, userId]),
    [['invitation', made.id]],
  )
  const handedOn = await invite(silent, 'handed-on@example.test')
  assert.equal(handedOn.canBeMailed, false)
  assert.equal(await ask(silent, handedOn), 403)
  await drop(tenantId)
})

test('links of a mailbox user lead to the webmail', async () => {
  const { tenantId, mailboxId } = await createTestTenant(database)
  const request = { mailboxId, login: 'user@example.test', access: 'read' as const }
  const added = await addMailboxUser(database, operatorOf(tenantId), request)
  await mail(tenantId, added.token, 'mailbox_user')
  await mail(tenantId, (await resetMailboxUser(database, operatorOf(tenantId), added.id)).token, 'mailbox_user')
  const sink = await startSink()
  const worker = await startWorker(sink.url)
  await settled(database, tenantId)
  await worker.stop()
  assert.deepEqual(addressees(sink.mails), ['user@example.test', 'user@example.test'])
  for (const { bytes } of sink.mails) {
    const { text } = await PostalMime.parse(bytes)
    const [, token = ''] = /https:\/\/webmail\.test\/enter\/(\S+)/.exec(text ?? '') ?? []
    assert.equal((await findLink(database, 'mailbox_user', token))?.userId, added.id)
  }
})

test('a token whose key is gone waits for it, and is forgotten when its time is over', async () => {
  const tenantId = await newTenant()
  const request = { email: 'sealed@example.test', role: 'owner' as const }
  await mail(tenantId, (await invitePerson(database, operatorOf(tenantId), request)).token)
  const sink = await startSink()
  const others = parseSecretKeys(`2:${Buffer.alloc(32, 9).toString('base64')}`)
  const worker = await startWorker(sink.url, { secretKeys: others })
  await until('it was tried', () => worker.errors().length > 0)
  await worker.stop()
  await database.rows(sql`
    update notices set expires_at = clock_timestamp() - interval '1 second' where tenant_id = ${tenantId}`)
  await giveUpNotices(database, 100)
  assert.deepEqual(
    (await noticesOf(database, tenantId)).map(({ status, sealedToken }) => [status, sealedToken]),
    [['dropped', null]],
  )
  assert.equal(sink.mails.length, 0)
})

test('what comes back to a notice is refused and changes nothing', async () => {
  const tenantId = await newTenant()
  await ownerOf(tenantId)
  await tell(database, tenantId)
  const sink = await startSink()
  const worker = await startWorker(sink.url)
  const before = await settled(database, tenantId)
  await worker.stop()
  const sender = sink.mails[0]?.from ?? ''
  assert.match(sender, /^bounce\+[a-z2-7]{45}@bounce\.test$/)
  const inbound = await startTestInbound(database, { store: await openTestStore() })
  const { last } = await handIn(inbound.port, '', [sender], 'Subject: Undelivered\r\n\r\nnobody is here\r\n')
  await inbound.stop()
  assert.match(last, /^550 5\.1\.1/)
  assert.deepEqual(await noticesOf(database, tenantId), before)
})
