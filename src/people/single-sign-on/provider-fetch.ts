// Asks an OpenID provider, which an Owner has named, as strangers are asked: only where the public may be reached, within one
// deadline, without redirects and without endless answers.
import type { CustomFetch } from 'openid-client'
import type { PublicFetch } from '../../lib/public-fetch.ts'

/** The provider gave no answer that could be read. */
export class ProviderUnreachable extends Error {
  override readonly name = 'ProviderUnreachable'
}

/** The fetch of the client's library: it only gets what is there and posts forms. */
export function providerFetch(publicFetch: PublicFetch): CustomFetch {
  return async (url, { method, headers, body }) => {
    const outcome =
      method === 'POST'
        ? await publicFetch.post(url, { headers, body: Buffer.from(String(body)) })
        : await publicFetch.get(url, headers)
    if (outcome.kind !== 'response') throw new ProviderUnreachable(outcome.detail)
    if (outcome.isCut) throw new ProviderUnreachable('the answer is longer than 64 KiB')
    // Whatever it calls itself, it is read as JSON or is no answer.
    return new Response(isBodiless(outcome.status) ? null : Buffer.from(outcome.body), {
      status: outcome.status,
      headers: { 'content-type': 'application/json' },
    })
  }
}

/** Statuses with which a Response may have no body (Fetch, section 2.2.3). */
function isBodiless(status: number): boolean {
  return status === 204 || status === 205
}
