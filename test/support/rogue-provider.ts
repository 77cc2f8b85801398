// An OpenID provider that answers as the test says: what a real one would never send.
import { createHmac, createSign, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface RogueProvider {
  issuer: string
  /** Claims of the next ID token, over those that would be right. */
  claims: Record<string, unknown>
  /** Members of its configuration, over those that would be right. */
  metadata: Record<string, unknown>
  /** How ID tokens are signed: rightly, with a key that nobody knows, with the client's secret, or not at all. */
  signature: 'right' | 'unknown key' | 'client secret' | 'none'
  /** Answers a path in its own way. */
  routes: Map<string, (request: IncomingMessage, response: ServerResponse) => void>
  /** The answer to a browser that was sent to `url`: the URL that it goes back to. */
  answerTo(url: string, over?: Record<string, string>): URL
  stop(): Promise<void>
}

export const ROGUE_CLIENT = { clientId: 'mail-console', clientSecret: 'a-secret-of-the-client' }

const right = generateKeyPairSync('rsa', { modulusLength: 2048 })
const unknown = generateKeyPairSync('rsa', { modulusLength: 2048 })

export async function startRogueProvider(): Promise<RogueProvider> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  let nonce = ''
  const rogue: RogueProvider = {
    ...{ issuer, claims: {}, metadata: {}, signature: 'right', routes: new Map() },
    answerTo(url, over = {}) {
      const { searchParams: asked } = new URL(url)
      nonce = asked.get('nonce') ?? ''
      const back = new URL(asked.get('redirect_uri') ?? '')
      for (const [name, value] of Object.entries({ code: 'a-code', state: asked.get('state') ?? '', ...over })) {
        back.searchParams.set(name, value)
      }
      return back
    },
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  server.on('request', (request, response) => {
    const path = request.url ?? ''
    const own = rogue.routes.get(path)
    if (own) return own(request, response)
    const seconds = Math.floor(Date.now() / 1000)
    const answers: Record<string, () => unknown> = {
      '/.well-known/openid-configuration': () => ({
        ...{ issuer, authorization_endpoint: `${issuer}/auth`, token_endpoint: `${issuer}/token` },
        ...{ jwks_uri: `${issuer}/keys`, response_types_supported: ['code'], subject_types_supported: ['public'] },
        ...{ id_token_signing_alg_values_supported: ['RS256', 'HS256', 'none'] },
        ...rogue.metadata,
      }),
      '/keys': () => ({ keys: [{ ...right.publicKey.export({ format: 'jwk' }), use: 'sig', alg: 'RS256', kid: '1' }] }),
      '/token': () => ({
        ...{ access_token: 'an-access-token', token_type: 'Bearer' },
        id_token: idToken(rogue.signature, {
          ...{ iss: issuer, aud: ROGUE_CLIENT.clientId, sub: 'ada', nonce, iat: seconds, exp: seconds + 300 },
          ...rogue.claims,
        }),
      }),
    }
    const body = answers[path]?.()
    response.writeHead(body ? 200 : 404, { 'content-type': 'application/json' }).end(JSON.stringify(body ?? {}))
  })
  return rogue
}

function idToken(signature: RogueProvider['signature'], claims: Record<string, unknown>): string {
  const alg = { right: 'RS256', 'unknown key': 'RS256', 'client secret': 'HS256', none: 'none' }[signature]
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const text = `${part({ alg, kid: '1', typ: 'JWT' })}.${part(claims)}`
  const rsa = (key: KeyObject) => createSign('RSA-SHA256').update(text).sign(key, 'base64url')
  switch (signature) {
    case 'right':
      return `${text}.${rsa(right.privateKey)}`
    case 'unknown key':
      return `${text}.${rsa(unknown.privateKey)}`
    case 'client secret':
      return `${text}.${createHmac('sha256', ROGUE_CLIENT.clientSecret).update(text).digest('base64url')}`
    case 'none':
      return `${text}.`
  }
}
