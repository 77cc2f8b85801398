// Whether a process has the keys that its database was written with: those that have not are refused before they do
// anything.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { access, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { ROLES } from '../../src/config.ts'
import { Secret } from '../../src/lib/secret.ts'
import { createSecretBox, fingerprintOf, parseSecretKeys } from '../../src/lib/secret-box.ts'
import { sql } from '../../src/lib/sql.ts'
import { findSingleSignOn, placeOfClientSecret } from '../../src/people/single-sign-on/find-single-sign-on.ts'
import { resealClientSecrets } from '../../src/people/single-sign-on/reseal-client-secrets.ts'
import { openSecretKeys } from '../../src/secret-keys.ts'
import { resealTotpKeys } from '../../src/users/reseal-totp-keys.ts'
import { findTotpKey, placeOfTotpKey } from '../../src/users/totp.ts'
import { personRef } from '../../src/users/user.ts'
import { resealSecrets } from '../../src/webhooks/sweep-webhooks.ts'
import { startTestApi } from '../support/api.ts'
import { createTestDatabase } from '../support/database.ts'
import { mdk } from '../support/mdk.ts'
import { createTestPerson } from '../support/people.ts'
import { startReceiver } from '../support/receiver.ts'
import { TEST_SECRET_KEYS, TEST_SECRET_KEYS_TEXT } from '../support/role-parts.ts'
import { startService } from '../support/service.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { createTestTenant } from '../support/tenant.ts'
import { subscribe } from '../support/webhook-subscriber.ts'

const restored = await createTestDatabase()
const anyKey = (version: number) => `${version}:${randomBytes(32).toString('base64')}`
const printOf = (text: string) => fingerprintOf(parseSecretKeys(text.trim())[0])
const given = (text: string) => ({ secretKeys: parseSecretKeys(text), dataDir: '/nowhere' })

async function folder(): Promise<string> {
  const made = await temporaryFolder('keys-')
  after(() => rm(made, { recursive: true, force: true }))
  return made
}

test('a database that comes without its key file starts no role, and says which key it lacks', async () => {
  const { url } = restored
  const dataDir = await folder()
  const env = {
    MDK_DATABASE_URL: url,
    MDK_DATA_DIR: dataDir,
    MDK_PORT: '0',
    MDK_OPS_PORT: '0',
    MDK_SMTP_PORT: '0',
    MDK_CONSOLE_PORT: '0',
    MDK_WEBMAIL_PORT: '0',
    MDK_RELAY_URL: 'smtp://127.0.0.1:9',
    MDK_RETURN_PATH_DOMAIN: 'bounce.test',
  }
  // Nothing is sealed yet: only return paths and cursors bear its mark.
  const first = await startService(env, ['serve', '--roles', 'api'])
  assert.equal(await first.stop(), 0)
  const file = join(dataDir, 'secret-keys')
  const print = printOf(await readFile(file, 'utf8'))
  await rename(file, `${file}.kept`)

  const lacks = new RegExp(`needs key version 1 with the fingerprint ${print}`)
  const tries = [...ROLES.map((role) => ['serve', '--roles', role]), ['dev']]
  for (const args of tries) {
    const { status, stderr } = await mdk(env, ...args)
    assert.equal(status, 2, `${args.join(' ')}: ${stderr}`)
    assert.match(stderr, lacks)
    assert.match(stderr, /put back the keys that were kept with the backup/)
  }
  const doctor = await mdk(env, 'doctor')
  const check = doctor.json.checks.find(({ name }: { name: string }) => name === 'secret keys')
  assert.equal(check.result, 'fail')
  assert.match(check.found, lacks)
  assert.match(check.repair, /MDK_SECRET_KEYS/)
  await assert.rejects(access(file), 'no other key is made in its place')

  await rename(`${file}.kept`, file)
  const again = await startService(env, ['serve', '--roles', 'api'])
  assert.equal(await again.stop(), 0)
})

test('another key of the same version is refused, and a command that would seal with it changes nothing', async () => {
  const { url, database } = await createTestDatabase()
  const tenant = await createTestTenant(database)
  const [right, wrong] = [anyKey(1), anyKey(1)]
  await openSecretKeys(given(right), database)
  await assert.rejects(openSecretKeys(given(wrong), database), new RegExp(`${printOf(wrong)}.*${printOf(right)}`))
  const env = { MDK_DATABASE_URL: url, MDK_DATA_DIR: await folder(), MDK_SECRET_KEYS: wrong }
  const added = await mdk(env, 'domain', 'add', '--tenant', tenant.tenantId, '--domain', 'keys.test', '--verified')
  assert.equal(added.status, 2)
  const { rows } = await database.pool.query("select from domains where domain = 'keys.test'")
  assert.equal(rows.length, 0)
})

test('of two first starts with keys of their own one is refused', async () => {
  const { database } = await createTestDatabase()
  const starts = await Promise.allSettled([1, 2, 3].map(() => openSecretKeys(given(anyKey(1)), database)))
  assert.deepEqual(starts.map(({ status }) => status).sort(), ['fulfilled', 'rejected', 'rejected'])
})

test('authenticator apps and single sign-on keep a key too, until they are sealed anew', async () => {
  const { database } = await createTestDatabase()
  const { tenantId } = await createTestTenant(database)
  const { id } = await createTestPerson(database, tenantId, 'owner')
  const old = createSecretBox(await openSecretKeys(given(TEST_SECRET_KEYS_TEXT), database))
  const user = personRef(id)
  const totpKey = old.seal(new Secret('a key'), placeOfTotpKey(user))
  const clientSecret = old.seal(new Secret('a secret'), placeOfClientSecret(tenantId))
  await database.rows(
    sql`insert into totp_keys (tenant_id, user_id, secret) values (${user.tenantId}, ${id}, ${totpKey})`,
  )
  await database.rows(sql`
    insert into single_sign_on (tenant_id, issuer, client_id, client_secret)
    values (${tenantId}, 'https://id.example.com', 'console', ${clientSecret})`)
  const second = anyKey(2)
  const box = createSecretBox(await openSecretKeys(given(`${second},${TEST_SECRET_KEYS_TEXT}`), database))
  const alone = () => openSecretKeys(given(second), database)
  await assert.rejects(alone(), /for 2 of its secrets/)
  assert.equal(await resealTotpKeys(database, box, 2, 100), 1)
  await assert.rejects(alone(), /for 1 of its secrets/)
  assert.equal(await resealClientSecrets(database, box, 2, 100), 1)
  const fresh = createSecretBox(await alone())
  const sealed = await findTotpKey(database, user, 'any')
  assert.equal(fresh.open(sealed as Buffer, placeOfTotpKey(user)).reveal(), 'a key')
  assert.equal((await findSingleSignOn(database, fresh, tenantId))?.clientSecret.reveal(), 'a secret')
  assert.equal(await resealTotpKeys(database, box, 2, 100), 0)
  assert.equal(await resealClientSecrets(database, box, 2, 100), 0)
})

test('a key goes once nothing is sealed by it any more, and not before', async () => {
  const { database } = await createTestDatabase()
  const { url } = await startTestApi(database)
  await subscribe(url, database, await startReceiver())
  const second = anyKey(2)
  await openSecretKeys(given(TEST_SECRET_KEYS_TEXT), database)
  const both = await openSecretKeys(given(`${second},${TEST_SECRET_KEYS_TEXT}`), database)
  const lacks = new RegExp(`key version 1 with the fingerprint ${fingerprintOf(TEST_SECRET_KEYS[0])}, for 1 of`)
  await assert.rejects(openSecretKeys(given(second), database), lacks)
  await resealSecrets(database, createSecretBox(both), 2, 100)
  assert.equal((await openSecretKeys(given(second), database))[0].version, 2)
  await assert.rejects(openSecretKeys(given(TEST_SECRET_KEYS_TEXT), database), /needs key version 2/)
})
