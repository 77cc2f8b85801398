// A webhook receiver in this process: passes the handshake, keeps what it receives, and can be told to misbehave.
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { after } from 'node:test'

export interface Delivered {
  headers: IncomingHttpHeaders
  body: Buffer
  event: { id: string; type: string; apiVersion: string; occurredAt: string; data: Record<string, unknown> }
}

export interface Receiver {
  url: string
  /** Events in the order in which they came, accepted or not; the handshake apart. */
  delivered: Delivered[]
  handshakes: Delivered[]
  /** Requests under way at this moment, and the most there ever were. */
  open: number
  mostOpen: number
  stop(): Promise<void>
}

export interface ReceiverBehaviour {
  /** Answers an event; 200 unless given. */
  answer?: (delivered: Delivered, response: ServerResponse) => void | Promise<void>
  /** Answers the handshake; with the challenge unless given. */
  handshake?: (challenge: unknown, response: ServerResponse) => void
  port?: number
}

/** Starts one on a free loopback port. */
export async function startReceiver(behaviour: ReceiverBehaviour = {}): Promise<Receiver> {
  const server = createServer(async (request, response) => {
    receiver.open++
    receiver.mostOpen = Math.max(receiver.mostOpen, receiver.open)
    response.once('close', () => receiver.open--)
    const body = await buffer(request).catch(() => undefined)
    if (!body) return
    const event = JSON.parse(body.toString())
    const delivered = { headers: request.headers, body, event }
    if (event.type === 'webhook.endpoint_verification') {
      receiver.handshakes.push(delivered)
      if (behaviour.handshake) behaviour.handshake(event.data.challenge, response)
      else response.end(JSON.stringify({ challenge: event.data.challenge }))
      return
    }
    receiver.delivered.push(delivered)
    if (behaviour.answer) await behaviour.answer(delivered, response)
    else response.end()
  })
  server.listen(behaviour.port ?? 0, '127.0.0.1')
  await once(server, 'listening')
  const receiver: Receiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    delivered: [],
    handshakes: [],
    open: 0,
    mostOpen: 0,
    async stop() {
      server.closeAllConnections()
      if (server.listening) await new Promise((resolve) => server.close(resolve))
    },
  }
  after(receiver.stop)
  return receiver
}
