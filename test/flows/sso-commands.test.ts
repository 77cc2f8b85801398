// Single sign-on of a tenant by commands.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createSecretBox, parseSecretKeys } from '../../src/lib/secret-box.ts'
import { findSingleSignOn } from '../../src/people/single-sign-on/find-single-sign-on.ts'
import { createTestDatabase } from '../support/database.ts'
import { mdkHere, mdkInside, mdkReading } from '../support/mdk.ts'
import { ROGUE_CLIENT, startRogueProvider } from '../support/rogue-provider.ts'

const { database, url } = await createTestDatabase()
const keys = `1:${'A'.repeat(43)}=`
const env = { MDK_DATABASE_URL: url, MDK_SECRET_KEYS: keys, MDK_CONSOLE_URL: 'https://console.example.com' }
const provider = await startRogueProvider()
after(() => provider.stop())
const { id: tenantId } = await mdkHere(env, 'tenant', 'create', '--name', 'Acme')
const set = (allow: Record<string, string>, secret = ROGUE_CLIENT.clientSecret) =>
  mdkReading(
    `${secret}\n`,
    { ...env, ...allow },
    ...['sso', 'set', '--tenant', 'Acme', '--issuer', provider.issuer, '--client-id', ROGUE_CLIENT.clientId, '--json'],
  )

test('a provider within our network is reached only when the operator allows its network', async () => {
  for (const name of ['MDK_WEBHOOK_ALLOW', 'MDK_SMTP_ALLOW']) {
    const { status, stderr } = await set({ [name]: '127.0.0.1' })
    assert.equal(status, 1)
    assert.match(JSON.parse(stderr).message, /issuer.*cannot be read at \/\.well-known/)
  }
})

test('the secret comes by standard input and is shown nowhere; both addresses are', async () => {
  const { status, stdout, stderr, json } = await set({ MDK_SSO_ALLOW: '127.0.0.1' })
  assert.equal(status, 0, stderr)
  assert(!stdout.includes(ROGUE_CLIENT.clientSecret))
  const { setAt, ...shown } = json
  const signInUrl = `https://console.example.com/sign-in/sso/${tenantId}`
  const expected = { issuer: provider.issuer, clientId: ROGUE_CLIENT.clientId, signInUrl }
  assert.deepEqual(shown, { ...expected, callbackUrl: `${signInUrl}/callback` })
  assert.deepEqual(await mdkHere(env, 'sso', 'show', '--tenant', tenantId), json)
  const found = await findSingleSignOn(database, createSecretBox(parseSecretKeys(keys)), tenantId)
  assert.equal(found?.clientSecret.reveal(), ROGUE_CLIENT.clientSecret)
  const { items } = await mdkHere(env, 'audit', 'list', '--tenant', 'Acme')
  assert(items.some(({ operation }: { operation: string }) => operation === 'singleSignOn.set'))
})

test('without a secret nothing is set; what is removed is gone', async () => {
  const { status, stderr } = await set({ MDK_SSO_ALLOW: '127.0.0.1' }, '')
  assert.equal(status, 1)
  assert.match(JSON.parse(stderr).message, /clientSecret/)
  assert.deepEqual(await mdkHere(env, 'sso', 'remove', '--tenant', 'Acme'), { tenantId, status: 'removed' })
  const { items } = await mdkHere(env, 'audit', 'list', '--tenant', 'Acme')
  assert(items.some(({ operation }: { operation: string }) => operation === 'singleSignOn.remove'))
  for (const [verb, said] of [
    ['show', 'This tenant has no single sign-on. Name its provider with mdk sso set.'],
    ['remove', 'This tenant has no single sign-on.'],
  ] as const) {
    const { status: gone, stderr: words } = await mdkInside(env, 'sso', verb, '--tenant', 'Acme')
    const { code, message } = JSON.parse(words)
    assert.deepEqual([gone, code, message], [1, 'not_found', said])
  }
})
