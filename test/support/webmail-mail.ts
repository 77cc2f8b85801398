// Mail with files and images that comes to a user of the webmail, and what is asked about it.
import assert from 'node:assert/strict'
import type { Database } from '../../src/lib/sql.ts'
import { sql } from '../../src/lib/sql.ts'
import { newId, type Uuid } from '../../src/lib/uuid.ts'
import { handIn } from './inbound.ts'
import { createTestMailboxUser, type TestUser } from './people.ts'
import { createTestTenant, type TestTenant } from './tenant.ts'

export interface Place {
  tenant: TestTenant
  user: TestUser
}

/** A tenant with a mailbox, and a user of that. */
export async function makePlace(database: Database): Promise<Place> {
  const tenant = await createTestTenant(database)
  return { tenant, user: await createTestMailboxUser(database, tenant.tenantId, tenant.mailboxId) }
}

/** A mail comes in, whose header begins with `raw`; gives its id. */
export async function receive(
  database: Database,
  port: number,
  { tenant }: Place,
  raw: string,
  to = [tenant.address],
): Promise<Uuid> {
  const messageId = `<${newId()}@shop.example>`
  const { last } = await handIn(port, 'ada@shop.example', to, `Message-ID: ${messageId}\r\n${raw}`)
  assert.match(last, /^250 /)
  const row = await database.first(sql<{ id: Uuid }>`
    select id from messages where tenant_id = ${tenant.tenantId} and message_id = ${messageId}`)
  return row?.id as Uuid
}

export const HEAD = 'From: Ada <ada@shop.example>\r\nTo: x@y.test\r\nSubject: Hello\r\n'

/** One pixel. */
export const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

export const part = (headers: string, body: Buffer | string): string =>
  `--b\r\n${headers}\r\nContent-Transfer-Encoding: base64\r\n\r\n${Buffer.from(body).toString('base64')}\r\n`

export const withFiles = (html: string, ...files: string[]): string =>
  `${HEAD}MIME-Version: 1.0\r\nContent-Type: multipart/related; boundary=b\r\n\r\n` +
  `${part('Content-Type: text/html; charset=utf-8', html)}${files.join('')}--b--\r\n`

/** As if it had been found out when the message came. */
export async function authenticated(
  database: Database,
  { tenant }: Place,
  id: Uuid,
  result: 'pass' | 'fail' | 'none',
): Promise<void> {
  const dmarc = JSON.stringify({ result, domain: 'shop.example', policy: 'none' })
  await database.rows(sql`
    update message_contents set authentication = jsonb_set(authentication::jsonb, '{dmarc}', ${dmarc}::jsonb)::json
    where tenant_id = ${tenant.tenantId} and message_id = ${id}`)
}

/** Files a message as an application does. */
export async function moveTo(apiUrl: string, { tenant }: Place, id: Uuid, folder: string): Promise<void> {
  const answer = await fetch(`${apiUrl}/v1/messages/${id}`, {
    method: 'PATCH',
    headers: {
      authorization: `Bearer ${tenant.key}`,
      'content-type': 'application/json',
      'idempotency-key': newId(),
    },
    body: JSON.stringify({ mailboxId: tenant.mailboxId, folder }),
  })
  assert.equal(answer.status, 200)
}
