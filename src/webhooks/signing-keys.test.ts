import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { createSecretBox, parseSecretKeys } from '../lib/secret-box.ts'
import { makeWebhookSecret } from './signature.ts'
import { createSigningKeyring, type SealedSecrets, sealSecret } from './signing-keys.ts'

/** As many as a keyring remembers. */
const REMEMBERED = 10_000

const box = createSecretBox(parseSecretKeys(`1:${randomBytes(32).toString('base64')}`))

function sealedEndpoint(): SealedSecrets {
  const [tenant_id, id] = [randomUUID(), randomUUID()]
  return { tenant_id, id, secret: sealSecret(box, tenant_id, id, makeWebhookSecret()), previous_secret: null }
}

test('a secret in use stays opened, whatever others come; of those that rest, the longest rested is opened again', () => {
  const keyring = createSigningKeyring(box)
  const [used, resting, ...others] = Array.from({ length: REMEMBERED + 1 }, sealedEndpoint)
  assert.ok(used && resting)
  const [usedKey] = keyring.keysOf(used)
  const [restingKey] = keyring.keysOf(resting)
  for (const other of others) {
    keyring.keysOf(other)
    assert.equal(keyring.keysOf(used)[0], usedKey)
  }
  assert.notEqual(keyring.keysOf(resting)[0], restingKey)
})
