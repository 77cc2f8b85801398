// What mailboxes have was counted before it was counted folder by folder: after the upgrade it is counted anew, whatever was there.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { sql } from '../../src/lib/sql.ts'
import { activityFaults, followAll } from '../support/activity.ts'
import { createTestDatabase } from '../support/database.ts'
import { writeMail } from '../support/mailbox-mail.ts'
import { createTestTenant } from '../support/tenant.ts'

const migration = (name: string) => readFile(new URL(`../../migrations/${name}.sql`, import.meta.url), 'utf8')

test('counts of before 0028 go, every log is followed anew, one that was under way too, and the counts are right', async () => {
  const { database } = await createTestDatabase()
  const [counted, rebuilding] = [await createTestTenant(database), await createTestTenant(database)]
  for (const { tenantId, mailboxId } of [counted, rebuilding]) {
    await writeMail(database, tenantId, [
      { mailboxIds: [mailboxId], subject: 'One' },
      { mailboxIds: [mailboxId], subject: 'Two', isRead: true },
      { mailboxIds: [mailboxId], subject: 'Three', folder: 'trash' },
    ])
  }
  await followAll(database)
  const amounts = () =>
    database.rows(sql`
      select mailbox_id, folder, sum(messages)::integer as messages, sum(unread)::integer as unread,
        sum(size_bytes)::integer as bytes
      from mailbox_amounts group by 1, 2 order by 1, 2`)
  const right = await amounts()
  assert.equal(right.length, 4)

  // As 0022 to 0027 had it, with counts of then; of one tenant a build is under way that has passed some of the log.
  const client = await database.connect('the version before')
  try {
    await client.query('begin; drop table mailbox_messages, mailbox_amounts')
    const tables = (await migration('0022_places')).match(/^create table mailbox_\w+ \([^;]*;/gm) ?? []
    assert.equal(tables.length, 2)
    for (const table of tables) await client.query(table)
    await client.query(`
      insert into mailbox_messages (tenant_id, message_id, mailbox_id, environment_id, size_bytes, is_unread)
      select e.tenant_id, e.message_id, e.mailbox_id, e.environment_id, 1, not e.is_read from message_entries e;
      insert into mailbox_amounts (tenant_id, environment_id, mailbox_id, size_bytes, unread)
      select e.tenant_id, e.environment_id, e.mailbox_id, 1, 1 from message_entries e`)
    await client.query(
      `insert into activity_cursors (tenant_id, environment_id, build, epoch, xid, seq, followed)
       select c.tenant_id, c.environment_id, c.build + 1, c.epoch, c.xid, c.seq - 1, c.followed - 1 from activity_cursors c
       where c.tenant_id = $1`,
      [rebuilding.tenantId],
    )
    await client.query(await migration('0028_folders'))
    const { rows } = await client.query(
      `select tenant_id, array_agg(followed order by build)::text[] as followed,
         (select count(*)::integer from mailbox_amounts) + (select count(*)::integer from mailbox_messages) as counted
       from activity_cursors group by 1`,
    )
    assert.equal(rows.length, 2)
    for (const { followed, counted } of rows) {
      assert.equal(followed.length, 2)
      assert.notEqual(followed[0], '0')
      assert.equal(followed[1], '0')
      assert.equal(counted, 0)
    }
    await client.query('commit')
  } finally {
    await client.end()
  }
  await followAll(database)
  assert.deepEqual(await amounts(), right)
  assert.deepEqual(await activityFaults(database), [])
})
