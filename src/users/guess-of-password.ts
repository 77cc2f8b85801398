// What a wrong password counts against. Guesses from a device that its user has signed in from of late are counted apart, so
// that strangers who guess, from however many addresses, do not make the user wait there.

import type { RequestOrigin } from '../access/request-origin.ts'
import { clientNetwork } from '../lib/network.ts'
import type { Db } from '../lib/sql.ts'
import { isKnownDevice } from './known-devices.ts'
import { type Guess, guessOfAccount } from './sign-in-delay.ts'
import type { UserKind } from './user.ts'

/** `login` is an account's, whether there is one or not: no stranger's device is known to either. */
export async function guessOfPassword(db: Db, kind: UserKind, login: string, origin: RequestOrigin): Promise<Guess> {
  const isKnown = await isKnownDevice(db, kind, login, origin)
  return guessOfAccount(isKnown ? `${kind} from ${clientNetwork(origin.clientAddress)}` : kind, login)
}
