// What single sign-on asks of a tenant's provider. The library that asks it is loaded when it first does, as few processes ever do.
import type { PublicFetch } from '../../lib/public-fetch.ts'
import type { SingleSignOn } from './find-single-sign-on.ts'
import type { Round } from './round.ts'

export interface ProviderFault {
  readonly kind: 'unreachable' | 'declined' | 'invalid'
  /** For logs, and for the Owner who names the provider: nothing secret, and no text of the provider's. */
  readonly detail: string
}

/** Whom a provider says has signed in there. */
export interface Vouched {
  readonly kind: 'vouched'
  readonly subject: string
  /** When, in seconds since 1970; undefined when the provider does not say. */
  readonly authTime: number | undefined
}

export interface Providers {
  /** What the provider says of itself now. `issuer` is a URL. */
  discover(issuer: string): Promise<{ kind: 'provider'; issuer: string } | ProviderFault>
  /** Where the browser is to go. */
  signInUrl(to: SingleSignOn, round: Round, redirectUri: string): Promise<{ kind: 'url'; url: string } | ProviderFault>
  /** Whom the answer proves to have signed in. `answer` is the URL that the browser was sent back to. */
  redeem(from: SingleSignOn, round: Round, answer: URL, nowMs: number): Promise<Vouched | ProviderFault>
}

/** Of one request to a provider, whatever it does: somebody waits for the page. */
export const PROVIDER_TIMEOUT_MS = 5_000

export function createProviders(publicFetch: PublicFetch): Providers {
  let opened: Promise<Providers> | undefined
  const open = () => {
    opened ??= import('./openid-provider.ts').then(({ createOpenIdProviders }) => createOpenIdProviders(publicFetch))
    return opened
  }
  return {
    discover: async (issuer) => (await open()).discover(issuer),
    signInUrl: async (to, round, redirectUri) => (await open()).signInUrl(to, round, redirectUri),
    redeem: async (from, round, answer, nowMs) => (await open()).redeem(from, round, answer, nowMs),
  }
}
