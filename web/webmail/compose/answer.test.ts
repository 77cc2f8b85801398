import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Mailbox } from '../mailbox.ts'
import type { Message } from '../message/shapes.ts'
import { type AnswerKind, attributionOf, beginAnswer, suspectReplyTo } from './answer.ts'

const person = (address: string, name: string | null = null) => ({ address, name })
const own = { id: 'own', address: 'me@münchen.example', access: 'write' } as Mailbox
const other = { id: 'other', address: 'team@shop.example', access: 'write' } as Mailbox
const readOnly = { id: 'read', address: 'boss@shop.example', access: 'read' } as Mailbox

const message = (more: Partial<Message> = {}): Message =>
  ({
    ...{ id: 'm', direction: 'inbound', subject: 'Invoice 7', from: person('ada@a.example', 'Ada') },
    ...{ to: [person('me@münchen.example')], cc: [], bcc: [], replyTo: [], badge: null },
    entries: [{ mailboxId: 'own' }],
    ...more,
  }) as Message

const begun = (kind: AnswerKind, given: Partial<Message>, mailboxes = [own]) => {
  const { to, cc, subject, mailboxId } = beginAnswer(kind, message(given), mailboxes) ?? {}
  return { to: to?.map(({ address }) => address), cc: cc?.map(({ address }) => address), subject, mailboxId }
}

test('a reply goes to the sender, or where the sender wants it', () => {
  assert.deepEqual(begun('reply', {}), {
    ...{ to: ['ada@a.example'], cc: [], subject: 'Re: Invoice 7', mailboxId: 'own' },
  })
  assert.deepEqual(begun('reply', { replyTo: [person('desk@a.example'), person('b@a.example')] }).to, [
    ...['desk@a.example', 'b@a.example'],
  ])
  assert.deepEqual(begun('reply', { replyTo: [person('me@xn--mnchen-3ya.example')] }).to, ['ada@a.example'])
  assert.deepEqual(begun('reply', { from: null }).to, [])
})

test('a reply to all leaves oneself out, however one is spelled, and names nobody twice', () => {
  const to = [
    person('ME@XN--MNCHEN-3YA.example'),
    person('b@b.example'),
    person('B@B.Example'),
    person('ada@a.example'),
  ]
  const cc = [person('c@c.example'), person('b@b.example'), person('team@shop.example'), person('')]
  const found = begun('reply_all', { to, cc }, [own, other])
  assert.deepEqual(found.to, ['ada@a.example', 'b@b.example'])
  assert.deepEqual(found.cc, ['c@c.example'])
  // Whom one only wrote to oneself.
  assert.deepEqual(begun('reply_all', { from: person(own.address) }).to, [own.address])
})

test('what one has sent is answered to those who had it', () => {
  const sent = {
    ...{ direction: 'outbound' as const, from: person(own.address), bcc: [person('eve@e.example')] },
    ...{ to: [person('b@b.example'), person(other.address)], cc: [person('c@c.example')] },
  }
  assert.deepEqual(begun('reply', sent, [own, other]).to, ['b@b.example', other.address])
  const all = begun('reply_all', sent, [own, other])
  assert.deepEqual([all.to, all.cc], [['b@b.example'], ['c@c.example']])
})

test('it is from the mailbox that the message went to, if one may write from it', () => {
  const entries = [{ mailboxId: 'own' }, { mailboxId: 'other' }, { mailboxId: 'read' }] as Message['entries']
  const to = [person(readOnly.address), person(other.address)]
  const from = (mailboxes: Mailbox[], more = {}) => begun('reply', { entries, to, ...more }, mailboxes).mailboxId
  assert.equal(from([own, other, readOnly]), 'other')
  assert.equal(from([own, readOnly]), 'own')
  assert.equal(from([readOnly]), undefined)
  assert.equal(from([own, other], { direction: 'outbound', from: person(own.address) }), 'own')
})

test('a subject has one prefix, whatever others call it', () => {
  const subjects: [AnswerKind, string, string][] = [
    ['reply', 'RE: AW: Re[2]:  Invoice 7', 'Re: Invoice 7'],
    ['reply', 'SV:Invoice', 'Re: Invoice'],
    ['reply', '回复：账单', 'Re: 账单'],
    ['reply', 'Fwd: Invoice', 'Re: Fwd: Invoice'],
    ['reply', 'Regarding: x', 'Re: Regarding: x'],
    ['reply', '', 'Re:'],
    ['forward', 'WG: FW: Fwd: Invoice', 'Fwd: Invoice'],
    ['forward', 'Re: Invoice', 'Fwd: Re: Invoice'],
    ['reply', '\u202eevil', 'Re: evil'],
  ]
  for (const [kind, subject, wanted] of subjects) assert.equal(begun(kind, { subject }).subject, wanted)
  assert.equal(begun('reply', { subject: 'x'.repeat(998) }).subject?.length, 998)
})

test('mail that is not from whom it names is answered to somebody else only with a warning', () => {
  const failed = { kind: 'failed', words: '', details: [] } as Message['badge']
  const replyTo = [person('thief@t.example')]
  assert.equal(suspectReplyTo(message({ badge: failed, replyTo })), 'thief@t.example')
  assert.equal(suspectReplyTo(message({ badge: failed, replyTo: [person('ADA@a.example')] })), undefined)
  assert.equal(suspectReplyTo(message({ replyTo })), undefined)
})

test('it says whose words are quoted', () => {
  const date = '3 May 2026, 10:12'
  assert.equal(attributionOf('reply', message(), date), 'On 3 May 2026, 10:12, Ada wrote:')
  assert.equal(
    attributionOf('reply', { from: person('a@a.example', '\u202e ') }, date),
    `On ${date}, a@a.example wrote:`,
  )
  assert.equal(attributionOf('reply', { from: null }, date), `On ${date}, somebody wrote:`)
  assert(attributionOf('reply', { from: person('a@a.example', 'x'.repeat(5_000)) }, date).length < 1_000)
})
