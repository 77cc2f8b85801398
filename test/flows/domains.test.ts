// Domains: what adding one asks for, what the DNS makes of it, and that it has events for changes alone.

import assert from 'node:assert/strict'
import { rm } from 'node:fs/promises'
import { after, test } from 'node:test'
import type { Problem } from '../../src/access/problem.ts'
import { createDnsResolver, type DnsResolver } from '../../src/lib/resolver.ts'
import { createSecretBox, parseSecretKeys } from '../../src/lib/secret-box.ts'
import { sql } from '../../src/lib/sql.ts'
import { newId, type Uuid } from '../../src/lib/uuid.ts'
import { addDomain } from '../../src/mailboxes/add-domain.ts'
import { checkDomainNow } from '../../src/mailboxes/check-domain-now.ts'
import { checkDueDomains } from '../../src/mailboxes/check-due-domains.ts'
import { createMailbox } from '../../src/mailboxes/create-mailbox.ts'
import { makeDkimKey, openDkimKey } from '../../src/mailboxes/dkim-key.ts'
import type { DnsRecord } from '../../src/mailboxes/dns-records.ts'
import type { DomainChecks } from '../../src/mailboxes/domain-checks.ts'
import { readDomain } from '../../src/mailboxes/read-domain.ts'
import { removeDomain } from '../../src/mailboxes/remove-domain.ts'
import { createTestDatabase } from '../support/database.ts'
import { startTestDns, type Zone } from '../support/dns.ts'
import { mdk } from '../support/mdk.ts'
import { operatorOf } from '../support/operator.ts'
import { startService } from '../support/service.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { createTestTenant } from '../support/tenant.ts'
import { until } from '../support/until.ts'

const { database, url: databaseUrl } = await createTestDatabase()
const dns = await startTestDns()
const resolver = createDnsResolver([dns.server])
after(async () => {
  resolver.close()
  await dns.stop()
})
const dataDir = await temporaryFolder('mdk-domains-')
after(() => rm(dataDir, { recursive: true, force: true }))

const KEY = `1:${Buffer.alloc(32, 1).toString('base64')}`
/** The same after a rotation. */
const KEYS = `2:${Buffer.alloc(32, 2).toString('base64')},${KEY}`
const secretBox = createSecretBox(parseSecretKeys(KEY))
const env = {
  MDK_DATABASE_URL: databaseUrl,
  MDK_DATA_DIR: dataDir,
  MDK_DNS_SERVERS: dns.server,
  MDK_SECRET_KEYS: KEYS,
}
const dkimKey = await makeDkimKey()
const { tenantId } = await createTestTenant(database)
// What setting up gave is not what is looked at here.
await database.rows(sql`update domains set check_due_at = 'infinity'`)

let added = 0
function addNext(options: { vouched?: boolean } = {}): Promise<{ id: Uuid; domain: string; records: DnsRecord[] }> {
  const domain = `shop${++added}.test`
  const dkim = { key: dkimKey, secretBox }
  return addDomain(database, operatorOf(tenantId), { domain, vouched: options.vouched ?? false, dkim }).then(
    (domainAdded) => ({
      ...domainAdded,
      domain,
    }),
  )
}

/** A zone with these records in it. */
function zoneOf(records: readonly DnsRecord[]): Zone {
  const zone: Record<string, { TXT: string[]; MX: { exchange: string; priority: number }[] }> = {}
  for (const { type, name, value } of records) {
    zone[name] ??= { TXT: [], MX: [] }
    if (type === 'TXT') zone[name].TXT.push(value)
    else zone[name].MX.push({ priority: Number(value.split(' ')[0]), exchange: value.split(' ')[1] ?? '' })
  }
  return zone
}

const without = (records: readonly DnsRecord[], ...purposes: string[]) =>
  records.filter((record) => !purposes.includes(record.purpose))

/** Their data as it is stored: which domain it is of is put in front when it is read. */
async function eventsOf(id: Uuid) {
  const rows = await database.rows(sql<{ data: Record<string, unknown>; production: boolean }>`
    select data, environment_id = tenant_id as production from events
    where tenant_id = ${tenantId} and resource_id = ${id} and type = 'domain.health_changed'
    order by epoch, xid, seq`)
  assert(rows.every((row) => row.production))
  return rows.map(({ data }) => data)
}

/** What events say of checks. */
const reported = (checks: DomainChecks) =>
  Object.fromEntries(
    Object.entries(checks).map(([name, { status, found, expected }]) => [name, { status, found, expected }]),
  )

const check = (id: Uuid, by: Pick<DnsResolver, 'query'> = resolver) =>
  checkDomainNow({ database, resolver: by }, operatorOf(tenantId), id)

function checkDue(limit: number, change: Partial<Parameters<typeof checkDueDomains>[0]> = {}): Promise<number> {
  const stopping = new AbortController().signal
  const onFailure = (error: unknown) => assert.fail(error as Error)
  return checkDueDomains({ database, resolver, secretBox, stopping, onFailure, ...change }, limit)
}

/** Why an address of a field is refused. */
const refusedBecause = (why: RegExp) => (error: unknown) => why.test(JSON.stringify((error as Problem).details))

test('a domain with the records it was given is verified and healthy, and only changes have events', async () => {
  const { id, domain, records } = await addNext()
  dns.zone = zoneOf(records)
  const report = await check(id)
  assert.deepEqual([report.verified, report.health], [true, 'healthy'], JSON.stringify(report.checks))
  assert.equal((await check(id)).health, 'healthy')
  assert.deepEqual(await eventsOf(id), [
    { domain, previous: 'pending', health: 'healthy', checks: reported(report.checks) },
  ])

  dns.zone = zoneOf(without(records, 'dmarc'))
  assert.equal((await check(id)).health, 'degraded')
  dns.zone = zoneOf(without(records, 'verification'))
  const gone = await check(id)
  assert.deepEqual([gone.verified, gone.health], [true, 'failing'], 'somebody has to look; nothing is taken away')
  dns.zone = { [domain]: 'servfail', [`_dmarc.${domain}`]: 'servfail' }
  assert.equal((await check(id)).health, 'failing', 'an outage of the DNS changes nothing')
  dns.zone = zoneOf(records)
  assert.equal((await check(id)).health, 'healthy')
  const changes = (await eventsOf(id)).map(({ previous, health }) => [previous, health])
  assert.deepEqual(changes, [
    ['pending', 'healthy'],
    ['healthy', 'degraded'],
    ['degraded', 'failing'],
    ['failing', 'healthy'],
  ])
})

test('a domain that was vouched for stays verified and needs no verification record', async () => {
  const { id, records } = await addNext({ vouched: true })
  dns.zone = zoneOf(without(records, 'verification'))
  const report = await check(id)
  assert.deepEqual([report.verified, report.health], [true, 'healthy'])
})

test('the result of a check that a later one overtook is not recorded', async () => {
  const { id, records } = await addNext()
  dns.zone = zoneOf(records)
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  const slow: Pick<DnsResolver, 'query'> = {
    async query() {
      await held
      return { kind: 'none' }
    },
  }
  const overtaken = check(id, slow)
  await until('the slow check has begun', async () => {
    const row = await database.first(sql<{ round: number }>`select check_round as round from domains where id = ${id}`)
    return row?.round === 1
  })
  assert.equal((await check(id)).health, 'healthy')
  release()
  await overtaken
  const row = await database.first(sql<{ health: string }>`select health from domains where id = ${id}`)
  assert.equal(row?.health, 'healthy')
})

test('a check that is due is made once, whoever else looks, and again six hours later', async () => {
  const domains = await Promise.all(Array.from({ length: 25 }, () => addNext()))
  dns.zone = Object.assign({}, ...domains.map(({ records }) => zoneOf(records)))
  const counts = await Promise.all([1, 2, 3].map(() => checkDue(100)))
  assert.equal(
    counts.reduce((sum, count) => sum + count, 0),
    25,
    String(counts),
  )
  assert.equal(await checkDue(100), 0)
  const ids = domains.map(({ id }) => id)
  const rows = await database.rows(sql<{ health: string; round: number; hours: number }>`
    select health, check_round as round, extract(epoch from check_due_at - checked_at)::float8 / 3600 as hours
    from domains where id = any(${ids}::uuid[])`)
  assert.equal(rows.length, 25)
  for (const { health, round, hours } of rows) assert.deepEqual([health, round, Math.round(hours)], ['healthy', 1, 6])
})

test('a name of a domain keeps nobody out until it is proven, and one tenant has it then, however many prove it at once', async () => {
  const domain = `shop${++added}.test`
  const dkim = { key: dkimKey, secretBox }
  const add = async (tenant: Uuid) => ({
    tenant,
    ...(await addDomain(database, operatorOf(tenant), { domain, vouched: false, dkim })),
  })
  const others = await Promise.all([createTestTenant(database), createTestTenant(database), createTestTenant(database)])
  const [late, ...early] = others.map((other) => other.tenantId) as [Uuid, Uuid, Uuid]
  const owned = await Promise.all([tenantId, ...early].map(add))
  await assert.rejects(add(tenantId), refusedBecause(/has been added already/))
  dns.zone = zoneOf(owned.flatMap(({ records }) => records.filter(({ purpose }) => purpose === 'verification')))
  const checkOf = ({ tenant, id }: (typeof owned)[0]) => checkDomainNow({ database, resolver }, operatorOf(tenant), id)
  const found = await Promise.all(owned.map(checkOf))
  assert.equal(found.filter(({ verified }) => verified).length, 1)
  for (const { verified, checks } of found) {
    assert.deepEqual(
      [checks.verification.status, checks.verification.fault],
      verified ? ['pass', null] : ['wrong', 'taken'],
    )
  }
  await assert.rejects(add(late), refusedBecause(/belongs to another tenant/))

  const holder = owned[found.findIndex(({ verified }) => verified)] as (typeof owned)[0]
  const other = owned[found.findIndex(({ verified }) => !verified)] as (typeof owned)[0]
  await removeDomain(database, operatorOf(holder.tenant), holder.id)
  assert.equal((await checkOf(other)).verified, true)
  await database.rows(sql`
    update domains set check_due_at = 'infinity'
    where domain = ${domain} or tenant_id = any(${others.map((tenant) => tenant.tenantId)}::uuid[])`)
})

test('a domain that no DNS knows can be left out of the checks that come round', async () => {
  const { id } = await addDomain(database, operatorOf(tenantId), { domain: 'demo.test', vouched: true, checked: false })
  assert.equal(await checkDue(100), 0)
  dns.zone = {}
  assert.equal((await check(id)).health, 'failing', 'asked for it is checked all the same')
  await database.rows(sql`update domains set check_due_at = 'infinity' where id = ${id}`)
})

test('what the DNS did not answer is asked again before six hours have gone', async () => {
  const { id, domain } = await addNext()
  dns.zone = { [domain]: 'servfail' }
  assert.equal(await checkDue(1), 1)
  const row = await database.first(sql<{ health: string; soon: boolean }>`
    select health, check_due_at < checked_at + interval '11 minutes' as soon from domains where id = ${id}`)
  assert.deepEqual(row, { health: 'pending', soon: true })
})

test('what the latest check found is kept, word for word and no more than a bound of it', async () => {
  const { id, domain, records } = await addNext()
  const long = 'x'.repeat(1_500)
  const many = Array.from({ length: 30 }, (_, n) => `other=${n}`)
  dns.zone = { ...zoneOf(without(records, 'spf')), [domain]: { TXT: [long, ...many] } }
  await check(id)
  const { records: kept } = await readDomain(database, operatorOf(tenantId), id)
  const spf = kept.find(({ purpose }) => purpose === 'spf')?.check
  assert.deepEqual([spf?.status, spf?.fault, spf?.found], ['missing', 'others', []])
  assert.deepEqual(spf?.others, ['x'.repeat(1_000), ...many.slice(0, 19)])
  assert.equal(kept.find(({ purpose }) => purpose === 'dkim')?.check?.status, 'pass')
})

test('a domain is removed for good, unless it has mailboxes, and a check of it that is under way records nothing', async () => {
  const { id, domain } = await addNext({ vouched: true })
  const actor = operatorOf(tenantId)
  const { id: mailboxId } = await createMailbox(database, actor, { address: `a@${domain}`, displayName: 'A' })
  await assert.rejects(removeDomain(database, actor, id), { code: 'not_allowed', message: /has a mailbox/ })
  await database.rows(sql`delete from mailboxes where id = ${mailboxId}`)

  dns.zone = { [domain]: 'silence' }
  await database.rows(sql`update domains set check_due_at = clock_timestamp() where id = ${id}`)
  const asked = dns.questions.length
  const own = createDnsResolver([dns.server])
  const running = checkDue(100, { resolver: own })
  await until('the DNS is asked', () => dns.questions.length > asked)
  await removeDomain(database, actor, id)
  own.close()
  // It reports no failure: nothing is wrong.
  await running
  await assert.rejects(readDomain(database, actor, id), { code: 'not_found' })
  await assert.rejects(removeDomain(database, actor, id), { code: 'not_found' })
  await assert.rejects(check(id), { code: 'not_found' })
  await addDomain(database, actor, { domain, vouched: true, checked: false })
})

test('of a mailbox that is made and a domain that is removed at the same time one is refused', async () => {
  for (let i = 0; i < 20; i++) {
    const { id, domain } = await addNext({ vouched: true })
    const [made, removed] = await Promise.allSettled([
      createMailbox(database, operatorOf(tenantId), { address: `a@${domain}`, displayName: 'A' }),
      removeDomain(database, operatorOf(tenantId), id),
    ])
    assert.notEqual(made.status, removed.status)
    if (made.status === 'rejected') assert.equal(made.reason.code, 'validation_error', String(made.reason))
    if (removed.status === 'rejected') assert.equal(removed.reason.code, 'not_allowed', String(removed.reason))
    await database.rows(sql`update domains set check_due_at = 'infinity' where id = ${id}`)
  }
})

test('a record with an octet that no text of ours may hold is shown without it, and recorded', async () => {
  const { id, domain, records } = await addNext()
  const zone = zoneOf(without(records, 'spf', 'verification'))
  dns.zone = { ...zone, [domain]: { TXT: ['v=spf1 \0 -all'] }, [`_mdk.${domain}`]: { TXT: ['\0'] } }
  assert.equal(await checkDue(1), 1)
  const [event] = await eventsOf(id)
  const checks = event?.checks as Record<string, { found: string[] }>
  assert.deepEqual([checks.spf?.found, checks.verification?.found], [['v=spf1 \ufffd -all'], ['\ufffd']])
})

test('a domain whose check cannot be recorded is reported, and keeps no other from being checked', async () => {
  await database.rows(sql`create function refuse() returns trigger language plpgsql as
    $$ begin raise exception 'refused'; end $$`)
  await database.rows(sql`create trigger refused before update of health on domains for each row
    when (old.domain = 'refused.test') execute function refuse()`)
  const { id } = await addDomain(database, operatorOf(tenantId), { domain: 'refused.test', vouched: false })
  const others = await Promise.all(Array.from({ length: 12 }, () => addNext()))
  dns.zone = Object.assign({}, ...others.map(({ records }) => zoneOf(records)))
  const failures: string[] = []
  const onFailure = (error: unknown, domain: string) => failures.push(`${domain}: ${(error as Error).message}`)
  assert.equal(await checkDue(100, { onFailure }), 13)
  assert.deepEqual(failures, ['refused.test: refused'])
  for (const other of others) assert.equal((await eventsOf(other.id)).at(-1)?.health, 'healthy')
  await database.rows(sql`update domains set check_due_at = 'infinity' where id = ${id}`)
})

test('a check that was stopped records nothing and is due again', async () => {
  const { id, domain } = await addNext()
  dns.zone = { [domain]: 'silence' }
  const stopping = new AbortController()
  const own = createDnsResolver([dns.server])
  const asked = dns.questions.length
  const running = checkDue(100, { resolver: own, stopping: stopping.signal })
  await until('the DNS is asked', () => dns.questions.length > asked)
  stopping.abort()
  own.close()
  await running
  const row = await database.first(sql<{ checked: string | null; soon: boolean }>`
    select checked_at as checked, check_due_at < clock_timestamp() + interval '2 minutes' as soon
    from domains where id = ${id}`)
  assert.deepEqual(row, { checked: null, soon: true })
  await database.rows(sql`update domains set check_due_at = 'infinity' where id = ${id}`)
})

test('a DKIM key is sealed for its domain, and sealed anew by the newest key of the service', async () => {
  const { id, records } = await addNext()
  const sealedKey = async () => {
    const row = await database.first(sql<{ sealed: Buffer }>`
      select dkim_private_key as sealed from domains where id = ${id}`)
    return row?.sealed as Buffer
  }
  const before = await sealedKey()
  assert(!before.includes('PRIVATE KEY'))
  assert.equal(openDkimKey(secretBox, { tenantId, id }, before).reveal(), dkimKey.privateKey.reveal())
  assert.throws(() => openDkimKey(secretBox, { tenantId, id: newId() }, before), /another place/)

  dns.zone = zoneOf(records)
  const rotated = createSecretBox(parseSecretKeys(KEYS))
  await database.rows(sql`update domains set check_due_at = clock_timestamp() where id = ${id}`)
  await checkDue(100, { secretBox: rotated })
  const after = await sealedKey()
  assert(rotated.isCurrent(after))
  assert.equal(openDkimKey(rotated, { tenantId, id }, after).reveal(), dkimKey.privateKey.reveal())
})

test('commands add and check, and the service notices by itself what has changed', async () => {
  const domain = 'commands.test'
  const outcome = await mdk(env, 'domain', 'add', '--tenant', tenantId, '--domain', domain)
  assert.equal(outcome.status, 0, outcome.stderr)
  const { id, records, ...more } = outcome.json
  assert.deepEqual(more, {})
  const purposes = records.map((record: DnsRecord) => [record.type, record.purpose])
  assert.deepEqual(purposes, [
    ['TXT', 'verification'],
    ['TXT', 'dkim'],
    ['TXT', 'spf'],
    ['MX', 'mx'],
    ['TXT', 'dmarc'],
  ])
  assert.equal(records[0].name, `_mdk.${domain}`)
  assert.match(records[0].value, /^mdk-verify=[\w-]{20,}$/)
  assert.equal((await eventsOf(id)).at(-1)?.health, 'failing', 'it was checked when it was added')

  dns.zone = zoneOf(records)
  const { status, json } = await mdk(env, 'domain', 'check', id)
  assert.equal(status, 0)
  assert.deepEqual(
    [json.verified, json.health, Object.keys(json).sort()],
    [true, 'healthy', ['checks', 'health', 'verified']],
  )
  const mailbox = await mdk(env, 'mailbox', 'create', '--tenant', tenantId, '--address', `x@${domain}`, '--name', 'X')
  assert.equal(mailbox.status, 0, 'a verified domain holds mailboxes')

  dns.zone = zoneOf(without(records, 'spf'))
  await database.rows(sql`update domains set check_due_at = clock_timestamp() where id = ${id}`)
  const service = await startService(env, ['serve', '--roles', 'retention'])
  await until('the change is reported', async () => (await eventsOf(id)).at(-1)?.health === 'degraded')
  assert.equal(await service.stop(), 0)
  const unknown = await mdk(env, 'domain', 'check', newId())
  assert.equal(unknown.status, 1)
  assert.match(unknown.stderr, /no such domain/)
})

test('adding a domain succeeds while the DNS does not answer, and soon', async () => {
  dns.zone = {
    'silent.test': 'silence',
    '_mdk.silent.test': 'silence',
    '_dmarc.silent.test': 'silence',
  }
  const { status, json } = await mdk(
    env,
    'domain',
    'add',
    '--tenant',
    tenantId,
    '--domain',
    'silent.test',
    '--verified',
  )
  assert.equal(status, 0)
  const row = await database.first(sql<{ verified: boolean; health: string }>`
    select verified, health from domains where id = ${json.id}`)
  assert.deepEqual(row, { verified: true, health: 'pending' })
})
