// Where single sign-on begins and ends on the console. Pure.
import type { Uuid } from '../../lib/uuid.ts'

export interface SingleSignOnUrls {
  /** For people: signs in by the tenant's provider. Tells nobody who has an account. */
  signIn: string
  /**
   * For the provider. Each tenant has its own, so that an answer of one provider is never taken for that of another
   * (RFC 9700, section 4.4.2).
   */
  callback: string
}

/** `consoleUrl` has no slash at its end. */
export function singleSignOnUrls(consoleUrl: string, tenantId: Uuid): SingleSignOnUrls {
  const signIn = `${consoleUrl}/sign-in/sso/${tenantId}`
  return { signIn, callback: `${signIn}/callback` }
}
