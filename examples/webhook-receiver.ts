// Receives webhooks: subscribes at its first start, verifies each delivery, stores its event once by id, and answers
// when that is durable. What it misses while it is down, examples/reconcile.ts fetches into the same store; at each start it
// enables its endpoint, which is disabled when it was down for long.
//
//   BASE=http://127.0.0.1:8080 KEY=mdk_test_… PORT=3000 PUBLIC_URL=http://127.0.0.1:3000/hook \
//     node examples/webhook-receiver.ts [events.db]
//
// PUBLIC_URL is where the service reaches this program: https and public, but for `mdk dev`, which reaches loopback. The
// key needs the scopes webhooks:read and webhooks:write. Node 24. In a project of your own, import from
// '@mail-developer-api/client'.
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { MailDeveloperApi, verifyWebhook, WebhookVerificationError } from '../sdk/src/index.ts'
import { openEventStore } from './event-store.ts'

const { BASE: baseUrl = '', KEY: apiKey = '', PORT = '3000', PUBLIC_URL = '' } = process.env
const store = openEventStore(process.argv[2] ?? 'events.db')

/** In the store for brevity: in production it belongs where your other secrets are. */
const SECRET = 'webhook_secret'
let secret = store.read(SECRET)

const server = createServer((request, response) => {
  receive(request, response).catch((error: unknown) => {
    // Not 2xx: the service tries again later.
    if (!(error instanceof WebhookVerificationError)) console.error(error)
    response.writeHead(error instanceof WebhookVerificationError ? 400 : 500).end()
  })
})
server.listen(Number(PORT), '127.0.0.1')
await once(server, 'listening')
await subscribe()
console.log('receiving')

async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await readBody(request)
  // Without a secret this can only be the verification request, which is not to be trusted and asks for an echo.
  if (secret === undefined) return answerChallenge(body, response)
  const event = verifyWebhook({ headers: request.headers, body, secret })
  const fresh = store.accept([event])
  console.log(`${event.type} ${event.id}${fresh ? '' : ' again'}`)
  response.writeHead(204).end()
}

function answerChallenge(body: Buffer, response: ServerResponse): void {
  const { type, data } = JSON.parse(body.toString()) as { type: string; data: { challenge: string } }
  if (type !== 'webhook.endpoint_verification') return void response.writeHead(503).end()
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ challenge: data.challenge }))
}

/**
 * The service asks for the challenge before it answers. A secret that was given and not stored is replaced. Enabling also
 * ends the wait of an endpoint whose attempts have failed.
 */
async function subscribe(): Promise<void> {
  const api = new MailDeveloperApi({ baseUrl, apiKey })
  const existing = (await api.listWebhookEndpoints()).find(({ url }) => url === PUBLIC_URL)
  if (secret === undefined) {
    const given = existing
      ? await api.rotateWebhookEndpointSecret(existing.id)
      : await api.createWebhookEndpoint({ url: PUBLIC_URL, eventTypes: ['*'] })
    store.write(SECRET, given.secret)
    secret = given.secret
  }
  if (existing) await api.updateWebhookEndpoint(existing.id, { enabled: true })
}

/** The bytes as they came: what was parsed and written again does not verify. */
async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}
