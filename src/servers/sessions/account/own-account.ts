// What the operations on a user's own account stand on: they are the same on both sites, whoever the user is as an actor.
import type { Static, TSchema } from 'typebox'
import { type ProblemOptions, problem } from '../../../access/problem.ts'
import type { Hasher } from '../../../lib/hash-turns.ts'
import { Type } from '../../../lib/schema-types.ts'
import type { SecretBox } from '../../../lib/secret-box.ts'
import type { Database } from '../../../lib/sql.ts'
import type { RelyingParty } from '../../../users/add-passkey.ts'
import type { Challenges } from '../../../users/passkey-challenge.ts'
import { dataFor } from '../data.ts'
import { PASSKEY_ID } from '../passkey-id.ts'

export const accountData = dataFor<unknown>()

export interface AccountDeps {
  database: Database
  /** Of passwords. */
  hasher: Hasher
  /** Seals the keys of authenticator apps. */
  box: SecretBox
  challenges: Challenges
  /** Whom passkeys and authenticator apps are made for. */
  party: RelyingParty
}

/** Longer ones than any that is good, so that each is told what is wrong with it. */
export const TypedSecret = Type.String({ maxLength: 1_000 })

/** As the browser's API gives it, encoded as JSON (WebAuthn 5.1.8); the library that verifies it looks at the rest. */
export const PasskeyAnswer = Type.Unsafe<Record<string, unknown> & { id: string }>(
  Type.Object({ id: Type.String({ pattern: PASSKEY_ID.source }), response: Type.Object({}) }),
)
export type PasskeyAnswer = Static<typeof PasskeyAnswer>

/** What the browser is asked for, as the library makes it. */
export const PasskeyOptions = Type.Unsafe<{ optionsJSON: object }>({
  type: 'object',
  properties: { optionsJSON: { type: 'object', additionalProperties: true } },
} as unknown as TSchema)

/** Whoever guessed wrong of late waits. */
export function tooManyGuesses(seconds: number) {
  const options: ProblemOptions = {
    message: `Too many wrong attempts. Try again in ${seconds} ${seconds === 1 ? 'second' : 'seconds'}.`,
    details: { limit: 'sign_in' },
    retryAfterSeconds: seconds,
  }
  return problem('rate_limited', options)
}
