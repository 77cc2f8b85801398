// Signing in with a passkey alone, and proving factors again with one.
import type { AuthenticationResponseJSON, PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/server'
import type { RequestOrigin } from '../access/request-origin.ts'
import { clientNetwork } from '../lib/network.ts'
import { type Database, type Db, sql, type Tx } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'
import type { RelyingParty } from './add-passkey.ts'
import { findUser, tenantsOfUser } from './find-user.ts'
import { holdUser } from './lock-user.ts'
import { type Challenges, useChallenge } from './passkey-challenge.ts'
import { recordSignIn } from './record-sign-in.ts'
import { type FoundSession, type NewSession, renewSession, startSession } from './sessions.ts'
import { countGuess, guessFromAddress } from './sign-in-delay.ts'
import type { UserKind, UserRef } from './user.ts'
import { loadWebAuthn } from './web-authn.ts'

const USE = 'sign-in'

/** What the browser is asked for: any passkey that it has for this origin. */
export async function askForPasskey(
  { challenges, party }: { challenges: Challenges; party: RelyingParty },
  kind: UserKind,
): Promise<PublicKeyCredentialRequestOptionsJSON> {
  const { generateAuthenticationOptions } = await loadWebAuthn()
  return generateAuthenticationOptions({
    rpID: new URL(party.origin).hostname,
    challenge: challenges.make(kind, USE),
    userVerification: 'required',
  })
}

export type PasskeyOutcome =
  | { outcome: 'signed_in'; session: NewSession }
  | { outcome: 'wrong' }
  | { outcome: 'delayed'; seconds: number }

/** A passkey is something one has and knows: it opens a whole session. `session`: the one whose user proves it again. */
export async function signInByPasskey(
  { database, challenges, party }: { database: Database; challenges: Challenges; party: RelyingParty },
  kind: UserKind,
  { response, session }: { response: AuthenticationResponseJSON; session?: FoundSession | undefined },
  origin: RequestOrigin,
): Promise<PasskeyOutcome> {
  const address = guessFromAddress(clientNetwork(origin.clientAddress))
  const passkey = await findPasskey(database, kind, response.id)
  const proof = passkey && (await verify({ challenges, party }, kind, passkey, response))
  if (!passkey || !proof || (session && session.userId !== passkey.userId)) {
    const seconds = await database.transaction((tx) => countGuess(tx, address))
    return seconds > 0 ? { outcome: 'delayed', seconds } : { outcome: 'wrong' }
  }
  const user: UserRef = { kind, tenantId: passkey.tenantId, userId: passkey.userId }
  const opened = await database.transaction(async (tx) => {
    if (!(await holdUser(tx, user))) return undefined
    if (!(await useChallenge(tx, proof.challenge)) || !(await countUp(tx, passkey, proof.counter))) return undefined
    // Who may enter nowhere is told what everybody is told.
    if (!(await findUser(tx, kind, passkey.login))) return undefined
    const tenants = await tenantsOfUser(tx, user)
    await recordSignIn(tx, user, tenants, 'signIn', origin)
    if (!session) return startSession(tx, user, { whole: true }, origin)
    const { inTenantId } = session
    return renewSession(tx, session, {
      whole: true,
      proven: true,
      inTenantId: inTenantId ?? undefined,
    })
  })
  return opened ? { outcome: 'signed_in', session: opened } : { outcome: 'wrong' }
}

interface StoredPasskey {
  tenantId: Uuid
  userId: Uuid
  id: Uuid
  login: string
  credentialId: string
  publicKey: Buffer
  counter: number
}

function findPasskey(db: Db, kind: UserKind, credentialId: string): Promise<StoredPasskey | undefined> {
  return db.first(sql<StoredPasskey>`
    select k.tenant_id as "tenantId", k.user_id as "userId", k.id, u.login, k.credential_id as "credentialId",
      k.public_key as "publicKey", k.counter
    from passkeys k join users u on u.tenant_id = k.tenant_id and u.id = k.user_id
    where k.credential_id = ${credentialId} and u.kind = ${kind}`)
}

/** Undefined when it proves nothing; the library throws for most of what is wrong with an answer. */
async function verify(
  { challenges, party }: { challenges: Challenges; party: RelyingParty },
  kind: UserKind,
  passkey: StoredPasskey,
  response: AuthenticationResponseJSON,
): Promise<{ challenge: string; counter: number } | undefined> {
  const { verifyAuthenticationResponse } = await loadWebAuthn()
  let challenge = ''
  const result = await verifyAuthenticationResponse({
    response,
    expectedChallenge: (given) => {
      challenge = given
      return challenges.isGood(given, kind, USE)
    },
    expectedOrigin: party.origin,
    expectedRPID: new URL(party.origin).hostname,
    credential: { id: passkey.credentialId, publicKey: new Uint8Array(passkey.publicKey), counter: passkey.counter },
    requireUserVerification: true,
  }).catch(() => undefined)
  return result?.verified ? { challenge, counter: result.authenticationInfo.newCounter } : undefined
}

/** False when somebody has used a copy of the passkey: its counter has gone further (WebAuthn, section 6.1.1). */
async function countUp(tx: Tx, passkey: StoredPasskey, counter: number): Promise<boolean> {
  const used = await tx.first(sql<{ id: Uuid }>`
    update passkeys set counter = ${counter}, last_used_at = clock_timestamp()
    where tenant_id = ${passkey.tenantId} and user_id = ${passkey.userId} and id = ${passkey.id}
      and (counter < ${counter} or (counter = 0 and ${counter}::bigint = 0))
    returning id`)
  return used !== undefined
}
