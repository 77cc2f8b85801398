import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Scope } from '../../../src/access/permissions.ts'
import { firstRequest, quoted } from './first-request.ts'

const commandOf = (scopes: Scope[], mailbox: { id: string } | null = { id: 'the-mailbox' }, to = 'ada@example.com') =>
  firstRequest({ apiUrl: 'https://api.example.com', key: `mdk_live_${'0'.repeat(71)}`, scopes, mailbox, to })?.command

test('a key that may send sends, one that may not reads what it may', () => {
  assert.equal(
    commandOf(['mailboxes:read', 'messages:read', 'messages:send']),
    [
      "curl 'https://api.example.com/v1/messages'",
      `-H 'Authorization: Bearer mdk_live_${'0'.repeat(71)}'`,
      "-H 'Idempotency-Key: first-request-mdk_live_000000'",
      "-H 'Content-Type: application/json'",
      `-d '{"fromMailboxId":"the-mailbox","to":["ada@example.com"],"subject":"Hello","text":"It works."}'`,
    ].join(' \\\n  '),
  )
  for (const [scopes, path] of [
    [['messages:read', 'webhooks:read'], '/v1/messages?limit=5'],
    [['mailboxes:read', 'attachments:write'], '/v1/mailboxes'],
    [['webhooks:read', 'webhooks:write'], '/v1/webhook-endpoints'],
    [['attachments:write'], '/v1/attachments'],
  ] as [Scope[], string][]) {
    assert(commandOf(scopes)?.startsWith(`curl 'https://api.example.com${path}' `), path)
  }
  for (const scopes of [['messages:write'], ['attachments:read'], ['webhooks:write']] as Scope[][]) {
    assert.equal(commandOf(scopes), undefined)
  }
})

test('without a mailbox nothing is sent or uploaded', () => {
  assert.match(commandOf(['messages:send', 'messages:read'], null) ?? '', /limit=5/)
  assert.equal(commandOf(['messages:send', 'attachments:write'], null), undefined)
})

test('what is in an address is one word of the shell, and nothing that it runs', () => {
  assert.equal(quoted(`o'neil`), `'o'\\''neil'`)
  assert.match(
    commandOf(['messages:send'], { id: 'm' }, `o'neil$(id)\`id\`@example.com`) ?? '',
    /o'\\''neil\$\(id\)`id`@/,
  )
})
