// An OpenID provider: what it says of itself, where it asks people to sign in, and whom it says has. OpenID Connect Core 1.0,
// authorization code flow, with PKCE (RFC 7636), state and nonce. Loaded when somebody first signs in by one (provider.ts).
import { LRUCache } from 'lru-cache'
import {
  AuthorizationResponseError,
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  type ClientAuth,
  ClientSecretBasic,
  ClientSecretPost,
  Configuration,
  calculatePKCECodeChallenge,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
  None,
  ResponseBodyError,
  type ServerMetadata,
} from 'openid-client'
import type { PublicFetch } from '../../lib/public-fetch.ts'
import type { SingleSignOn } from './find-single-sign-on.ts'
import type { ProviderFault, Providers } from './provider.ts'
import { ProviderUnreachable, providerFetch } from './provider-fetch.ts'

/** What a provider says of itself is asked again after so long: strangers who begin to sign in do not make us ask each time. */
const KEPT_MS = 5 * 60_000
const MOST_KEPT = 500
const ENDPOINTS = ['authorization_endpoint', 'token_endpoint', 'jwks_uri'] as const
/** OpenID Connect Core 1.0, section 2: at most 255 ASCII characters. */
const SUBJECT = /^[\x20-\x7e]{1,255}$/

export function createOpenIdProviders(publicFetch: PublicFetch): Providers {
  const fetch = providerFetch(publicFetch)
  const metadata = new LRUCache<string, ServerMetadata>({
    max: MOST_KEPT,
    ttl: KEPT_MS,
    fetchMethod: (issuer) => readMetadata(new URL(issuer)),
  })

  return {
    discover: (issuer) =>
      orFault(async () => {
        const found = await metadata.forceFetch(issuer, { forceRefresh: true })
        const lacking = ENDPOINTS.find((name) => typeof found[name] !== 'string')
        if (lacking) return { kind: 'invalid', detail: `its configuration does not say where its ${lacking} is` }
        // The library lets some services pass that speak for many: their subjects are not told apart by the issuer.
        if (new URL(found.issuer).href !== new URL(issuer).href) {
          return { kind: 'invalid', detail: 'its configuration is that of another issuer' }
        }
        return { kind: 'provider', issuer: found.issuer }
      }),
    signInUrl: (to, round, redirectUri) =>
      orFault(async () => {
        const url = buildAuthorizationUrl(await configure(to), {
          redirect_uri: redirectUri,
          scope: 'openid',
          state: round.state,
          nonce: round.nonce,
          code_challenge: await calculatePKCECodeChallenge(round.verifier),
          code_challenge_method: 'S256',
          ...(round.purpose.kind === 'prove' ? { prompt: 'login', max_age: '0' } : {}),
        })
        return { kind: 'url', url: url.href }
      }),
    redeem: (from, round, answer, nowMs) =>
      orFault(async () => {
        const tokens = await authorizationCodeGrant(await configure(from), answer, {
          expectedState: round.state,
          expectedNonce: round.nonce,
          pkceCodeVerifier: round.verifier,
          idTokenExpected: true,
          // Whoever is to prove who they are has signed in there since the round began.
          ...(round.purpose.kind === 'prove' ? { maxAge: Math.ceil((nowMs - round.begunAtMs) / 1000) } : {}),
        })
        const { sub: subject = '', auth_time: authTime } = tokens.claims() ?? {}
        if (!SUBJECT.test(subject)) return { kind: 'invalid', detail: 'the subject is none' }
        return { kind: 'vouched', subject, authTime: typeof authTime === 'number' ? authTime : undefined }
      }),
  }

  async function readMetadata(issuer: URL): Promise<ServerMetadata> {
    const options = { algorithm: 'oidc', [customFetch]: fetch, execute: insecureIf(issuer) } as const
    return (await discovery(issuer, 'any', undefined, None(), options)).serverMetadata()
  }

  async function configure({ issuer, clientId, clientSecret }: SingleSignOn): Promise<Configuration> {
    const server = await metadata.forceFetch(issuer)
    const configuration = new Configuration(
      server,
      clientId,
      undefined,
      authenticationOf(server, clientSecret.reveal()),
    )
    configuration[customFetch] = fetch
    for (const extend of [enableNonRepudiationChecks, ...insecureIf(new URL(issuer))]) extend(configuration)
    return configuration
  }
}

/** Plain http is the guard's to refuse; an issuer that is asked over https leads nowhere else. */
function insecureIf({ protocol }: URL): ((configuration: Configuration) => void)[] {
  return protocol === 'http:' ? [allowInsecureRequests] : []
}

/** As the provider says that it takes a client's secret; else in the header (OpenID Connect Discovery 1.0, section 3). */
function authenticationOf(server: ServerMetadata, secret: string): ClientAuth {
  const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
  return methods.includes('client_secret_basic') ? ClientSecretBasic(secret) : ClientSecretPost(secret)
}

/** The library throws for whatever a provider does wrong. What it throws holds answers and tokens, and goes no further. */
async function orFault<T>(work: () => Promise<T>): Promise<T | ProviderFault> {
  try {
    return await work()
  } catch (error) {
    return faultFrom(error as Error)
  }
}

function faultFrom(error: Error): ProviderFault {
  const cause = error.cause instanceof Error ? error.cause : error
  if (cause instanceof ProviderUnreachable) return { kind: 'unreachable', detail: cause.message }
  if (error instanceof AuthorizationResponseError)
    return { kind: 'declined', detail: `the provider says ${wordOf(error)}` }
  if (error instanceof ResponseBodyError) return { kind: 'invalid', detail: `the provider says ${wordOf(error)}` }
  return { kind: 'invalid', detail: cause.message }
}

/** `invalid_client`, and nothing that is no such word. */
function wordOf({ error }: { error: string }): string {
  return /^[a-z_]{1,40}$/.test(error) ? error : 'something else'
}
