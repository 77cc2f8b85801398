// Adds a passkey (WebAuthn) to a user who is signed in.
import {
  generateRegistrationOptions,
  type PublicKeyCredentialCreationOptionsJSON,
  type RegistrationResponseJSON,
  verifyRegistrationResponse,
} from '@simplewebauthn/server'
import { invalidField } from '../access/problem.ts'
import type { RequestOrigin } from '../access/request-origin.ts'
import { type Database, type Db, sql } from '../lib/sql.ts'
import { newId, type Uuid } from '../lib/uuid.ts'
import { tenantsOfUser } from './find-user.ts'
import { lockUser } from './lock-user.ts'
import { type Challenges, useChallenge } from './passkey-challenge.ts'
import { recordSignIn } from './record-sign-in.ts'
import { requireFresh } from './require-whole.ts'
import type { FoundSession } from './sessions.ts'

/** Where passkeys belong to: one listener's origin. */
export interface RelyingParty {
  /** `https://console.example.com` */
  origin: string
  name: string
}

const MOST_PASSKEYS = 20
const MOST_NAME = 60

/** What the browser is asked for. */
export async function offerPasskey(
  { database, challenges, party }: { database: Db; challenges: Challenges; party: RelyingParty },
  user: FoundSession,
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  const present = await database.rows(sql<{ id: string; transports: string[] }>`
    select credential_id as id, transports from passkeys where tenant_id = ${user.tenantId} and user_id = ${user.userId}`)
  return generateRegistrationOptions({
    rpName: party.name,
    rpID: new URL(party.origin).hostname,
    userName: user.login,
    userID: new Uint8Array(Buffer.from(user.userId.replaceAll('-', ''), 'hex')),
    userDisplayName: user.name ?? user.login,
    challenge: challenges.make(user.kind, user.userId),
    excludeCredentials: present,
    // It signs in alone, without an address and a password.
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  })
}

/** @throws Problem sign_in_again, validation_error when the browser's answer proves nothing */
export async function addPasskey(
  { database, challenges, party }: { database: Database; challenges: Challenges; party: RelyingParty },
  user: FoundSession,
  request: { response: RegistrationResponseJSON; name: string },
  origin: RequestOrigin,
): Promise<{ id: Uuid }> {
  requireFresh(user)
  const name = request.name.trim()
  if (name === '' || name.length > MOST_NAME) throw invalidField('name', `must have 1 to ${MOST_NAME} characters`)
  const { verified, registrationInfo, challenge } = await verify(party, user, request.response, challenges)
  if (!verified) throw invalidField('response', 'does not prove that the passkey was made here, a moment ago')
  const { credential } = registrationInfo
  const id = newId()
  await database.transaction(async (tx) => {
    await lockUser(tx, user)
    if (!(await useChallenge(tx, challenge))) throw invalidField('response', 'was used before')
    const added = await tx.first(sql<{ id: Uuid }>`
      insert into passkeys (tenant_id, user_id, id, credential_id, public_key, counter, transports, name)
      select ${user.tenantId}, ${user.userId}, ${id}, ${credential.id}, ${Buffer.from(credential.publicKey)},
        ${credential.counter}, ${credential.transports ?? []}, ${name}
      where (select count(*) from passkeys where tenant_id = ${user.tenantId} and user_id = ${user.userId})
        < ${MOST_PASSKEYS}::integer
      on conflict (credential_id) do nothing
      returning id`)
    if (!added)
      throw invalidField('response', `is of a passkey that is there already, or of one beyond ${MOST_PASSKEYS}`)
    await recordSignIn(tx, user, await tenantsOfUser(tx, user), 'passkey.add', origin)
  })
  return { id }
}

type Verified =
  | { verified: false; registrationInfo?: never; challenge: string }
  | {
      verified: true
      registrationInfo: { credential: { id: string; publicKey: Uint8Array; counter: number; transports?: string[] } }
      challenge: string
    }

/** Whatever is wrong with an answer, it proves nothing: the library throws for most of it. */
async function verify(
  party: RelyingParty,
  user: FoundSession,
  response: RegistrationResponseJSON,
  challenges: Challenges,
): Promise<Verified> {
  let challenge = ''
  const expectedChallenge = (given: string) => {
    challenge = given
    return challenges.isGood(given, user.kind, user.userId)
  }
  const result = await verifyRegistrationResponse({
    response,
    expectedChallenge,
    expectedOrigin: party.origin,
    expectedRPID: new URL(party.origin).hostname,
    requireUserVerification: true,
  }).catch(() => ({ verified: false as const }))
  return { ...result, challenge } as Verified
}
