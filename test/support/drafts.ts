// Drafts of a user of the webmail, as its pages save and send them.
import assert from 'node:assert/strict'
import { type Database, sql } from '../../src/lib/sql.ts'
import { newId, type Uuid } from '../../src/lib/uuid.ts'
import { DRAFT_QUEUE } from '../../src/messages/drafts/send-draft.ts'
import type { DraftContent, SaveDraft } from '../../src/servers/webmail/draft-schemas.ts'
import type { TestUser } from './people.ts'
import type { TestSite } from './site.ts'

/** What somebody wrote to a stranger, unless it says otherwise. */
export function draftOf(mailboxId: Uuid, more: Partial<DraftContent> = {}): DraftContent {
  return {
    ...{ mailboxId, kind: 'new', answers: null, to: [{ address: 'ada@shop.example', name: null }], cc: [], bcc: [] },
    ...{ subject: 'Hello', format: 'html', body: '<p>Hello Ada</p>', quote: null, attachmentIds: [] },
    ...more,
  }
}

export function draftsOf(site: TestSite) {
  const ask = (user: TestUser, method: string, path: string, body?: unknown) =>
    site.ask(method, path, { session: user.session, body })
  const save = (user: TestUser, id: Uuid, body: SaveDraft) => ask(user, 'PUT', `/data/drafts/${id}`, body)
  return {
    ask,
    save,
    /** Gives a draft that was saved once. */
    async saved(user: TestUser, content: DraftContent, id = newId()) {
      const answer = await save(user, id, { baseVersion: 0, ...content })
      assert.equal(answer.status, 200, answer.text)
      return answer.body
    },
    send: (user: TestUser, id: Uuid, body: { version: number; sendAt?: string } = { version: 1 }) =>
      ask(user, 'POST', `/data/drafts/${id}/send`, body),
    takeBack: (user: TestUser, id: Uuid) => ask(user, 'POST', `/data/drafts/${id}/take-back`),
    read: (user: TestUser, id: Uuid) => ask(user, 'GET', `/data/drafts/${id}`),
  }
}

/** As if its time had come. */
export async function fallDue(database: Database, id: Uuid): Promise<void> {
  await database.transaction(async (tx) => {
    const due = await tx.first(sql<{ at: string }>`
      update drafts set due_at = clock_timestamp() where id = ${id} and due_at is not null returning due_at as at`)
    assert(due, 'the draft is not due')
    await tx.rows(sql`
      update jobs set state = 'ready', due_at = clock_timestamp(), payload = ${JSON.stringify({ dueAt: due.at })}
      where queue = ${DRAFT_QUEUE} and subject_id = ${id} and claim is null`)
    tx.signal(DRAFT_QUEUE)
  })
}

/** All that there is of a message: none of it unless it was sent. */
export async function tracesOf(database: Database, tenantId: Uuid, messageId: Uuid) {
  const row = await database.first(sql<Record<'messages' | 'events' | 'jobs' | 'acts', number>>`
    select
      (select count(*) from messages where tenant_id = ${tenantId} and id = ${messageId}) as messages,
      (select count(*) from events where tenant_id = ${tenantId} and resource_id = ${messageId} and type = 'message.queued') as events,
      (select count(*) from jobs where tenant_id = ${tenantId} and subject_id = ${messageId}) as jobs,
      (select count(*) from audit_log where tenant_id = ${tenantId} and resource_id = ${messageId}) as acts`)
  return row as NonNullable<typeof row>
}
