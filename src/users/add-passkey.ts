// Adds a passkey (WebAuthn) to a user who is signed in.
import type { PublicKeyCredentialCreationOptionsJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import { invalidField } from '../access/problem.ts'
import type { RequestOrigin } from '../access/request-origin.ts'
import { type Database, type Db, sql, type Tx } from '../lib/sql.ts'
import { newId, type Uuid } from '../lib/uuid.ts'
import { endUnprovenSessions } from './end-unproven-sessions.ts'
import { tenantsOfUser } from './find-user.ts'
import { lockSession } from './lock-session.ts'
import { type Challenges, useChallenge } from './passkey-challenge.ts'
import { recordSignIn } from './record-sign-in.ts'
import { requireFresh } from './require-whole.ts'
import type { FoundSession } from './sessions.ts'
import type { UserRef } from './user.ts'
import { loadWebAuthn } from './web-authn.ts'

/** Where passkeys belong to: one listener's origin. */
export interface RelyingParty {
  /** `https://console.example.com` */
  origin: string
  name: string
}

/** WebAuthn, section 4, credential ID. */
const MOST_ID_OCTETS = 1_023
/** WebAuthn, section 5.8.4. */
const TRANSPORTS = ['usb', 'nfc', 'ble', 'smart-card', 'hybrid', 'internal'] as const
const MOST_PASSKEYS = 20
const MOST_NAME = 60

/** What the browser is asked for. */
export async function offerPasskey(
  { database, challenges, party }: { database: Db; challenges: Challenges; party: RelyingParty },
  user: FoundSession,
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  const present = await database.rows(sql<PresentPasskey>`
    select credential_id as id, transports from passkeys where tenant_id = ${user.tenantId} and user_id = ${user.userId}`)
  return askForNewPasskey({ challenges, party }, user, present)
}

/** As the browser is to know it again, so that it makes none of the same device twice. */
interface PresentPasskey {
  id: string
  transports: string[]
}

export async function askForNewPasskey(
  { challenges, party }: { challenges: Challenges; party: RelyingParty },
  user: UserRef & { login: string; name?: string | null },
  present: PresentPasskey[],
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  const { generateRegistrationOptions } = await loadWebAuthn()
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

/**
 * The first beside a password ends all other sessions, which were opened without it.
 * @throws Problem not_signed_in, sign_in_again, validation_error when the browser's answer proves nothing
 */
export async function addPasskey(
  { database, challenges, party }: { database: Database; challenges: Challenges; party: RelyingParty },
  user: FoundSession,
  request: { response: RegistrationResponseJSON; name: string },
  origin: RequestOrigin,
): Promise<{ id: Uuid }> {
  requireFresh(user)
  const name = request.name.trim()
  if (name === '' || name.length > MOST_NAME || /\p{Cc}/u.test(name) || !name.isWellFormed()) {
    throw invalidField('name', `must have 1 to ${MOST_NAME} characters, no control characters among them`)
  }
  const passkey = await proveNewPasskey({ challenges, party }, user, request.response)
  return database.transaction(async (tx) => {
    await lockSession(tx, user)
    await endUnprovenSessions(tx, user)
    const id = await insertPasskey(tx, user, passkey, name)
    await recordSignIn(tx, user, await tenantsOfUser(tx, user), 'passkey.add', origin)
    return { id }
  })
}

/** A passkey that somebody was just shown to have. */
interface NewPasskey {
  credential: { id: string; publicKey: Uint8Array; counter: number; transports: string[] }
  challenge: string
}

/**
 * Whatever is wrong with an answer, it proves nothing: the library throws for most of it.
 * @throws Problem validation_error naming `response`
 */
export async function proveNewPasskey(
  { challenges, party }: { challenges: Challenges; party: RelyingParty },
  user: UserRef,
  response: RegistrationResponseJSON,
): Promise<NewPasskey> {
  const { verifyRegistrationResponse } = await loadWebAuthn()
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
  }).catch(() => undefined)
  if (!result?.verified) throw invalidField('response', 'does not prove that the passkey was made here, a moment ago')
  const { credential } = result.registrationInfo
  if (Buffer.from(credential.id, 'base64url').length > MOST_ID_OCTETS) {
    throw invalidField('response', `has an id of more than ${MOST_ID_OCTETS} octets`)
  }
  // The browser says them, and nothing proves them.
  const transports = TRANSPORTS.filter((name) => [credential.transports].flat().includes(name))
  return { credential: { ...credential, transports }, challenge }
}

/** For a user who is locked. @throws Problem validation_error naming `response` */
export async function insertPasskey(
  tx: Tx,
  user: UserRef,
  { credential, challenge }: NewPasskey,
  name: string,
): Promise<Uuid> {
  if (!(await useChallenge(tx, challenge))) throw invalidField('response', 'was used before')
  const id = newId()
  const added = await tx.first(sql<{ id: Uuid }>`
    insert into passkeys (tenant_id, user_id, id, credential_id, public_key, counter, transports, name)
    select ${user.tenantId}, ${user.userId}, ${id}, ${credential.id}, ${Buffer.from(credential.publicKey)},
      ${credential.counter}, ${credential.transports}, ${name}
    where (select count(*) from passkeys where tenant_id = ${user.tenantId} and user_id = ${user.userId})
      < ${MOST_PASSKEYS}::integer
    on conflict (credential_id) do nothing
    returning id`)
  if (!added) throw invalidField('response', `is of a passkey that is there already, or of one beyond ${MOST_PASSKEYS}`)
  return id
}
