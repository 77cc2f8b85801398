// Received mail is put into its conversation, whatever it says and whoever writes at the same time.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { send, startTestApi } from '../../../test/support/api.ts'
import { createTestDatabase } from '../../../test/support/database.ts'
import { operatorOf } from '../../../test/support/operator.ts'
import { receive, type WrittenMail, writeReceived } from '../../../test/support/received-mail.ts'
import { createTestTenant, type TestTenant } from '../../../test/support/tenant.ts'
import { recordStatements } from '../../../test/support/tenant-scope.ts'
import { until } from '../../../test/support/until.ts'
import { productionOf } from '../../access/actor.ts'
import { sql } from '../../lib/sql.ts'
import { newId, type Uuid } from '../../lib/uuid.ts'
import { CONVERSATION_INVARIANTS } from '../../ops/conversation-invariants.ts'
import { deleteMessage } from '../delete-message.ts'
import { holdMessage } from '../hold-message.ts'
import { purgeMessage } from '../purge-message.ts'
import { releaseMessage } from '../release-message.ts'
import { conversationMembers } from './conversation-members.ts'
import { joinConversation, MOST_IN_CONVERSATION } from './join-conversation.ts'
import { MOST_MENTIONED_IDS } from './mentioned-ids.ts'

describe('conversations', async () => {
  const { database } = await createTestDatabase({ alone: true })
  const api = await startTestApi(database)

  type Mail = Pick<WrittenMail, 'messageId' | 'inReplyTo' | 'references' | 'folder'>

  const receiveIn = ({ tenantId, mailboxId }: TestTenant, mail: Mail) =>
    receive(database, tenantId, { mailboxIds: [mailboxId], ...mail })

  const membersOf = async ({ tenantId }: { tenantId: Uuid }, id: Uuid) =>
    new Set(await conversationMembers(database, productionOf(tenantId), [id], 1_000))

  const assertTogether = async (tenant: TestTenant, ids: readonly Uuid[]) => {
    for (const id of ids) assert.deepEqual(await membersOf(tenant, id), new Set(ids))
  }

  /** Somebody waits for a lock that another has. */
  const oneWaits = () =>
    until('a wait for a lock', async () => {
      const { rows } = await database.pool.query(
        `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      )
      return rows.length > 0
    })

  const assertSound = async () => {
    for (const [name, look] of CONVERSATION_INVARIANTS) assert.equal((await look(database)).count, 0, name)
  }

  /** Rows that are kept for a tenant. */
  const kept = async ({ tenantId }: TestTenant) =>
    database.first(sql<{ ids: number; members: number }>`
      select (select count(*) from message_references where tenant_id = ${tenantId})::integer as ids,
        (select count(*) from conversation_messages where tenant_id = ${tenantId})::integer as members`)

  test('hold three messages together in whichever order they come', async () => {
    const tenant = await createTestTenant(database)
    for (const order of ['ABC', 'ACB', 'BAC', 'BCA', 'CAB', 'CBA']) {
      const of = (name: string) => `<${name}.${order}@x>`
      const thread: Record<string, Mail> = {
        A: { messageId: of('A') },
        B: { messageId: of('B'), inReplyTo: of('A') },
        C: { messageId: of('C'), inReplyTo: of('B') },
      }
      const ids: Uuid[] = []
      for (const name of order) ids.push(await receiveIn(tenant, thread[name] as Mail))
      await assertTogether(tenant, ids)
    }
    await assertSound()
  })

  test('are what hangs together by the ids that messages have and mention, in any order', async () => {
    const tenant = await createTestTenant(database)
    const id = fc.integer({ min: 0, max: 9 })
    const mail = fc.record({
      own: fc.option(id),
      inReplyTo: fc.option(id),
      references: fc.array(id, { maxLength: 3 }),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(mail, { minLength: 1, maxLength: 7 }), async (mails) => {
        const run = newId()
        const idOf = (n: number | null) => (n === null ? null : `<${n}.${run}@x>`)
        const groups: { ids: Set<number>; messages: Set<Uuid> }[] = []
        for (const { own, inReplyTo, references } of mails) {
          const messages = new Set([
            await receiveIn(tenant, {
              messageId: idOf(own),
              inReplyTo: idOf(inReplyTo),
              references: references.map((n) => idOf(n) as string),
            }),
          ])
          const ids = new Set([own, inReplyTo, ...references].filter((n) => n !== null))
          const joined = groups.filter((group) => !group.ids.isDisjointFrom(ids))
          for (const group of joined) {
            groups.splice(groups.indexOf(group), 1)
            for (const n of group.ids) ids.add(n)
            for (const message of group.messages) messages.add(message)
          }
          groups.push({ ids, messages })
        }
        for (const { messages } of groups) await assertTogether(tenant, [...messages])
      }),
      { numRuns: 40 },
    )
    await assertSound()
  })

  test('begin with mail that was sent, known by its id and domain, and by neither alone', async () => {
    const [tenant, other] = [await createTestTenant(database), await createTestTenant(database)]
    const sandbox = await createTestTenant(database, { environment: 'sandbox' })
    const sentBy = async ({ key, mailboxId }: TestTenant) => {
      const mail = { fromMailboxId: mailboxId, to: ['ada@example.test'], subject: 'Hello', text: 'Words' }
      const { status, body } = await send(api.url, key, mail)
      assert.equal(status, 202)
      return body.id as Uuid
    }
    const domainOf = ({ address }: TestTenant) => address.split('@')[1] as string
    const sent = await sentBy(tenant)
    const wrong = await receiveIn(tenant, { messageId: '<w@x>', inReplyTo: `<${sent}@wrong.test>` })
    assert.deepEqual(await membersOf(tenant, wrong), new Set([wrong]))
    const answer = await receiveIn(tenant, {
      messageId: '<s1@x>',
      references: [`<${sent.toUpperCase()}@${domainOf(tenant).toUpperCase()}>`],
    })
    await assertTogether(tenant, [sent, answer])
    // The copy that comes back to a mailbox of the tenant has the Message-ID of the sent one.
    const copy = await receiveIn(tenant, { messageId: `<${sent}@${domainOf(tenant)}>` })
    const late = await receiveIn(tenant, { inReplyTo: '<s1@x>' })
    await assertTogether(tenant, [sent, answer, copy, late])

    const foreign = await sentBy(other)
    const liar = await receiveIn(tenant, { messageId: '<l@x>', inReplyTo: `<${foreign}@${domainOf(other)}>` })
    assert.deepEqual(await membersOf(tenant, liar), new Set([liar]))
    assert.deepEqual(await membersOf(other, foreign), new Set([foreign]))
    const played = await sentBy(sandbox)
    const toSandbox = await receiveIn(sandbox, { inReplyTo: `<${played}@${domainOf(sandbox)}>` })
    assert.deepEqual(await membersOf(sandbox, toSandbox), new Set([toSandbox]))
    await assertSound()
  })

  test('never reach over tenants, whatever is referred to', async () => {
    const [one, two] = [await createTestTenant(database), await createTestTenant(database)]
    const first = await receiveIn(one, { messageId: '<both@x>' })
    const second = await receiveIn(two, { messageId: '<both@x>', references: ['<both@x>'] })
    const third = await receiveIn(two, { inReplyTo: '<both@x>' })
    await assertTogether(one, [first])
    await assertTogether(two, [second, third])
    assert.deepEqual(await membersOf(two, first), new Set([first]))
    await assertSound()
  })

  test('take in no mail that is put into spam, nor what it mentions', async () => {
    const tenant = await createTestTenant(database)
    const first = await receiveIn(tenant, { messageId: '<real@x>' })
    const spam = await receiveIn(tenant, { messageId: '<spam@x>', inReplyTo: '<real@x>', folder: 'spam' })
    const other = await receiveIn(tenant, { inReplyTo: '<spam@x>' })
    for (const id of [first, spam, other]) assert.deepEqual(await membersOf(tenant, id), new Set([id]))
  })

  test('cost the same for a bomb of references: one statement, and as many rows as ids are looked at', async () => {
    const tenant = await createTestTenant(database)
    const references = Array.from({ length: 10_000 }, (_, i) => `<${i}@bomb>`)
    const { database: recorded, statements } = recordStatements(database)
    const { tenantId, mailboxId } = tenant
    const mail = { mailboxIds: [mailboxId], messageId: '<bomb@x>', inReplyTo: '<up@x>', references }
    await recorded.transaction((tx) => writeReceived(tx, tenantId, mail))
    const statementsOfBomb = statements.size
    statements.clear()
    await recorded.transaction((tx) => writeReceived(tx, tenantId, { mailboxIds: [mailboxId], messageId: '<plain@x>' }))
    assert.equal(statements.size, statementsOfBomb)
    assert.deepEqual(await kept(tenant), { ids: MOST_MENTIONED_IDS + 1, members: 0 })
  })

  test('have 500 messages at most, and behind them another begins', async () => {
    const tenant = await createTestTenant(database)
    const { tenantId } = tenant
    const first = await receiveIn(tenant, { messageId: '<full@x>' })
    const second = await receiveIn(tenant, { inReplyTo: '<full@x>' })
    const fill = (conversation: Uuid, count: number) =>
      database.rows(sql`
        with made as (
          insert into messages (tenant_id, id, environment_id, created_at, direction, to_addresses, cc_addresses,
            bcc_addresses, subject, preview, received_at)
          select ${tenantId}, gen_random_uuid(), ${tenantId}, clock_timestamp(), 'inbound', '[]', '[]', '[]', '', '', now()
          from generate_series(1, ${count}::integer)
          returning tenant_id, id, created_at, seq
        )
        insert into conversation_messages (tenant_id, message_id, conversation_id, created_at, seq)
        select tenant_id, id, ${conversation}, created_at, seq from made`)
    await fill(first, MOST_IN_CONVERSATION - 3)
    assert.equal((await membersOf(tenant, second)).size, MOST_IN_CONVERSATION - 1)
    const last = await receiveIn(tenant, { messageId: '<last@x>', inReplyTo: '<full@x>' })
    assert.equal((await membersOf(tenant, last)).size, MOST_IN_CONVERSATION)
    const beyond = await receiveIn(tenant, { messageId: '<beyond@x>', inReplyTo: '<full@x>' })
    assert.deepEqual(await membersOf(tenant, beyond), new Set([beyond]))
    const further = await receiveIn(tenant, { messageId: '<further@x>', inReplyTo: '<full@x>' })
    await assertTogether(tenant, [beyond, further])

    // Two that do not fit into one stay two; with one message less they would.
    await fill(beyond, MOST_IN_CONVERSATION - 4)
    const small = [await receiveIn(tenant, { messageId: '<a@small>' })]
    small.push(await receiveIn(tenant, { messageId: '<b@small>', inReplyTo: '<a@small>' }))
    const between = await receiveIn(tenant, { references: ['<further@x>', '<a@small>'] })
    assert.equal((await membersOf(tenant, beyond)).size, MOST_IN_CONVERSATION - 1)
    assert((await membersOf(tenant, beyond)).has(between))
    await assertTogether(tenant, small)
    await deleteMessage(database, operatorOf(tenantId), small.pop() as Uuid)
    const again = await receiveIn(tenant, { references: ['<beyond@x>'] })
    assert.equal((await membersOf(tenant, again)).size, MOST_IN_CONVERSATION)
    await deleteMessage(database, operatorOf(tenantId), again)
    await deleteMessage(database, operatorOf(tenantId), between)
    const joins = await receiveIn(tenant, { references: ['<further@x>', '<a@small>'] })
    const all = await membersOf(tenant, joins)
    assert.equal(all.size, MOST_IN_CONVERSATION)
    assert(all.has(small[0] as Uuid) && all.has(beyond))
    await assertSound()
  })

  test('are joined by one after the other, though two answers come at the same moment', async () => {
    const tenant = await createTestTenant(database)
    const { tenantId, mailboxId } = tenant
    const mail = { mailboxIds: [mailboxId] }
    // Neither has what both answer; and each knows another conversation, which become one.
    const one = await receiveIn(tenant, { messageId: '<one@race>' })
    const two = await receiveIn(tenant, { messageId: '<two@race>' })
    let other: Promise<Uuid> | undefined
    const answer = await database.transaction(async (tx) => {
      const id = await writeReceived(tx, tenantId, { ...mail, references: ['<one@race>', '<absent@race>'] })
      other = receive(database, tenantId, { ...mail, references: ['<absent@race>', '<two@race>'] })
      await oneWaits()
      return id
    })
    const ids = [one, two, answer, (await other) as Uuid]
    const parent = await receiveIn(tenant, { messageId: '<absent@race>' })
    await assertTogether(tenant, [...ids, parent])
    await assertSound()
  })

  test('are joined by one after the other by a lock of their own', async () => {
    const tenant = await createTestTenant(database)
    const [one, two] = [await receiveIn(tenant, {}), await receiveIn(tenant, {})]
    const joins = { tenantId: tenant.tenantId, messageId: null, inReplyTo: '<shared@lock>', references: [] }
    let other: Promise<void> | undefined
    await database.transaction(async (tx) => {
      await joinConversation(tx, { ...joins, id: one })
      other = database.transaction((second) => joinConversation(second, { ...joins, id: two }))
      await oneWaits()
    })
    await other
    await assertTogether(tenant, [one, two])
  })

  test('do not keep what ends, whoever answers it at that moment, and stay together without it', async () => {
    const tenant = await createTestTenant(database)
    const operator = operatorOf(tenant.tenantId)
    const thread: Mail[] = [
      { messageId: '<1@end>' },
      { messageId: '<2@end>', references: ['<1@end>'] },
      { messageId: '<3@end>', references: ['<1@end>', '<2@end>'] },
    ]
    const ids: Uuid[] = []
    for (const mail of thread) ids.push(await receiveIn(tenant, mail))
    const [first, second, third] = ids as [Uuid, Uuid, Uuid]
    await deleteMessage(database, operator, first)
    await deleteMessage(database, operator, second)
    assert.deepEqual(await kept(tenant), { ids: 3, members: 1 })
    const answer = await receiveIn(tenant, { inReplyTo: '<2@end>', references: ['<1@end>', '<2@end>'] })
    await assertTogether(tenant, [third, answer])

    // The one that it begins with is deleted while it is answered, and the other way round.
    const alone = await receiveIn(tenant, { messageId: '<alone@end>' })
    let deleted: Promise<void> | undefined
    await database.transaction(async (tx) => {
      const mail = { mailboxIds: [tenant.mailboxId], inReplyTo: '<alone@end>' }
      await writeReceived(tx, tenant.tenantId, mail)
      deleted = deleteMessage(database, operator, alone)
      await oneWaits()
    })
    await deleted
    await assertSound()

    // Held, it shows nowhere, and comes back nowhere.
    const held = await receiveIn(tenant, { messageId: '<held@end>', inReplyTo: '<3@end>' })
    await holdMessage(database, operator, held)
    await purgeMessage(database, operator, held)
    await assertTogether(tenant, [third, answer])
    const toHeld = await receiveIn(tenant, { inReplyTo: '<held@end>' })
    assert.deepEqual(await membersOf(tenant, toHeld), new Set([toHeld]))
    await releaseMessage(database, operator, held)
    for (const id of [third, answer, toHeld]) await deleteMessage(database, operator, id)
    await assertSound()
  })

  test('of several messages are given whole, newest first, and no more of them than are asked for', async () => {
    const tenant = await createTestTenant(database)
    const ids: Uuid[] = []
    for (let i = 0; i < 4; i++) ids.push(await receiveIn(tenant, { messageId: `<${i}@m>`, inReplyTo: `<${i - 1}@m>` }))
    const alone = await receiveIn(tenant, {})
    const realm = productionOf(tenant.tenantId)
    const [first, second, third, fourth] = ids as [Uuid, Uuid, Uuid, Uuid]
    const given = (most: number) => conversationMembers(database, realm, [alone, first, second], most)
    assert.deepEqual(await given(5), [alone, fourth, third, second, first])
    assert.deepEqual(await given(3), [alone, fourth, third])
    assert.deepEqual(await conversationMembers(database, realm, [], 5), [])
  })
})
