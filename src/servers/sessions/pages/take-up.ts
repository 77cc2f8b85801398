// Takes an invitation or a reset up with what a form brings: a password, or what a passkey answered.
import { type FieldFault, Problem } from '../../../access/problem.ts'
import type { RequestOrigin } from '../../../access/request-origin.ts'
import { joinTenant } from '../../../people/join-tenant.ts'
import type { NewSession } from '../../../users/sessions.ts'
import { takeUpLink } from '../../../users/take-up-link.ts'
import { takeUpLinkByPasskey } from '../../../users/take-up-link-by-passkey.ts'
import type { SentForm } from './form.ts'
import type { PagesDeps } from './page-deps.ts'
import { readPasskeyAnswer } from './passkey-answer.ts'

export interface FactorFault {
  field: 'password' | 'again' | 'passkey'
  words: string
}

/** The session that it opened, what is to be typed in again, or null: the link is no good any more. */
export async function tryToTakeUp(
  deps: PagesDeps,
  token: string,
  given: SentForm,
  origin: RequestOrigin,
): Promise<{ session: NewSession } | { fault: FactorFault } | null> {
  const { site } = deps
  const entering = { ...deps, join: joinTenant }
  const passkey = given.get('passkey')
  const password = given.get('password') ?? ''
  try {
    if (passkey !== undefined) {
      const response = readPasskeyAnswer(passkey)
      if (!response) return { fault: PASSKEY_FAULT }
      return entered(await takeUpLinkByPasskey(entering, site.kind, { token, response }, origin))
    }
    if ((given.get('again') ?? password) !== password) {
      return { fault: { field: 'again', words: 'The two passwords are not the same.' } }
    }
    return entered(await takeUpLink(entering, site.kind, { token, password }, origin))
  } catch (error) {
    const fault = error instanceof Problem ? faultOf(error) : undefined
    if (!fault) throw error
    return {
      fault: fault.path === 'password' ? { field: 'password', words: `The password ${fault.message}.` } : PASSKEY_FAULT,
    }
  }
}

const PASSKEY_FAULT: FactorFault = {
  field: 'passkey',
  words: 'The passkey could not be added. Try again, or choose a password.',
}

function entered(session: NewSession | undefined): { session: NewSession } | null {
  return session ? { session } : null
}

function faultOf({ code, details }: Problem): FieldFault | undefined {
  return code === 'validation_error' ? (details as { fields?: FieldFault[] } | undefined)?.fields?.[0] : undefined
}
