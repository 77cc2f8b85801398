import assert from 'node:assert/strict'
import { test } from 'node:test'
import { wordsOfRecipient } from './recipient-words.ts'

const NOTHING = { smtpCode: null, enhancedCode: null, text: null }
const ADA = {
  address: 'ada@shop.example',
  kind: 'to',
  status: 'delivered',
  reply: NOTHING,
  nextAttemptAt: null,
  complainedAt: null,
} as const
const said = (smtpCode: number, enhancedCode: string | null, text: string) => ({ smtpCode, enhancedCode, text })
const at = '2026-01-01T00:00:00Z'

const CASES = [
  [{}, 'Delivered to ada@shop.example'],
  [{ status: 'sent', reply: said(250, '2.0.0', 'OK') }, 'On its way to ada@shop.example'],
  [{ status: 'queued' }, 'On its way'],
  [
    { status: 'queued', reply: said(451, '4.7.1', 'Greylisted'), nextAttemptAt: at },
    'Not taken yet: deferred by their policy. It is tried again',
  ],
  [{ status: 'bounced', reply: said(550, '5.1.1', 'No such user') }, 'Bounced: mailbox does not exist'],
  [{ status: 'bounced', reply: said(550, null, 'No') }, 'Bounced: refused'],
  [{ status: 'bounced', reply: { ...NOTHING, text: 'Nobody of that name' } }, 'Bounced: nobody of that name'],
  [{ status: 'bounced' }, 'Bounced'],
  [{ status: 'failed', reply: { ...NOTHING, text: 'suppressed: bounce' } }, 'Not sent: mail to the address is stopped'],
  [{ status: 'bounced', reply: said(554, '5.7.23', 'SPF') }, 'Bounced: SPF did not pass'],
  [{ complainedAt: at }, 'Reported as spam by ada@shop.example'],
] as const

test('what became of a message for a recipient is told in plain words', () => {
  for (const [recipient, words] of CASES) assert.equal(wordsOfRecipient({ ...ADA, ...recipient }), words)
})
