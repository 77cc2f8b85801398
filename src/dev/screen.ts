// What `mdk dev` shows the person in front of it: where everything is, and a line for each step of each message.
import { setTimeout as sleep } from 'node:timers/promises'
import { type Database, sql, type Timestamp } from '../lib/sql.ts'
import { harmlessLine } from '../lib/terminal-text.ts'
import type { Demo } from './demo.ts'
import type { PlaceOf, SignInLinks } from './sign-in-links.ts'

export interface Places extends SignInLinks {
  url: string
  consoleUrl: string
  webmailUrl: string
  opsUrl: string
  smtpUrl: string
  capturedUrl: string | null
  dataDir: string
}

/** The welcome, with a command that can be pasted as it is. */
export function welcome(demo: Demo, places: Places): string {
  return `
  Mail Developer API is running.

  API          ${places.url}
  Docs         ${places.url}/docs
  Mailbox      ${demo.mailboxId}  <${demo.address}>
  Live key     ${demo.liveKey}
  Test key     ${demo.testKey}
  Tenant       ${demo.tenantId}
  Live app     ${demo.productionAppId}
  Test app     ${demo.sandboxAppId}
  Mail in      ${places.smtpUrl}
  Mail sent    ${places.capturedUrl ?? 'goes to the relay that MDK_RELAY_URL names'}
  Health       ${places.opsUrl}/readyz
  Data         ${places.dataDir}

  These links sign you in by themselves, once each; the next start prints new ones:

  Console      ${places.consoleLink}
  Webmail      ${places.webmailLink}

  Send a message – paste this – and a link to it is printed here:

${sendCommand(demo, places.url)}

  Ctrl-C stops. The data stays, and so do the keys.
`
}

function sendCommand(demo: Demo, url: string): string {
  return `  curl ${url}/v1/messages \\
    -H 'Authorization: Bearer ${demo.liveKey}' \\
    -H "Idempotency-Key: hello-$(date +%s%N)" \\
    -H 'Content-Type: application/json' \\
    -d '{"fromMailboxId":"${demo.mailboxId}","to":["you@example.com"],"subject":"Hello","text":"It works."}'`
}

const LOOK_EVERY_MS = 250

export interface MessageStep {
  type: string
  subject: string
  detail: string | null
  occurred_at: Timestamp
  id: string
  /** What it is about. */
  resource_id: string
  environment_id: string
}

export interface StepPrinter {
  print(line: string): void
  placeOf: PlaceOf
}

/** Prints each new event of the tenant's production and sandboxes, and where each new message is, until the signal says stop. */
export async function printSteps(
  database: Database,
  tenantId: string,
  { print, placeOf }: StepPrinter,
  signal: AbortSignal,
): Promise<void> {
  const printed = new Set<string>((await recentSteps(database, tenantId)).map((step) => step.id))
  while (!signal.aborted) {
    const steps = await recentSteps(database, tenantId).catch(() => [])
    for (const step of steps.reverse()) {
      if (printed.has(step.id)) continue
      printed.add(step.id)
      print(lineOf(step))
      const path = pathOf(step, tenantId)
      // A database that is away is asked again for steps, and not for a link.
      const place = path === undefined ? undefined : await placeOf(path).catch(() => undefined)
      if (place !== undefined) print(`            ${place}`)
    }
    await sleep(LOOK_EVERY_MS, undefined, { signal }).catch(() => {})
  }
}

/** Ordered by the primary key's tail, newest first: what was written last, whichever environment it is of. */
function recentSteps(database: Database, tenantId: string): Promise<MessageStep[]> {
  return database.rows(sql<MessageStep>`
    select e.id, e.type, coalesce(e.data ->> 'subject', e.data ->> 'address', '') as subject,
      coalesce(e.data ->> 'recipient', e.data ->> 'relayResponse') as detail, e.occurred_at, e.resource_id, o.environment_id
    from (
      select a.tenant_id as environment_id from apps a where a.tenant_id = ${tenantId}
      union select a.id from apps a where a.tenant_id = ${tenantId} and a.environment = 'sandbox'
    ) o
    cross join lateral (
      select v.id, v.type, v.data, v.occurred_at, v.seq, v.resource_id from events v
      where v.tenant_id = ${tenantId} and v.environment_id = o.environment_id
      order by v.epoch desc, v.xid desc, v.seq desc limit 100
    ) e
    order by e.seq desc limit 100`)
}

/** Of the message that a step begins, in the console; undefined for any other step. */
export function pathOf(
  { type, resource_id: id, environment_id }: Pick<MessageStep, 'type' | 'resource_id' | 'environment_id'>,
  tenantId: string,
): string | undefined {
  if (type !== 'message.queued' && type !== 'message.received') return undefined
  return `/messages/${id}?view=content${environment_id === tenantId ? '' : `&environment=sandbox:${environment_id}`}`
}

/** What is printed of a step: its words are a stranger's. */
export function lineOf(step: MessageStep): string {
  const time = step.occurred_at.slice(11, 19)
  return harmlessLine(`  ${time}  ${step.type.padEnd(18)}  ${step.subject}${step.detail ? `  (${step.detail})` : ''}`)
}
