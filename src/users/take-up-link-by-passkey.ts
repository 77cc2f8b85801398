// Uses an invitation or a reset up with a passkey in place of a password: it is all that the user needs.
import type { PublicKeyCredentialCreationOptionsJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import type { RequestOrigin } from '../access/request-origin.ts'
import type { Database } from '../lib/sql.ts'
import { askForNewPasskey, insertPasskey, proveNewPasskey, type RelyingParty } from './add-passkey.ts'
import { findLink } from './links.ts'
import type { Challenges } from './passkey-challenge.ts'
import type { NewSession } from './sessions.ts'
import { isEnough, type Join, takeUp } from './take-up-link.ts'
import type { UserKind } from './user.ts'

interface PasskeyDeps {
  database: Database
  challenges: Challenges
  party: RelyingParty
}

/** What the passkey is called until its user calls it something else. */
const NAME = 'Passkey'

/** What the browser of whoever has the link is asked for; undefined when the link is no good. */
export async function offerFirstPasskey(
  deps: PasskeyDeps,
  kind: UserKind,
  token: string,
): Promise<PublicKeyCredentialCreationOptionsJSON | undefined> {
  const link = await findLink(deps.database, kind, token)
  // Those that the user has go with a reset: the same device may make another.
  return link && isEnough(link) ? askForNewPasskey(deps, link, []) : undefined
}

/** Undefined as `takeUpLink` says. @throws Problem validation_error naming `response` */
export function takeUpLinkByPasskey(
  deps: PasskeyDeps & { join: Join },
  kind: UserKind,
  { token, response }: { token: string; response: RegistrationResponseJSON },
  origin: RequestOrigin,
): Promise<NewSession | undefined> {
  return takeUp(deps, kind, token, origin, async (link) => {
    const passkey = await proveNewPasskey(deps, link, response)
    return {
      act: 'passkey.add',
      async give(tx) {
        await insertPasskey(tx, link, passkey, NAME)
      },
    }
  })
}
