// What counts as the address of a provider, whatever the library would let pass.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PublicFetch } from '../../lib/public-fetch.ts'
import { createProviders } from './provider.ts'

/** Providers as they answer at their address. */
function answering(configuration: object, isCut = false) {
  const body = Buffer.from(JSON.stringify(configuration))
  const answer = async () => ({ kind: 'response', status: 200, headers: {}, body, isCut, durationMs: 1 }) as const
  return createProviders({ get: answer, post: answer, close: async () => {} } satisfies PublicFetch)
}

const configurationOf = (issuer: string) => ({
  ...{
    issuer,
    authorization_endpoint: `${issuer}/auth`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/keys`,
  },
})

test('a provider is called as it calls itself', async () => {
  const issuer = 'https://id.example.com/realms/one'
  assert.deepEqual(await answering(configurationOf(issuer)).discover(issuer), { kind: 'provider', issuer })
  for (const other of ['https://id.example.com/realms/two', `${issuer}/`, 'https://id.example.org/realms/one']) {
    assert.equal((await answering(configurationOf(other)).discover(issuer)).kind, 'invalid', other)
  }
})

test('addresses that speak for many organizations are refused, also those that the library knows', async () => {
  for (const [asked, called] of [
    ['https://login.microsoftonline.com/common/v2.0', 'https://login.microsoftonline.com/{tenantid}/v2.0'],
    ['https://login.microsoftonline.com/organizations/v2.0', 'https://login.microsoftonline.com/{tenantid}/v2.0'],
    ['https://one.b2clogin.com/one/policy/v2.0', 'https://one.b2clogin.com/11111111-1111-1111-1111-111111111111/v2.0/'],
  ] as const) {
    assert.deepEqual(await answering(configurationOf(called)).discover(asked), {
      kind: 'invalid',
      detail: 'its configuration is that of another issuer',
    })
  }
})

test('of an answer that is longer than may be read nothing counts', async () => {
  const issuer = 'https://id.example.com'
  assert.deepEqual(await answering(configurationOf(issuer), true).discover(issuer), {
    kind: 'unreachable',
    detail: 'the answer is longer than 64 KiB',
  })
})
