// What several processes do with one draft at the same moment, and what is left of it when one of them is killed: one message or the
// draft, never both and never neither. Each process is a pool of connections of its own, or a process that can be killed.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { after, test } from 'node:test'
import type { MailboxUser } from '../../src/access/actor.ts'
import { createRateCounts } from '../../src/apps/rate-counts.ts'
import { insertAttachments } from '../../src/attachments/insert-attachments.ts'
import { removeLostAttachment } from '../../src/attachments/remove-lost-attachment.ts'
import { sweepUnattached } from '../../src/attachments/sweep-attachments.ts'
import { createRateLimiter } from '../../src/lib/rate-limiter/rate-limiter.ts'
import { type Database, openDatabase, sql } from '../../src/lib/sql.ts'
import { newId, type Uuid } from '../../src/lib/uuid.ts'
import { removeMailboxUser } from '../../src/mailboxes/remove-mailbox-user.ts'
import { setMailboxAccess } from '../../src/mailboxes/set-mailbox-access.ts'
import { acceptDraft, type DueToSend } from '../../src/messages/drafts/accept-draft.ts'
import { discardDraft } from '../../src/messages/drafts/discard-draft.ts'
import { loseAttachment } from '../../src/messages/drafts/lose-attachment.ts'
import { readDraft } from '../../src/messages/drafts/read-draft.ts'
import { saveDraft } from '../../src/messages/drafts/save-draft.ts'
import { sendDraft } from '../../src/messages/drafts/send-draft.ts'
import { takeBackDraft } from '../../src/messages/drafts/take-back-draft.ts'
import { checkInvariants } from '../../src/ops/invariants.ts'
import { openTestStore } from '../support/api.ts'
import { createTestDatabase } from '../support/database.ts'
import { draftOf, fallDue, tracesOf } from '../support/drafts.ts'
import { operatorOf } from '../support/operator.ts'
import { createTestMailboxUser, originOf } from '../support/people.ts'
import { createTestTenant } from '../support/tenant.ts'
import { until } from '../support/until.ts'

const { database: one, url } = await createTestDatabase()
const two = openDatabase({ url })
const limiter = createRateLimiter(createRateCounts(one), (error) => {
  throw error
})
after(async () => {
  await limiter.stop()
  await two.end()
})
const ROUNDS = 12
const tenant = await createTestTenant(one)
const { tenantId, mailboxId } = tenant
const NONE = { messages: 0, events: 0, jobs: 0, acts: 0 }
const ONE = { messages: 1, events: 1, jobs: 1, acts: 1 }

async function makeWriter(): Promise<MailboxUser> {
  const { id: mailboxUserId } = await createTestMailboxUser(one, tenantId, mailboxId)
  const mailboxes = new Map([[mailboxId, 'write' as const]])
  return { kind: 'mailbox_user', tenantId, environmentId: tenantId, mailboxUserId, mailboxes, origin: originOf(1) }
}

/** A draft of somebody whose ten seconds are over, with the time at which they were. */
async function makeDue(actor: MailboxUser): Promise<DueToSend & { messageId: Uuid }> {
  const { id, messageId } = await saveDraft(one, actor, newId(), { baseVersion: 0, ...draftOf(mailboxId) })
  await sendDraft({ database: one, limiter }, actor, id, { version: 1 })
  await fallDue(one, id)
  const row = await one.first(sql<{ dueAt: string }>`select due_at as "dueAt" from drafts where id = ${id}`)
  return { tenantId, id, messageId, dueAt: row?.dueAt as string }
}

const send = (due: DueToSend) => (database: Database) => database.transaction((tx) => acceptDraft(tx, due))

/** What came of what both did at once: a value, or the code of the problem. Anything else is a fault of ours. */
async function together(...doings: ((database: Database) => Promise<unknown>)[]): Promise<string[]> {
  const results = await Promise.allSettled(doings.map((act, n) => act(n % 2 === 0 ? one : two)))
  return results.map((result) => {
    if (result.status === 'fulfilled') return (result.value as { kind?: string } | undefined)?.kind ?? 'done'
    assert('code' in result.reason && /^[a-z_]+$/.test(result.reason.code), String(result.reason.stack))
    return result.reason.code
  })
}

const isDraft = async (id: Uuid) => (await one.rows(sql`select from drafts where id = ${id}`)).length === 1

/** Each round: what came of it, and that it is a message or a draft, whole. */
async function rounds(what: (due: DueToSend & { messageId: Uuid }, actor: MailboxUser) => Promise<string[]>) {
  const outcomes = new Set<string>()
  for (let round = 0; round < ROUNDS; round++) {
    const actor = await makeWriter()
    const due = await makeDue(actor)
    const outcome = await what(due, actor)
    const isOpen = await isDraft(due.id)
    assert.deepEqual(await tracesOf(one, tenantId, due.messageId), isOpen ? NONE : ONE)
    outcomes.add(`${outcome.join(' ')}: ${isOpen ? 'draft' : 'message'}`)
  }
  return [...outcomes]
}

test('of two workers that have it at once one sends it', async () => {
  const outcomes = await rounds((due) => together(send(due), send(due)))
  for (const outcome of outcomes) assert.match(outcome, /^(sent not_due|not_due sent): message$/)
})

test('who takes it back at the moment in which it is sent has the draft, or is told that it is sent', async () => {
  const takeBack = (actor: MailboxUser, id: Uuid) => (database: Database) => takeBackDraft(database, actor, id)
  const outcomes = await rounds((due, actor) => together(send(due), takeBack(actor, due.id)))
  for (const outcome of outcomes) assert.match(outcome, /^(sent not_found: message|not_due \w+: draft)$/)
})

test('a save or a discard at the moment in which it is sent changes nothing', async () => {
  const content = { baseVersion: 1, ...draftOf(mailboxId, { body: 'Too late' }) }
  const outcomes = await rounds((due, actor) =>
    together(
      send(due),
      (database) => saveDraft(database, actor, due.id, content),
      (database) => discardDraft(database, actor, due.id),
    ),
  )
  for (const outcome of outcomes) assert.match(outcome, /^sent (draft_due|not_found) (draft_due|done): message$/)
})

test('access that is taken away at the moment in which it is sent counts, or comes after it', async () => {
  const by = operatorOf(tenantId)
  for (const take of [
    (database: Database, userId: Uuid) => removeMailboxUser(database, by, { mailboxId, userId }),
    (database: Database, userId: Uuid) => setMailboxAccess(database, by, { mailboxId, userId, access: 'read' }),
  ]) {
    const outcomes = await rounds((due, { mailboxUserId }) =>
      together(send(due), (database) => take(database, mailboxUserId)),
    )
    for (const outcome of outcomes) assert.match(outcome, /^(sent done: message|reopened done: draft)$/)
  }
})

test('Send at once over two processes makes one job', async () => {
  const actor = await makeWriter()
  for (let round = 0; round < ROUNDS; round++) {
    const { id } = await saveDraft(one, actor, newId(), { baseVersion: 0, ...draftOf(mailboxId) })
    const press = (database: Database) => sendDraft({ database, limiter }, actor, id, { version: 1 })
    assert.deepEqual(await together(press, press), ['done', 'done'])
    assert.equal((await one.rows(sql`select from jobs where subject_id = ${id}`)).length, 1)
  }
})

/** A worker that can be killed. */
function startProcess(leaseMs: number) {
  const script = new URL('../support/draft-process.ts', import.meta.url).pathname
  const child = spawn(process.execPath, [script, url, String(leaseMs)], { stdio: ['ignore', 'pipe', 'inherit'] })
  const lines: { ready?: true; outcome?: string; error?: string }[] = []
  createInterface({ input: child.stdout }).on('line', (line) => lines.push(JSON.parse(line)))
  after(() => child.kill('SIGKILL'))
  return { child, lines, ready: until('the worker is there', () => lines.some(({ ready }) => ready)) }
}

test('a worker that is killed before its commit has done nothing, one that is killed after it all, and another goes on', async () => {
  const actor = await makeWriter()
  const victim = startProcess(1_000)
  await victim.ready
  // It comes as far as its turn, which somebody else has.
  const holder = await one.connect('holder')
  await holder.query('begin')
  await holder.query('select from tenant_usage where tenant_id = $1 for update', [tenantId])
  const held = await makeDue(actor)
  await until('it waits in the middle of its transaction', async () => {
    const waiting = sql`
      select from pg_stat_activity
      where datname = current_database() and application_name = 'draft process' and wait_event_type = 'Lock'`
    return (await one.rows(waiting)).length > 0
  })
  victim.child.kill('SIGKILL')
  await holder.query('rollback')
  await holder.end()
  assert.deepEqual(await tracesOf(one, tenantId, held.messageId), NONE)
  assert(await isDraft(held.id))
  const heir = startProcess(1_000)
  await until('another has sent it', async () => !(await isDraft(held.id)))
  assert.deepEqual(await tracesOf(one, tenantId, held.messageId), ONE)

  const next = await makeDue(actor)
  await until('it is sent', async () => !(await isDraft(next.id)))
  heir.child.kill('SIGKILL')
  const last = startProcess(1_000)
  await last.ready
  const probe = await makeDue(actor)
  await until('the one behind it is sent', async () => !(await isDraft(probe.id)))
  for (const { messageId } of [held, next, probe]) assert.deepEqual(await tracesOf(one, tenantId, messageId), ONE)
  assert.deepEqual(await one.rows(sql`select from jobs where queue = 'drafts' and subject_id = ${next.id}`), [])
  const errors = [victim, heir, last].flatMap(({ lines }) => lines.filter(({ error }) => error))
  assert.deepEqual(errors, [])
})

test('a draft that nobody can send, however often it is tried, is open again, and its job a dead letter', async () => {
  const actor = await makeWriter()
  const due = await makeDue(actor)
  await one.rows(sql`update jobs set receptions = 5 where subject_id = ${due.id}`)
  const worker = startProcess(1_000)
  await until('it is given up', () => worker.lines.some(({ outcome }) => outcome === 'reopened'))
  const row = await one.first(sql`
    select d.failure_code as code, l.reason from drafts d join dead_letters l on l.subject_id = d.id where d.id = ${due.id}`)
  assert.deepEqual(row, { code: 'internal_error', reason: 'receptions_exhausted' })
  assert.deepEqual(await tracesOf(one, tenantId, due.messageId), NONE)
})

/** A file of the mailbox that was uploaded eight days ago. */
async function makeOldFile(isLoose: boolean): Promise<Uuid> {
  const id = newId()
  await one.transaction((tx) =>
    insertAttachments(tx, [
      {
        ...{
          id,
          tenantId,
          environmentId: tenantId,
          mailboxId,
          filename: 'a.txt',
          mediaType: 'text/plain',
          sizeBytes: 1,
        },
        ...{ sha256: '0'.repeat(64), disposition: 'attachment' as const, contentId: null },
      },
    ]),
  )
  await one.rows(sql`
    update attachments set created_at = clock_timestamp() - interval '8 days', is_loose = ${isLoose} where id = ${id}`)
  return id
}

const isFile = async (id: Uuid) => (await one.rows(sql`select from attachments where id = ${id}`)).length === 1

test('a file that nothing but a draft has stays as long as that, and no longer', async () => {
  const actor = await makeWriter()
  // The second was in a message that is gone.
  const files = [await makeOldFile(true), await makeOldFile(false)]
  const id = newId()
  await saveDraft(one, actor, id, { baseVersion: 0, ...draftOf(mailboxId, { attachmentIds: files }) })
  await sweepUnattached(one, 1_000)
  assert.deepEqual(await Promise.all(files.map(isFile)), [true, true])
  await saveDraft(one, actor, id, { baseVersion: 1, ...draftOf(mailboxId, { attachmentIds: files.slice(1) }) })
  await sweepUnattached(one, 1_000)
  assert.deepEqual(await Promise.all(files.map(isFile)), [false, true])
  await discardDraft(one, actor, id)
  await sweepUnattached(one, 1_000)
  assert.deepEqual(await Promise.all(files.map(isFile)), [false, false])
})

test('a file that is swept at the moment in which a draft takes it is gone and refused, or there and taken', async () => {
  const actor = await makeWriter()
  for (let round = 0; round < ROUNDS; round++) {
    const [file, id] = [await makeOldFile(true), newId()]
    const content = { baseVersion: 0, ...draftOf(mailboxId, { attachmentIds: [file] }) }
    // `new` is the kind of a draft that was saved.
    const [outcome] = await together(
      (database) => saveDraft(database, actor, id, content),
      (database) => sweepUnattached(database, 1_000),
    )
    assert.equal(await isFile(file), outcome === 'new', outcome)
    assert.equal(await isDraft(id), outcome === 'new')
  }
})

test('whoever changes the files of a draft and whoever ends a message with the same files do not wait in a circle', async () => {
  const actor = await makeWriter()
  const [earlier, later] = [await makeOldFile(true), await makeOldFile(true)].sort() as [Uuid, Uuid]
  const id = newId()
  await saveDraft(one, actor, id, { baseVersion: 0, ...draftOf(mailboxId, { attachmentIds: [earlier] }) })
  // As the end of a message locks them, one after the other.
  const ending = await one.connect('ending')
  await ending.query('begin')
  await ending.query('select from attachments where id = $1 for update', [earlier])
  const saving = saveDraft(two, actor, id, { baseVersion: 1, ...draftOf(mailboxId, { attachmentIds: [later] }) })
  await until('the save waits', async () => {
    const waiting = sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    return (await one.rows(waiting)).length > 0
  })
  await ending.query('select from attachments where id = $1 for update', [later])
  await ending.query('commit')
  await ending.end()
  assert.deepEqual((await saving).attachmentIds, [later])
})

test('a file that the store has lost is in no draft any more, which says so and is not sent without it', async () => {
  const actor = await makeWriter()
  const [lost, whole] = [await makeOldFile(true), await makeOldFile(true)]
  const content = draftOf(mailboxId, { attachmentIds: [lost, whole] })
  const { id, messageId } = await saveDraft(one, actor, newId(), { baseVersion: 0, ...content })
  await sendDraft({ database: one, limiter }, actor, id, { version: 1 })
  // What a draft has is not removed beneath it.
  const by = operatorOf(tenantId)
  assert.equal(await removeLostAttachment(one, by, lost), false)
  await loseAttachment(one, by, lost)
  assert.equal(await removeLostAttachment(one, by, lost), true)
  const { due, failure, attachmentIds } = await readDraft(one, actor, id)
  assert.deepEqual([due, failure?.code, attachmentIds], [null, 'not_found', [whole]])
  assert.deepEqual(await tracesOf(one, tenantId, messageId), NONE)
  const [refused] = await together((database) =>
    saveDraft(database, actor, id, { baseVersion: 1, ...content, body: 'x' }),
  )
  assert.equal(refused, 'not_found')
  await sendDraft({ database: one, limiter }, actor, id, { version: 1 })
})

test('after all of it, everything that is counted is what there is', async () => {
  const checks = await checkInvariants(one, await openTestStore())
  // The files above were never put.
  const faults = checks.filter(({ name, result }) => result !== 'ok' && name !== 'every attachment has its bytes')
  assert.deepEqual(faults, [])
  const strays = sql`
    select h.draft_id from draft_attachments h
    where not exists (select from drafts d where d.tenant_id = h.tenant_id and d.id = h.draft_id)
      or not exists (select from attachments a where a.tenant_id = h.tenant_id and a.id = h.attachment_id)`
  assert.deepEqual(await one.rows(strays), [])
})
