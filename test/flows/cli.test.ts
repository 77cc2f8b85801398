// The command line, as scripts use it: commands are processes of their own, but where many of them only show what they
// do to the database, or with which words they refuse.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readFile, rm } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { after, test } from 'node:test'
import { createPlan } from '../../src/apps/create-plan.ts'
import { findPlan } from '../../src/apps/find-plan.ts'
import { setPlan } from '../../src/apps/set-plan.ts'
import { sql } from '../../src/lib/sql.ts'
import { newId } from '../../src/lib/uuid.ts'
import { call } from '../support/api.ts'
import { createTestDatabase } from '../support/database.ts'
import { feedCaughtUp } from '../support/feed.ts'
import { MDK, mdk, mdkHere, mdkInside } from '../support/mdk.ts'
import { operator } from '../support/operator.ts'
import { isRefusedWithinASecond } from '../support/refusal.ts'
import { startService } from '../support/service.ts'
import { startSmtpSink } from '../support/smtp-sink.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { until } from '../support/until.ts'

const { database, url: databaseUrl } = await createTestDatabase()
const dataDir = await temporaryFolder('mdk-cli-')
after(() => rm(dataDir, { recursive: true, force: true }))
// Nobody answers there: what these commands do does not wait for the DNS.
const env = { MDK_DATABASE_URL: databaseUrl, MDK_DATA_DIR: dataDir, MDK_DNS_SERVERS: '127.0.0.1:1' }
/** Runs a command as a process. */
const run = (...args: string[]) => mdk(env, ...args)
/** Runs a command that must succeed, in this process, and gives its JSON. */
const ok = (...args: string[]) => mdkHere(env, ...args)

/** Runs a command that must succeed, as a process, and gives its JSON. */
async function runs(...args: string[]) {
  const outcome = await run(...args)
  assert.equal(outcome.status, 0, `${args.join(' ')}: ${outcome.stderr}`)
  assert(outcome.json, `${args.join(' ')} printed ${outcome.stdout}`)
  return outcome.json
}

/** Runs a command that must fail with such words, and nothing on standard output. */
async function refused(words: RegExp, ...args: string[]) {
  const outcome = await mdkInside(env, ...args)
  assert.notEqual(outcome.status, 0, `${args.join(' ')} succeeded`)
  assert.equal(outcome.stdout, '')
  const { code, message } = JSON.parse(outcome.stderr)
  assert.match(code, /^[a-z_]+$/)
  assert.match(message, words)
  assert.doesNotMatch(message, /\n\s+at /, 'no stack')
  return outcome
}

const tenant = (await runs('tenant', 'create', '--name', 'Example')).id as string
const domain = `c${newId().replaceAll('-', '')}.test`

test('a tenant is set up by commands and its key works', async () => {
  const added = await ok('domain', 'add', '--tenant', tenant, '--domain', domain, '--verified')
  assert.equal(added.records[0].type, 'TXT')
  assert.equal(added.records[0].name, `_mdk.${domain}`)
  assert.match(added.records[0].value, /^mdk-verify=/)
  const mailbox = await ok('mailbox', 'create', '--tenant', tenant, '--address', `Hello@${domain}`, '--name', 'Hello')
  const app = await ok('app', 'create', '--tenant', tenant, '--name', 'Shop', '--environment', 'production')
  const scopes = ['--scope', 'mailboxes:read', '--scope', 'messages:read']
  const { id, key } = await ok('key', 'create', '--app', app.id, ...scopes, '--name', 'ci')
  assert.match(key, /^mdk_live_/)

  const service = await startService(env, ['serve', '--roles', 'api'])
  const list = () => call(service.url, 'GET', '/v1/mailboxes', { key })
  assert.deepEqual((await list()).body.items, [{ id: mailbox.id, address: `hello@${domain}`, displayName: 'Hello' }])
  const domains = await call(service.url, 'GET', '/v1/domains', { key })
  assert.deepEqual(
    domains.body.items.map((item: { domain: string; verified: boolean; health: string; mailboxCount: number }) => [
      item.domain,
      item.verified,
      item.health,
      item.mailboxCount,
    ]),
    [[domain, true, 'pending', 1]],
  )
  await feedCaughtUp(database)
  assert.equal((await call(service.url, 'GET', '/v1/events', { key })).body.items[0].type, 'mailbox.created')

  await until('its last use is recorded', async () => {
    const { items } = await ok('key', 'list', '--app', app.id)
    return items[0].lastUsedAt !== null
  })
  const { items } = await ok('key', 'list', '--app', app.id)
  assert.deepEqual([items[0].id, items[0].name, items[0].prefix], [id, 'ci', key.slice(0, 15)])
  assert(!JSON.stringify(items).includes(key.slice(31)), 'nothing of the secret')

  const status = async () => (await list()).status
  const endsWithinASecond = () => isRefusedWithinASecond(status, performance.now())
  for (const [suspend, resume] of [
    [
      ['tenant', 'suspend', tenant],
      ['tenant', 'resume', tenant],
    ],
    [
      ['app', 'suspend', app.id],
      ['app', 'resume', app.id],
    ],
  ] as [string[], string[]][]) {
    await runs(...suspend)
    await ok(...suspend)
    await endsWithinASecond()
    await ok(...resume)
    await until('it is good again', async () => (await status()) === 200)
  }
  await runs('key', 'revoke', id)
  await endsWithinASecond()
  await ok('key', 'revoke', id)
  const revoked = (await call(service.url, 'GET', '/v1/mailboxes', { key })).body
  const unknown = (await call(service.url, 'GET', '/v1/mailboxes', { key: 'mdk_live_nonsense' })).body
  delete revoked.requestId
  delete unknown.requestId
  assert.deepEqual(revoked, unknown, 'one answer, whatever is wrong with a key')

  const brief = await ok('key', 'create', '--app', app.id, '--scope', 'mailboxes:read', '--expires-in', '1s')
  await until('it has expired', async () => {
    return (await call(service.url, 'GET', '/v1/mailboxes', { key: brief.key })).status === 401
  })
  assert.equal(await service.stop(), 0)
  assert(!JSON.stringify(service.logs).includes(key), 'no key in the log')
})

test('commands that set a state succeed when it is so already', async () => {
  const [row] = await database.rows(sql<{ id: string }>`select id from mailboxes where tenant_id = ${tenant}`)
  const id = row?.id as string
  for (const args of [
    ['mailbox', 'suspend', id],
    ['mailbox', 'suspend', id],
    ['mailbox', 'resume', id],
    ['mailbox', 'resume', id],
    ['mailbox', 'update', id, '--name', 'Same'],
    ['mailbox', 'update', id, '--name', 'Same'],
  ]) {
    assert.equal((await ok(...args)).id, id)
  }
  const events = await database.rows(sql<{ type: string }>`
    select type from events where resource_id = ${id} order by epoch, xid, seq`)
  assert.deepEqual(
    events.map((event) => event.type),
    ['mailbox.created', 'mailbox.suspended', 'mailbox.updated', 'mailbox.updated'],
    'an event when it changed, and not otherwise',
  )
})

test('a plan is made, changed in part, and given to a tenant', async () => {
  await refused(/no plan "small"\. Make it with plan create/, 'plan', 'set', 'small', '--key-per-minute', '10')
  await refused(/no plan "small"/, 'plan', 'show', 'small')
  const made = await ok('plan', 'create', 'small', '--messages-per-month', '5', '--key-per-minute', '10')
  assert.deepEqual(made, {
    name: 'small',
    keyPerMinute: 10,
    tenantPerDay: 0,
    messagesPerMonth: 5,
    storedMib: 0,
    retentionDays: 0,
  })
  const changed = await ok('plan', 'set', 'small', '--retention-days', '30')
  assert.deepEqual([changed.messagesPerMonth, changed.retentionDays], [5, 30])
  // Of more days than the database can reckon with no message could be swept, of any tenant.
  await ok('plan', 'set', 'small', '--retention-days', '36500')
  await refused(/at most 36500; 0 is for ever/, 'plan', 'set', 'small', '--retention-days', '36501')
  await refused(/a plan "small" already/, 'plan', 'create', 'small')
  await ok('tenant', 'create', '--name', 'Small', '--plan', 'small')
  assert.deepEqual(await ok('plan', 'show', 'small'), { ...changed, retentionDays: 36_500, tenants: 1 })
})

test('a plan is made once, and changes of it at once all hold', async () => {
  const made = await Promise.allSettled(Array.from({ length: 4 }, () => createPlan(database, operator, 'once', {})))
  assert.equal(made.filter(({ status }) => status === 'fulfilled').length, 1)
  const changes = [{ keyPerMinute: 1 }, { tenantPerDay: 2 }, { messagesPerMonth: 3 }, { storedMib: 4 }]
  await Promise.all(changes.map((change) => setPlan(database, operator, 'once', change)))
  const limits = { keyPerMinute: 1, tenantPerDay: 2, messagesPerMonth: 3, storedMib: 4, retentionDays: 0 }
  assert.deepEqual(await findPlan(database, 'once'), limits)
})

test('bad input is refused with a clear word', async () => {
  const unknown = newId()
  await refused(/no tenant "x"/, 'tenant', 'suspend', 'x')
  await refused(/no such tenant/, 'tenant', 'suspend', unknown)
  await refused(/no plan "gold"/, 'tenant', 'create', '--name', 'X', '--plan', 'gold')
  await refused(/--name/, 'tenant', 'create')
  await refused(/1 to 255/, 'tenant', 'create', '--name', ' ')
  await refused(/unknown command 'tenants' \(Did you mean tenant\?\)$/, 'tenants')
  await refused(/\(Did you mean create\?\)$/, 'tenant', 'creat', '--name', 'X')
  await refused(/\(Did you mean --plan\?\)$/, 'tenant', 'create', '--name', 'X', '--plna', 'free')
  await refused(/from 1 to 10000/, 'audit', 'list', '--limit', '0')
  await refused(/from 1 to 10000/, 'audit', 'list', '--limit', '10001')
  await refused(/unknown option/, 'tenant', 'create', '--name', 'X', '--colour', 'red')
  await refused(/production, sandbox/, 'app', 'create', '--tenant', tenant, '--name', 'X', '--environment', 'test')
  await refused(/no such tenant/, 'app', 'create', '--tenant', unknown, '--name', 'X', '--environment', 'sandbox')
  await refused(/none of mailboxes:read/, 'key', 'create', '--app', unknown, '--scope', 'all')
  await refused(/no such application/, 'key', 'create', '--app', unknown, '--scope', 'messages:send')
  await refused(/not a duration/, 'key', 'create', '--app', unknown, '--scope', 'messages:send', '--expires-in', '9')
  await refused(
    /at most 36500d/,
    'key',
    'create',
    '--app',
    unknown,
    '--scope',
    'messages:send',
    '--expires-in',
    '36501d',
  )
  await refused(/no such key/, 'key', 'revoke', unknown)
  await refused(/not a domain name/, 'domain', 'add', '--tenant', tenant, '--domain', 'no spaces.test')
  await refused(/been added already/, 'domain', 'add', '--tenant', tenant, '--domain', domain)
  await refused(/not an email address/, 'mailbox', 'create', '--tenant', tenant, '--address', 'x', '--name', 'X')
  await refused(/add it first/, 'mailbox', 'create', '--tenant', tenant, '--address', 'x@other.test', '--name', 'X')
  await refused(
    /exists already/,
    'mailbox',
    'create',
    '--tenant',
    tenant,
    '--address',
    `hello@${domain}`,
    '--name',
    'X',
  )
  await refused(/lower-case letters/, 'plan', 'create', 'Not Good')
  await refused(/not a whole number/, 'plan', 'set', 'small', '--messages-per-month', '-1')
  await refused(/none of api/, 'serve', '--roles', 'api,mail')
  await refused(/choices are outbound, webhooks, drafts/, 'dead-letters', 'list', '--queue', 'nope')
  await refused(/no such dead letter/, 'dead-letters', 'replay', '4711')
  for (const runOne of [run, (...args: string[]) => mdkInside(env, ...args)]) {
    assert.equal((await runOne('tenant', 'suspend', unknown)).status, 1)
    assert.equal((await runOne('tenant')).status, 2)
  }
})

test('a domain that is not verified holds no mailbox', async () => {
  const other = `u${domain}`
  const added = await ok('domain', 'add', '--tenant', tenant, '--domain', other)
  assert(added.id)
  await refused(/not verified/, 'mailbox', 'create', '--tenant', tenant, '--address', `x@${other}`, '--name', 'X')
})

/** The faults that a command reported, a line each. */
const faultsOf = ({ stderr }: { stderr: string }): string[] =>
  stderr
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line).message)

test('bad configuration is reported at once, with a line for each fault', async () => {
  const bad = { ...env, MDK_PORT: 'eighty', MDK_LEASE: '1s', MDK_SECRET_KEYS: '1:short' }
  const outcome = await mdk(bad, 'serve')
  assert.equal(outcome.status, 2)
  assert.equal(outcome.stdout, '')
  assert.deepEqual(
    faultsOf(outcome).map((fault) => fault.split(':')[0]),
    ['MDK_PORT', 'MDK_SECRET_KEYS', 'MDK_LEASE', 'MDK_RELAY_URL', 'MDK_RETURN_PATH_DOMAIN'],
  )
  const relay = await mdkInside(env, 'serve', '--roles', 'outbound')
  assert.equal(relay.status, 2)
  assert.deepEqual(faultsOf(relay), [
    'MDK_RELAY_URL: the outbound role needs it',
    'MDK_RETURN_PATH_DOMAIN: the outbound role needs it',
  ])
})

test('a port that is taken is reported by the name of its variable, and the process ends', async () => {
  const holder = createServer().listen(0, '127.0.0.1')
  await once(holder, 'listening')
  after(() => holder.close())
  const { port } = holder.address() as AddressInfo
  for (const [name, role] of [
    ['MDK_PORT', 'api'],
    ['MDK_OPS_PORT', 'api'],
    ['MDK_SMTP_PORT', 'inbound'],
    ['MDK_CONSOLE_PORT', 'console'],
    ['MDK_WEBMAIL_PORT', 'webmail'],
  ] as const) {
    const ports = { MDK_PORT: '0', MDK_OPS_PORT: '0', MDK_SMTP_PORT: '0', [name]: String(port) }
    const outcome = await mdkInside({ ...env, ...ports, MDK_LOG_LEVEL: 'fatal' }, 'serve', '--roles', role)
    assert.equal(outcome.status, 2, name)
    assert.match(faultsOf(outcome).join(), new RegExp(`^${name}: port ${port} of 127.0.0.1 is taken`))
  }
})

test('help is of the command it is asked of, and the version is printed', async () => {
  const { message } = JSON.parse((await run('tenant')).stderr)
  assert.match(message, /which command\?.*Usage: mdk tenant .*suspend <tenant>/s)
  assert.match((await run('mailbox', 'create', '--help')).stdout, /Usage: mdk mailbox create .*--address/s)
  const { version } = JSON.parse(await readFile(new URL('../../package.json', import.meta.url), 'utf8'))
  assert.deepEqual(await run('--version'), { status: 0, stdout: `${version}\n`, stderr: '', json: undefined })
})

test('a database that is away is reported in a line', async () => {
  const outcome = await mdk({ ...env, MDK_DATABASE_URL: 'postgres://x@127.0.0.1:1/x' }, 'audit', 'list')
  assert.equal(outcome.status, 1)
  assert.match(outcome.stderr, /ECONNREFUSED/)
})

test('what operators do is in the audit log', async () => {
  const { items } = await ok('audit', 'list', '--tenant', tenant, '--limit', '100')
  const operations = items.map((item: { operation: string }) => item.operation)
  for (const operation of ['tenant.create', 'domain.add', 'mailbox.create', 'app.create', 'key.create', 'key.revoke']) {
    assert(operations.includes(operation), operation)
  }
  assert.equal((await ok('audit', 'list', '--limit', '1')).items.length, 1)
})

test('dead letters are listed, and kept when there is nothing left to do about them', async () => {
  await database.rows(sql`
    insert into dead_letters (tenant_id, id, queue, lane, subject_id, reason, receptions)
    values (${tenant}, 9000000001, 'outbound', ${tenant}, ${newId()}, 'receptions_exhausted', 6)`)
  const { items } = await ok('dead-letters', 'list', '--queue', 'outbound')
  assert.deepEqual([items[0].id, items[0].queue, items[0].reason], [9_000_000_001, 'outbound', 'receptions_exhausted'])
  assert(items[0].deadAt < items[0].expiresAt)
  await refused(/nothing left to do/, 'dead-letters', 'replay', '9000000001')
  assert.deepEqual((await ok('dead-letters', 'list')).items, items)
  await database.rows(sql`
    insert into dead_letters (tenant_id, id, queue, lane, subject_id, reason, receptions)
    values (${tenant}, 9000000002, 'drafts', ${tenant}, ${newId()}, 'receptions_exhausted', 6)`)
  const drafts = (await ok('dead-letters', 'list', '--queue', 'drafts')).items
  assert.deepEqual([drafts.length, drafts[0].id], [1, 9_000_000_002])
  await refused(/open again.*nothing left to do/, 'dead-letters', 'replay', '9000000002')
  assert.deepEqual((await ok('dead-letters', 'list', '--queue', 'drafts')).items, drafts)
})

test('the doctor finds what works and what does not', async () => {
  const sink = await startSmtpSink()
  after(sink.stop)
  const well = await mdk({ ...env, MDK_RELAY_URL: sink.url, MDK_DNS_SERVERS: '127.0.0.1:1' }, 'doctor')
  const results = (outcome: typeof well) =>
    Object.fromEntries(outcome.json.checks.map((check: { name: string; result: string }) => [check.name, check.result]))
  // The server that `npm test` shares gives up durability, and the doctor must say so.
  assert.equal(results(well).database, process.env.MDK_TEST_SERVER_URL ? 'fail' : 'ok')
  assert.equal(results(well)['object store'], 'ok')
  assert.equal(results(well).relay, 'ok')
  assert.equal(results(well).migrations, 'ok')
  await sink.stop()
  assert.equal(results(well)['secret keys'], 'ok')
  assert.equal(results(well).DNS, 'warn')
  assert.equal(results(well).notices, 'warn')
  assert.equal(results(well)['SMTP port'], 'ok')
  const holder = createServer((socket) => void socket.end('hello\r\n')).listen(0, '127.0.0.1')
  await once(holder, 'listening')
  after(() => holder.close())
  const { port } = holder.address() as AddressInfo
  const broken = { MDK_RELAY_URL: sink.url, MDK_TYPO: '1', MDK_SMTP_PORT: String(port) }
  const ill = await mdkInside({ ...env, ...broken, MDK_NOTICE_FROM: 'notices@service.test' }, 'doctor')
  assert.equal(ill.status, 1)
  assert.equal(results(ill).relay, 'fail')
  // A key file that was lost and made anew has the same version, and another key.
  const astray = await mdkInside({ ...env, MDK_SECRET_KEYS: `1:${randomBytes(32).toString('base64')}` }, 'doctor')
  assert.equal(astray.status, 1)
  assert.equal(results(astray)['secret keys'], 'fail')
  assert.equal(results(ill)['SMTP port'], 'fail')
  assert.equal(results(ill).configuration, 'warn')
  assert.equal(results(ill).notices, 'ok')
  for (const [variable, value] of [
    ['MDK_DATABASE_URL', 'postgres://127.0.0.1:1/x'],
    ['MDK_OBJECT_STORE', 'file:/proc/none'],
    ['MDK_PORT', 'x'],
  ] as const) {
    const deep = await mdkInside({ ...env, [variable]: value }, 'doctor', '--deep')
    assert.deepEqual([deep.status, deep.json?.healthy], [1, false], deep.stderr)
  }
  const unread = await mdkInside({ ...env, MDK_PORT: 'x', MDK_LEASE: '1s' }, 'doctor')
  assert.equal(unread.status, 1)
  assert.deepEqual(
    unread.json.checks.map((check: { name: string; result: string }) => [check.name, check.result]),
    [
      ['configuration', 'fail'],
      ['configuration', 'fail'],
    ],
  )
})

test('many processes migrate an empty database at once, and it is migrated once', async () => {
  const name = `empty_${newId().replaceAll('-', '')}`
  await database.pool.query(`create database ${name}`)
  after(() => database.pool.query(`drop database if exists ${name} with (force)`).catch(() => {}))
  const target = new URL(databaseUrl)
  target.pathname = `/${name}`
  const outcomes = await Promise.all(
    Array.from({ length: 4 }, () => mdk({ ...env, MDK_DATABASE_URL: target.href }, 'migrate')),
  )
  for (const outcome of outcomes) assert.equal(outcome.status, 0, outcome.stderr)
  const applied = outcomes.map((outcome) => outcome.json.applied.length)
  assert.equal(applied.filter((count) => count > 0).length, 1, String(applied))
})

test('--json is understood wherever it stands', async () => {
  for (const args of [
    ['--json', 'audit', 'list', '--limit', '1'],
    ['audit', '--json', 'list', '--limit', '1'],
    ['audit', 'list', '--limit', '1', '--json'],
  ]) {
    assert((await runs(...args)).items)
  }
})

test('whoever reads only the beginning of what is printed is left in peace, and the work is done', async () => {
  const child = spawn(MDK, ['tenant', 'create', '--name', 'Unread'], {
    env: { PATH: process.env.PATH ?? '', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  child.stdout.destroy()
  const exited = once(child, 'exit')
  assert.equal((await buffer(child.stderr)).toString(), '')
  assert.deepEqual((await exited)[0], 0)
  assert.equal((await ok('tenant', 'show', 'Unread')).status, 'active')
})

test('a plan whose keys may ask more often than one address is warned of, and so is a service whose tenants have it', async () => {
  const warned = async (more: Record<string, string>, ...args: string[]) => {
    const { status, stderr, json } = await mdkInside({ ...env, ...more }, ...args)
    assert.equal(status, 0, stderr)
    assert.equal(json.name, 'guarded', 'the result is printed all the same')
    return stderr === '' ? undefined : JSON.parse(stderr)
  }
  assert.equal(await warned({}, 'plan', 'create', 'guarded', '--key-per-minute', '120'), undefined)
  const set = (most: number) => ['plan', 'set', 'guarded', '--key-per-minute', String(most)]
  const warning = await warned({}, ...set(121))
  assert.equal(warning.code, 'key_limit_above_ip_guard')
  assert.match(warning.message, /^plan guarded: .*121 requests a minute, and one address only 120.*MDK_IP_ALLOW/)
  assert.match((await warned({}, ...set(0))).message, /as many requests a minute as it likes/)
  assert.equal(await warned({ MDK_IP_PER_MINUTE: '0' }, ...set(0)), undefined)
  assert.equal(await warned({ MDK_IP_PER_MINUTE: '200' }, ...set(200)), undefined)
  assert.equal(await warned({ MDK_IP_ALLOW: '192.0.2.0/24' }, ...set(121)), undefined)

  const guard = { ...env, MDK_IP_PER_MINUTE: '120' }
  const quiet = await startService(guard, ['serve', '--roles', 'api'])
  assert.equal(await quiet.stop(), 0)
  assert.equal(quiet.errors(), '', 'nobody has the plan')
  await ok('tenant', 'create', '--name', 'Guarded', '--plan', 'guarded')
  const service = await startService(guard, ['serve', '--roles', 'api'])
  await until('it warns', () => service.errors().includes('plan guarded'))
  assert.equal(await service.stop(), 0)
})
