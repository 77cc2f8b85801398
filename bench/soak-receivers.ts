// Receivers of webhooks as customers run them: one that is well, one that refuses now and then, and one that can be
// down for as long as it likes. Knows nothing of what is sent.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Of so many deliveries the wavering one refuses one at its first attempt, and of so many one at every attempt. */
const REFUSES_ONCE_OF = 50
const REFUSES_FOR_EVER_OF = 500

export interface ReceivedEvent {
  id: string
  type: string
  occurredAt: string
  data: { id: string; mailboxId: string; challenge?: string }
}

export interface Receivers {
  steadyUrl: string
  waveringUrl: string
  fallingUrl: string
  /** While it is set, the falling one refuses everything. */
  isDown: boolean
  /** From now on all of them take everything. */
  recover(): void
  stop(): void
}

/** `onSteady` is called with each delivery to the steady one. */
export async function startReceivers(onSteady: (event: ReceivedEvent) => void): Promise<Receivers> {
  let recovered = false
  let wavered = 0
  const refusedOnce = new Set<string>()
  const poisonous = new Set<string>()

  function waver({ id }: ReceivedEvent): boolean {
    if (poisonous.has(id)) return true
    if (refusedOnce.delete(id)) return false
    wavered++
    if (wavered % REFUSES_FOR_EVER_OF === 0) poisonous.add(id)
    else if (wavered % REFUSES_ONCE_OF === 0) refusedOnce.add(id)
    else return false
    return true
  }

  const refuses: Record<string, (event: ReceivedEvent) => boolean> = {
    '/steady': (event) => {
      onSteady(event)
      return false
    },
    '/wavering': (event) => !recovered && waver(event),
    '/falling': () => !recovered && receivers.isDown,
  }
  const server = createServer(async (incoming, response) => {
    let text = ''
    for await (const chunk of incoming) text += chunk
    const event = JSON.parse(text) as ReceivedEvent
    // An endpoint is proven before anything comes: the challenge is for all of them the same.
    const { challenge } = event.data
    if (challenge === undefined && refuses[incoming.url ?? '']?.(event)) response.statusCode = 503
    response.end(JSON.stringify({ challenge }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const receivers: Receivers = {
    steadyUrl: `${url}/steady`,
    waveringUrl: `${url}/wavering`,
    fallingUrl: `${url}/falling`,
    isDown: false,
    recover() {
      recovered = true
    },
    stop() {
      server.close()
      server.closeAllConnections()
    },
  }
  return receivers
}
