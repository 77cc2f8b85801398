// Sends as careful clients do while something breaks, and looks afterwards whether every promise was kept.
import assert from 'node:assert/strict'
import { type Database, sql } from '../../src/lib/sql.ts'
import { newId } from '../../src/lib/uuid.ts'
import { send } from './api.ts'
import type { TestTenant } from './tenant.ts'
import { until } from './until.ts'

const SENDERS = 24
/** How long anything may take to be as it was, on a busy machine. */
export const RECOVERS_WITHIN_MS = 90_000

export interface SteadySends {
  /** The ids that were answered with 202, in the order of the answers. */
  readonly taken: string[]
  /** What else was answered, or `lost` where no answer came, and how often. */
  readonly others: Map<number | 'lost', number>
  /** Resolves when all have been taken. */
  readonly done: Promise<void>
}

/**
 * Sends so many messages, 24 at a time, each until it is answered 202, with one key. Nothing but 202, 503 and silence
 * may come. `url` is asked for each time: a service that starts again has another.
 */
export function sendSteadily(url: () => string, tenant: TestTenant, count: number): SteadySends {
  const taken: string[] = []
  const others = new Map<number | 'lost', number>()
  const run = newId()
  let next = 0
  const sendUntilTaken = (n: number) =>
    until(
      `send ${n} is taken`,
      async () => {
        const body = { fromMailboxId: tenant.mailboxId, to: [`r${n}@example.test`], subject: `${n}`, text: 'Hello' }
        const answer = await send(url(), tenant.key, body, `${run}-${n}`).catch((error: Error) => {
          // Our own doubts about an answer are no loss of it.
          if (error instanceof assert.AssertionError) throw error
          return undefined
        })
        if (answer?.status === 202) return taken.push(answer.body.id)
        const other = answer?.status ?? 'lost'
        others.set(other, (others.get(other) ?? 0) + 1)
        assert(other === 'lost' || other === 503, `${other} ${JSON.stringify(answer?.body)}`)
        return undefined
      },
      RECOVERS_WITHIN_MS,
    )
  const sender = async () => {
    while (next < count) await sendUntilTaken(next++)
  }
  const done = Promise.all(Array.from({ length: SENDERS }, sender)).then(() => undefined)
  return { taken, others, done }
}

/** Resolves when so many have been taken. */
export function taken(sends: SteadySends, count: number): Promise<true> {
  return until(`${count} are taken`, () => sends.taken.length >= count, RECOVERS_WITHIN_MS)
}

/** Resolves when all of a tenant's messages, of which there are so many, are sent. The database may be away meanwhile. */
export function allSent(database: Database, { tenantId }: TestTenant, count: number): Promise<true> {
  return until(
    'everything is sent',
    async () => {
      const sent = sql<{ n: number }>`
        select count(*) as n from message_states where tenant_id = ${tenantId} and status = 'sent'`
      return (await database.first(sent).catch(() => undefined))?.n === count
    },
    RECOVERS_WITHIN_MS,
  )
}

/**
 * Every message that was taken of a tenant is sent, reported once, with the relay, and there are no others. Gives how often
 * the relay got one again.
 */
export async function checkStory(
  database: Database,
  { tenantId, address }: TestTenant,
  taken: readonly string[],
  mails: readonly { bytes: Buffer }[],
): Promise<number> {
  assert.equal(new Set(taken).size, taken.length)
  const rows = await database.rows(sql<{ status: string; events: string[] }>`
    select s.status, array(select e.type from events e where e.resource_id = m.id order by e.epoch, e.xid, e.seq) as events
    from messages m join message_states s on s.message_id = m.id where m.tenant_id = ${tenantId}`)
  assert.equal(rows.length, taken.length, 'no message but those that were taken')
  for (const row of rows) assert.deepEqual(row, { status: 'sent', events: ['message.queued', 'message.sent'] })
  assert.deepEqual(
    await database.rows(sql`
      select j.id, j.subject_id, j.state, j.receptions, j.payload, taken.id as message_id from jobs j
      left join messages taken on taken.tenant_id = j.tenant_id and taken.id = j.subject_id
      where j.tenant_id = ${tenantId} and j.queue = 'outbound'`),
    [],
    'a message that is sent has no job, and there is none of anything else',
  )
  assert.deepEqual(await database.rows(sql`select id from dead_letters where tenant_id = ${tenantId}`), [])
  const ids = new RegExp(`^Message-ID: <([0-9a-f-]{36})@${domainOf(address)}>`, 'im')
  const arrived = mails.flatMap((mail) => ids.exec(mail.bytes.toString('latin1'))?.[1] ?? [])
  assert.deepEqual(new Set(arrived), new Set(taken), 'every 202 reached the relay, and nothing else')
  return arrived.length - taken.length
}

function domainOf(address: string): string {
  return address.slice(address.lastIndexOf('@') + 1)
}
