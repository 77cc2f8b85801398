import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Notice } from './notice.ts'
import { type NoticeContext, noticeText } from './notice-text.ts'

const AT = '2026-11-22T20:30:15.123456Z'
const HOSTILE = `x\r\nBcc: victim@example.test\r\n\r\n<script>alert(1)</script>"'&\u202e\u0000\u2028${'y'.repeat(5_000)}`

const EACH: Record<Notice['kind'], Notice> = {
  invitation: { kind: 'invitation', facts: { expiresAt: AT } },
  reset: { kind: 'reset', facts: { expiresAt: AT } },
  recovery_address: { kind: 'recovery_address', facts: { expiresAt: AT } },
  recovery_reset: { kind: 'recovery_reset', facts: { expiresAt: AT } },
  new_sign_in: { kind: 'new_sign_in', facts: { at: AT, clientAddress: '192.0.2.7', userAgent: HOSTILE } },
  endpoint_failing: { kind: 'endpoint_failing', facts: { endpointId: 'e', host: HOSTILE, since: AT } },
  endpoint_disabled: { kind: 'endpoint_disabled', facts: { endpointId: 'e', host: HOSTILE, since: AT } },
  domain_failing: { kind: 'domain_failing', facts: { domain: HOSTILE } },
  plan_80: { kind: 'plan_80', facts: { month: '2026-11', recipients: 80, limit: 100 } },
  plan_100: { kind: 'plan_100', facts: { month: '2026-11', recipients: 100, limit: 100 } },
}

const context: NoticeContext = { tenantName: 'Acme', userKind: 'person', link: 'https://console.example/enter/abc' }

for (const notice of Object.values(EACH)) {
  test(`what others have chosen becomes neither a header nor markup in a notice of ${notice.kind}`, () => {
    const { subject, text, html } = noticeText(notice, { ...context, tenantName: HOSTILE })
    assert.doesNotMatch(subject, /[\p{C}\u2028]/u)
    assert(subject.length < 300, `${subject.length}`)
    assert.doesNotMatch(text, /^Bcc:/m)
    assert.doesNotMatch(`${text}${html}`, /[^\n\P{C}]/u)
    const tags = [...html.matchAll(/<\/?([a-z!]+)/g)].map(([, name]) => name)
    assert.deepEqual(
      tags.filter((name) => !/^(?:!doctype|html|head|meta|title|body|p|br|a)$/.test(name as string)),
      [],
    )
    assert.equal(html.match(/ href=/g)?.length, 1)
  })

  test(`a notice of ${notice.kind} names the tenant and has its link, in text and in HTML`, () => {
    const { text, html } = noticeText(notice, context)
    for (const part of [text, html]) {
      assert.match(part, /“Acme”/)
      assert.match(part, /https:\/\/console\.example\/enter\/abc/)
    }
  })
}

test('an Owner is told why, and how to be told no more; whoever gets a link is not', () => {
  for (const notice of Object.values(EACH)) {
    const isLink = ['invitation', 'reset', 'recovery_address', 'recovery_reset'].includes(notice.kind)
    assert.equal(/as an Owner of “Acme”/.test(noticeText(notice, context).text), !isLink, notice.kind)
  }
})

test('a mailbox user is invited to the webmail, and a person to the console', () => {
  assert.match(noticeText(EACH.invitation, context).text, /console of “Acme”/)
  assert.match(noticeText(EACH.invitation, { ...context, userKind: 'mailbox_user' }).text, /in the webmail/)
})

test('times are given to the minute, in UTC', () => {
  assert.match(noticeText(EACH.reset, context).text, /The link works once, until 2026-11-22 20:30 UTC\./)
})
