// `mdk listen`: brings an application's events to a receiver on a developer's machine, where no webhook could reach it.

import { setTimeout as delay } from 'node:timers/promises'
import type { Realm } from '../access/actor.ts'
import { invalidField } from '../access/problem.ts'
import { realmOfApp } from '../apps/find-apps.ts'
import type { Position } from '../events/cursor.ts'
import { type LoggedEvent, placeOfInstant, readFeed } from '../events/feed.ts'
import { databaseTime } from '../lib/database-clock.ts'
import { type Database, isUnavailable } from '../lib/sql.ts'
import { harmless } from '../lib/terminal-text.ts'
import { API_VERSION, DELIVERY_HEADERS, deliveryBody } from '../webhooks/delivery-body.ts'
import { makeWebhookSecret, type SigningKeys, signatureHeaders, signingKey } from '../webhooks/signature.ts'
import { type AddCommands, withDatabase, withExamples } from './cli.ts'
import { type Place, theApp } from './named.ts'
import { complain } from './print.ts'

const LOOK_EVERY_MS = 250
const PAGE = 100
const ANSWER_WITHIN_MS = 5_000
/** While the database is away. */
const TRY_AGAIN_MS = 1_000

export const listenCommand: AddCommands = (program, cli) => {
  withExamples(
    program
      .command('listen')
      .description("post an application's events to a local receiver, from now on, until it is stopped"),
    'listen --app "Shop sandbox" --forward http://localhost:3000/hooks',
  )
    .requiredOption('--app <app>', 'whose events, by id or name')
    .option('--tenant <tenant>', 'whose the application is, where others have its name')
    .requiredOption('--forward <url>', 'where to post them, such as http://localhost:3000/hooks')
    .action(async (options: Place & { app: string; forward: string }) => {
      if (!/^https?:\/\//.test(options.forward) || !URL.canParse(options.forward)) {
        throw invalidField('--forward', 'must be an http or https URL')
      }
      const stopping = new AbortController()
      for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort())
      // Nobody reads any more what it would print.
      process.stdout.once('error', () => stopping.abort())
      const secret = makeWebhookSecret()
      const print = (line: object, text: string) =>
        process.stdout.write(cli.json ? `${JSON.stringify(line)}\n` : `${harmless(text)}\n`)
      await withDatabase(cli, async (database) => {
        const scope = realmOfApp(await theApp(database, options.app, options.tenant))
        const { forward } = options
        // Before anything is printed: whoever has read that it listens may rely on it.
        const beginning = await placeOfInstant(database, scope, (await databaseTime(database)).getTime() * 1000)
        print(
          { forward, secret: secret.reveal() },
          `Forwarding to ${forward}\nSecret ${secret.reveal()}  (of this run)`,
        )
        await forwardEvents(database, scope, beginning, stopping.signal, {
          async forward(event) {
            const outcome = await post(forward, event, [signingKey(secret)])
            const { id: eventId, type } = event
            print(
              { eventId, type, outcome },
              `${event.occurredAt.slice(11, 19)}  ${type.padEnd(22)} ${eventId}  ${outcome}`,
            )
          },
          away: (error) => complain(cli, 'feed_away', `the events cannot be read (${error.message}); trying again`),
          back: () => complain(cli, 'feed_back', 'the events can be read again'),
        })
      })
    })
}

interface Listener {
  forward(event: LoggedEvent): Promise<void>
  /** The database went away, and is asked again until it is back: each is reported once. */
  away(error: Error): void
  back(): void
}

/**
 * Each event once, in the feed's order; a receiver that fails misses it, and a database that is away is waited for.
 * @throws pg.DatabaseError when the database refuses to be read, as it will again
 */
async function forwardEvents(
  database: Database,
  scope: Realm,
  beginning: Position,
  stopping: AbortSignal,
  listener: Listener,
): Promise<void> {
  let after = beginning
  let away = false
  while (!stopping.aborted) {
    const page = await readFeed(database, scope, after, PAGE).catch((error) => {
      if (!isUnavailable(error)) throw error
      if (!away) listener.away(error)
      away = true
    })
    if (page && away) listener.back()
    if (page) away = false
    for (const event of page?.items ?? []) if (!stopping.aborted) await listener.forward(event)
    if (page) after = page.position
    if (!page?.more) await delay(page ? LOOK_EVERY_MS : TRY_AGAIN_MS, undefined, { signal: stopping }).catch(() => {})
  }
}

async function post(url: string, event: LoggedEvent, keys: SigningKeys): Promise<string> {
  const { id: eventId, type, occurredAt, data } = event
  const body = deliveryBody({ id: eventId, type, apiVersion: API_VERSION, occurredAt, data })
  const timestamp = Math.floor(Date.now() / 1000)
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { ...DELIVERY_HEADERS, ...signatureHeaders({ id: eventId, timestamp, body }, keys) },
      body: new Uint8Array(body),
      redirect: 'manual',
      signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
    })
    await response.body?.cancel()
    return String(response.status)
  } catch (error) {
    return `failed: ${((error as Error).cause as Error | undefined)?.message ?? (error as Error).message}`
  }
}
