// Reads what a browser says for a passkey, as the script of a page puts it into a field. Whether it proves anything is
// WebAuthn's to say; here it only gets the form that is relied on before that.
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import { PASSKEY_ID } from '../passkey-id.ts'

/** Undefined for what no browser says. */
export function readPasskeyAnswer(text: string): (AuthenticationResponseJSON & RegistrationResponseJSON) | undefined {
  try {
    const answer = JSON.parse(text)
    const isOne = typeof answer.id === 'string' && PASSKEY_ID.test(answer.id) && typeof answer.response === 'object'
    return isOne ? answer : undefined
  } catch {
    return undefined
  }
}
