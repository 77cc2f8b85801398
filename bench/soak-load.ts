// A customer's day in small: sends and mail at fixed rates; each message that was sent or received is filed, starred or
// thrown away, and its outcome reported; endpoints come, go, fall and are enabled again. Knows nothing of the database.
import { setTimeout as sleep } from 'node:timers/promises'
import { handIn } from '../test/support/inbound.ts'
import type { TestTenant } from '../test/support/tenant.ts'
import { SEND_SUBJECT, SEND_TEXT } from './send-text.ts'
import type { Client } from './soak-client.ts'
import type { ReceivedEvent, Receivers } from './soak-receivers.ts'

const TICK_MS = 10
const RECIPIENT = 'someone@example.test'
const MOST_TRIES = 10
/** So many reports the relay gathers for a request. */
const REPORTS_AT_ONCE = 20
/** One message of so many bounces, is thrown away, is starred. */
const BOUNCES_OF = 10
const TRASHED_OF = 5
const STARRED_OF = 10
/** The most of a page, and so of the deliveries that are replayed after a fall. */
const REPLAYED = 100

export interface LoadOptions {
  client: Client
  tenant: TestTenant
  receivers: Receivers
  smtpPort: number
  sendsPerS: number
  mailsPerS: number
}

export interface Load {
  /** Milliseconds of each since they were last looked at. */
  sendMs: number[]
  mailMs: number[]
  failed: number
  /** Called with what the steady endpoint receives. */
  onEvent(event: ReceivedEvent): void
  /** The falling receiver goes down, and another endpoint takes the place of the wavering one. */
  beginDay(): void
  /** The falling receiver is up again: it is enabled, and what it missed is replayed. */
  endFall(): void
  /** Sends nothing more and waits for what is under way. */
  stop(): Promise<void>
}

/** Makes the endpoints, and then does all of it whether the answers to what was asked before have come or not. */
export async function startLoad(options: LoadOptions): Promise<Load> {
  const { client, tenant, receivers, smtpPort } = options
  const underWay = new Set<Promise<void>>()
  let reports: Record<string, unknown>[] = []
  let [sent, received] = [0, 0]

  /** Owns the work: what fails is reported and counted. */
  function start(work: () => Promise<unknown>): void {
    const done = work().then(
      () => {},
      (error: Error) => {
        load.failed++
        process.stderr.write(`${error.message}\n`)
      },
    )
    underWay.add(done)
    void done.then(() => underWay.delete(done))
  }

  async function send(): Promise<void> {
    const began = performance.now()
    const to = [RECIPIENT]
    await client.ask('POST', '/v1/messages', {
      fromMailboxId: tenant.mailboxId,
      to,
      subject: SEND_SUBJECT,
      text: SEND_TEXT,
    })
    load.sendMs.push(performance.now() - began)
  }

  async function mail(): Promise<void> {
    const began = performance.now()
    const text = `Subject: ${began}\r\nFrom: ${RECIPIENT}\r\n\r\n${SEND_TEXT}\r\n`
    // What is put off because too much comes from one address at a time is handed in again, as mail servers do.
    for (let tries = 1; ; tries++) {
      const { last } = await handIn(smtpPort, RECIPIENT, [tenant.address], text)
      if (last.startsWith('250')) break
      if (tries === MOST_TRIES) throw new Error(`mail was answered ${last}`)
      await sleep(1_000)
    }
    load.mailMs.push(performance.now() - began)
  }

  function change({ data }: ReceivedEvent, change: Record<string, unknown>): Promise<unknown> {
    return client.ask('PATCH', `/v1/messages/${data.id}`, { mailboxId: data.mailboxId, ...change })
  }

  function onSent(event: ReceivedEvent): void {
    sent++
    const outcome = sent % BOUNCES_OF === 0 ? 'bounced' : 'delivered'
    reports.push({ messageId: event.data.id, recipient: RECIPIENT, outcome })
    if (reports.length === REPORTS_AT_ONCE) {
      const gathered = reports
      reports = []
      start(() => client.report(gathered))
    }
    if (sent % TRASHED_OF === 0) start(() => change(event, { folder: 'trash' }))
    else if (sent % STARRED_OF === 1) start(() => change(event, { isStarred: true }))
  }

  async function onReceived(event: ReceivedEvent): Promise<void> {
    received++
    await change(event, { isRead: true })
    await change(event, { folder: received % 2 === 0 ? 'trash' : 'archive' })
  }

  async function listen(url: string, eventTypes: string[]): Promise<string> {
    const path = '/v1/webhook-endpoints'
    const { endpoint } = await client.ask<{ endpoint: { id: string } }>('POST', path, { url, eventTypes })
    return endpoint.id
  }
  const listenWavering = () =>
    listen(receivers.waveringUrl, ['message.delivered', 'message.updated', 'message.deleted'])

  async function enableAndReplay(endpointId: string): Promise<void> {
    await client.ask('PATCH', `/v1/webhook-endpoints/${endpointId}`, { enabled: true })
    const { items } = await client.ask<{ items: { id: string; status: string }[] }>(
      'GET',
      `/v1/webhook-deliveries?endpointId=${endpointId}&limit=${REPLAYED}`,
    )
    for (const { id, status } of items) {
      if (status === 'dead') await client.ask('POST', `/v1/webhook-deliveries/${id}/replay`)
    }
  }

  /** What is done with endpoints waits for what was begun with them before. */
  let endpoints: Promise<void> = Promise.resolve()
  function inTurn(work: () => Promise<void>): void {
    start(() => {
      const done = endpoints.then(work)
      endpoints = done.catch(() => {})
      return done
    })
  }

  const load: Load = {
    sendMs: [],
    mailMs: [],
    failed: 0,
    onEvent(event) {
      if (event.type === 'message.sent') onSent(event)
      else start(() => onReceived(event))
    },
    beginDay() {
      inTurn(async () => {
        receivers.isDown = true
        const old = wavering
        wavering = await listenWavering()
        await client.ask('DELETE', `/v1/webhook-endpoints/${old}`)
      })
    },
    endFall() {
      inTurn(async () => {
        receivers.isDown = false
        await enableAndReplay(falling)
      })
    },
    async stop() {
      for (const pace of paces) pace()
      while (underWay.size > 0) await Promise.all(underWay)
    },
  }
  await listen(receivers.steadyUrl, ['message.sent', 'message.received'])
  const falling = await listen(receivers.fallingUrl, ['message.bounced'])
  let wavering = await listenWavering()
  const paces = [every(options.sendsPerS, () => start(send)), every(options.mailsPerS, () => start(mail))]
  return load
}

/** Begins so many a second, and catches up when it was late. Gives what stops it. */
function every(perS: number, begin: () => void): () => void {
  const began = performance.now()
  let begun = 0
  const timer = setInterval(() => {
    for (const due = ((performance.now() - began) * perS) / 1_000; begun < due; begun++) begin()
  }, TICK_MS)
  return () => clearInterval(timer)
}
