// `mdk secret-key rotate`: from one key of the service to the next while processes of both run, whatever is killed, and nothing
// that either has sealed or signed is refused meanwhile.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { createSecretBox, parseSecretKeys, type SecretKeys } from '../../src/lib/secret-box.ts'
import { sql } from '../../src/lib/sql.ts'
import { newId } from '../../src/lib/uuid.ts'
import { returnPathSettings, signReturnPath } from '../../src/mail/return-path.ts'
import { makeDkimKey, sealDkimKey } from '../../src/mailboxes/dkim-key.ts'
import { tryOpeningSecrets } from '../../src/ops/sealed-secrets.ts'
import { call } from '../support/api.ts'
import { createTestDatabase } from '../support/database.ts'
import { handIn } from '../support/inbound.ts'
import { MDK, mdk, mdkHere, mdkInside } from '../support/mdk.ts'
import { startService } from '../support/service.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { createTestTenant } from '../support/tenant.ts'
import { until } from '../support/until.ts'

const { database, url } = await createTestDatabase()
const dataDir = await temporaryFolder('mdk-turning-')
const env = { MDK_DATABASE_URL: url, MDK_DATA_DIR: dataDir }
const rotate = () => mdkHere(env, 'secret-key', 'rotate')
const file = async () => parseSecretKeys((await readFile(join(dataDir, 'secret-keys'), 'utf8')).trim())
const versionsOf = (keys: SecretKeys) => keys.map(({ version }) => version)
const start = () => startService({ ...env, MDK_RETURN_PATH_DOMAIN: 'bounce.test' }, ['serve', '--roles', 'api,inbound'])
const olderSecrets = async () =>
  (
    await database.rows(sql<{ count: number }>`
      select count(*)::integer as count from domains where sealed_with(dkim_private_key) = 1`)
  )[0]?.count ?? 0

test('a key turns step by step; neither two at once nor a kill does harm; nothing is refused meanwhile', async () => {
  const tenant = await createTestTenant(database)
  const first = await start()
  const old = await file()
  const sent = await call(first.url, 'POST', '/v1/messages', {
    key: tenant.key,
    headers: { 'idempotency-key': newId() },
    body: { fromMailboxId: tenant.mailboxId, to: ['a@b.test'], subject: 'x', text: 'x' },
  })
  const messageId = sent.body.message?.id ?? sent.body.id
  const secrets = 2_000
  const key = await makeDkimKey()
  const rows = Array.from({ length: secrets }, (_, i) => {
    const owner = { tenantId: tenant.tenantId, id: newId() }
    const { sealed, ...shown } = sealDkimKey(createSecretBox(old), owner, key)
    return { id: owner.id, domain: `d${i}.turning.test`, ...shown, sealed: `\\x${sealed.toString('hex')}` }
  })
  await database.rows(sql`
    insert into domains (tenant_id, id, domain, verified, verification_token, health, dkim_selector, dkim_public_key,
      dkim_private_key, check_due_at)
    select ${tenant.tenantId}, r.id, r.domain, true, r.domain, 'pending', r.selector, r."publicKey", r.sealed, 'infinity'
    from json_to_recordset(${JSON.stringify(rows)}::json)
      as r (id uuid, domain text, selector text, "publicKey" text, sealed bytea)`)

  const both = await Promise.all([mdk(env, 'secret-key', 'rotate'), mdk(env, 'secret-key', 'rotate')])
  assert.deepEqual(both.map(({ json }) => json.step.kind).sort(), ['add', 'restart'])
  const made = await file()
  assert.deepEqual(versionsOf(made), [1, 2])
  assert.equal((await rotate()).step.kind, 'restart', 'a process without it runs')

  assert.equal(await first.stop(), 0)
  const second = await start()
  assert.equal((await rotate()).step.kind, 'promote')
  assert.deepEqual(versionsOf(await file()), [2, 1])
  const third = await start()
  assert.deepEqual((await rotate()).step, { kind: 'restart', processes: 1 })

  // What either signs comes back to the other.
  const signedBy = (keys: SecretKeys) => signReturnPath(messageId, returnPathSettings('bounce.test', keys))
  const paths = [signedBy(old), signedBy(await file())]
  assert.notEqual(paths[0], paths[1])
  const said = async (port: number, path: string) => (await handIn(port, '', [path], 'Subject: x\r\n\r\nx')).replies[1]
  for (const { smtpPort } of [second, third]) {
    for (const path of paths) assert.match((await said(smtpPort, path)) ?? '', /^250/)
  }
  assert.equal(await second.stop(), 0)

  const killed = spawn(MDK, ['secret-key', 'rotate'], {
    env: { PATH: process.env.PATH ?? '', ...env },
    stdio: 'ignore',
  })
  const exited = once(killed, 'exit')
  await until('some are sealed anew', async () => (await olderSecrets()) < secrets)
  killed.kill('SIGKILL')
  await exited
  const left = await olderSecrets()
  if (left > 0) assert.deepEqual((await rotate()).step, { kind: 'reseal', secrets: left })
  assert.equal(await olderSecrets(), 0)

  assert.equal((await rotate()).step.kind, 'wait')
  assert.deepEqual(versionsOf(await file()), [2, 1], 'what was sent under the older one may still come back')
  await database.rows(sql`update secret_keys set current_since = current_since - interval '7 days' where version = 2`)
  assert.deepEqual((await rotate()).step, { kind: 'drop', versions: [1] })
  const last = await file()
  assert.deepEqual(versionsOf(last), [2])
  const opened = await tryOpeningSecrets(database, createSecretBox(last))
  assert.deepEqual([opened.opened >= secrets, opened.closed], [true, 0])

  assert.equal(await third.stop(), 0)
  const fourth = await start()
  assert.match((await said(fourth.smtpPort, paths[1] as string)) ?? '', /^250/)
  assert.match((await said(fourth.smtpPort, paths[0] as string)) ?? '', /^550/)
  assert.equal(await fourth.stop(), 0)
})

test('keys of the environment are told and not written anywhere', async () => {
  const own = await createTestDatabase()
  const keys = `1:${Buffer.alloc(32, 1).toString('base64')}`
  const asked = { MDK_DATABASE_URL: own.url, MDK_DATA_DIR: await temporaryFolder('mdk-turning-') }
  const turn = async (text: string) =>
    (await mdkInside({ ...asked, MDK_SECRET_KEYS: text }, 'secret-key', 'rotate')).json
  const { newKey, step, inFile } = await turn(keys)
  assert.deepEqual([step, inFile], [{ kind: 'add', version: 2 }, false])
  assert.deepEqual(versionsOf(parseSecretKeys(`${keys},${newKey}`)), [1, 2])
  assert.deepEqual((await turn(`${keys},${newKey}`)).step, { kind: 'promote', version: 2 })
  assert.equal((await turn(`${newKey},${keys}`)).step.kind, 'wait')
  const { rows } = await own.database.pool.query('select k::text as line from secret_keys k')
  assert.ok(rows.every(({ line }) => !line.includes(newKey.slice(2))))
})
