// A real OpenID provider on loopback, which signs in whomever the test says without asking, and a browser that goes through it.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import Provider from 'oidc-provider'

export interface OpenIdProvider {
  issuer: string
  clientId: string
  clientSecret: string
  /** Who signs in next; undefined: nobody, the provider answers that it was declined. */
  account: string | undefined
  /** How often each path was asked. */
  readonly requests: Map<string, number>
  stop(): Promise<void>
}

interface Options {
  /** `localhost` is another site to a browser than `127.0.0.1`. */
  host?: '127.0.0.1' | 'localhost'
  redirectUris: readonly string[]
  /** Whether an answer always says when somebody signed in there. */
  saysWhen?: boolean
}

export async function startOpenIdProvider({
  host = '127.0.0.1',
  redirectUris,
  saysWhen = false,
}: Options): Promise<OpenIdProvider> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const issuer = `http://${host}:${(server.address() as AddressInfo).port}`
  const running: OpenIdProvider = {
    ...{ issuer, clientId: 'mail-console', clientSecret: 'a-secret-of-the-client', account: 'ada' },
    requests: new Map(),
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  const provider = new Provider(issuer, {
    clients: [
      {
        ...{ client_id: running.clientId, client_secret: running.clientSecret, redirect_uris: redirectUris },
        ...{ response_types: ['code'], grant_types: ['authorization_code'], require_auth_time: saysWhen },
        // Plain http on loopback is for native applications, as the provider sees it.
        application_type: 'native',
      },
    ],
    cookies: { keys: ['a key of the test'] },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
    findAccount: (_context: unknown, id: string) => ({ accountId: id, claims: () => ({ sub: id }) }),
  })
  const answer = provider.callback()
  server.on('request', (request, response) => {
    const path = (request.url ?? '').replace(/[/?].*$/s, '') || (request.url ?? '').split('?')[0] || '/'
    running.requests.set(path, (running.requests.get(path) ?? 0) + 1)
    const work = request.url?.startsWith('/interaction/') ? interact(request, response) : answer(request, response)
    work.catch((error: Error) => response.writeHead(500).end(error.message))
  })
  return running

  async function interact(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { prompt, params, session } = await provider.interactionDetails(request, response)
    if (running.account === undefined) {
      const declined = { error: 'access_denied', error_description: '<b>declined</b>' }
      return provider.interactionFinished(request, response, declined)
    }
    if (prompt.name === 'login') {
      return provider.interactionFinished(request, response, { login: { accountId: running.account } })
    }
    const grant = new provider.Grant({ accountId: session?.accountId ?? '', clientId: params.client_id })
    grant.addOIDCScope('openid')
    return provider.interactionFinished(request, response, { consent: { grantId: await grant.save() } })
  }
}

/** A browser's cookies at a provider. */
export class OpenIdVisitor {
  readonly #cookies = new Map<string, string>()

  /** Follows the provider's redirects until one leads elsewhere: that is given. */
  async signIn(url: string): Promise<URL> {
    const { origin } = new URL(url)
    let at = new URL(url)
    for (let hops = 0; hops < 12; hops++) {
      const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ')
      const response = await fetch(at, { redirect: 'manual', headers: { cookie } })
      const location = response.headers.get('location')
      if (!location) throw new Error(`${at.pathname} answered ${response.status}: ${await response.text()}`)
      for (const set of response.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? []
        this.#cookies.set(name, value)
      }
      at = new URL(location, at)
      if (at.origin !== origin) return at
    }
    throw new Error('too many redirects')
  }
}
