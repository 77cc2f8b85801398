import assert from 'node:assert/strict'
import { test } from 'node:test'
import { factorsInWords } from './factors.ts'

test('factors are named in the order in which they are asked for', () => {
  const of = (password: boolean, totp: boolean, passkeys: number, singleSignOn = false) =>
    factorsInWords({ password, totp, passkeys, recoveryCodes: 0, singleSignOn })
  assert.equal(of(true, true, 2), 'Password, authenticator app, 2 passkeys')
  assert.equal(of(false, false, 1), 'Passkey')
  assert.equal(of(true, false, 0, true), 'Password, single sign-on')
  assert.equal(of(false, false, 0), '–')
})
