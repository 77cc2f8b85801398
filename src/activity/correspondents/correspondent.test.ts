// What is kept of whom a mailbox has written with is the same in whatever order it is heard of, and however often.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type Correspondent,
  isNoReply,
  type MailWith,
  mergeCorrespondent,
  offered,
  rankOf,
  wordsOfCorrespondent,
  wordsTyped,
} from './correspondent.ts'

const DAY = 86_400_000
const NOW = Date.parse('2026-06-01T00:00:00Z')
const idOf = (n: number) => `00000000-0000-7000-8000-${String(n).padStart(12, '0')}`
const mail = (n: number, more: object = {}) => ({
  ...{ id: idOf(n), at: NOW + n * DAY, isWritten: false, address: 'ada@shop.example', name: null as string | null },
  ...more,
})

test('mails are kept once each, the newest 16, in whatever order and parts they are heard of', () => {
  const mails = Array.from({ length: 20 }, (_, n) =>
    mail(n, { address: n % 2 ? 'Ada@shop.example' : 'ada@shop.example', name: n % 3 ? `Ada ${n}` : null }),
  )
  const whole = mergeCorrespondent(undefined, mails)
  assert.deepEqual(
    whole.mails.map(({ id }) => id),
    Array.from({ length: 16 }, (_, n) => idOf(19 - n)),
  )
  assert.deepEqual([whole.address, whole.name], ['Ada@shop.example', 'Ada 19'])
  const orders = [mails.toReversed(), mails.toSorted((a, b) => (a.at % 7) - (b.at % 7)), [...mails, ...mails]]
  for (const order of orders) {
    for (const size of [1, 3, 7]) {
      let known: Correspondent | undefined
      for (let i = 0; i < order.length; i += size) known = mergeCorrespondent(known, order.slice(i, i + size))
      assert.deepEqual(known, whole)
    }
  }
})

test('who is written with oftener and later ranks higher, and writing counts for more than what comes', () => {
  const rank = (...mails: [daysAgo: number, isWritten: boolean][]) =>
    rankOf(mails.map(([days, isWritten], n): MailWith => ({ id: idOf(n), at: NOW - days * DAY, isWritten })))
  const ascending = [
    rank([900, false]),
    rank([300, true]),
    rank([10, false]),
    rank([10, false], [11, false]),
    rank([10, true]),
    rank([9, true]),
    rank([9, true], [20, true], [30, false]),
  ]
  assert.deepEqual(
    ascending,
    ascending.toSorted((a, b) => a - b),
  )
  assert.equal(new Set(ascending).size, ascending.length)
})

test('what cannot be written to is not offered, and a name shows in its own direction, without line ends', () => {
  assert.deepEqual(offered({ address: 'a@b.example', name: ' A\u202e\nb\u0000 ' }), {
    address: 'a@b.example',
    name: 'A  b',
  })
  for (const name of [null, '', '  ', 'a@b.example'])
    assert.equal(offered({ address: 'a@b.example', name })?.name, null)
  assert.equal(offered({ address: 'a@b.example', name: '山'.repeat(300) })?.name?.length, 256)
  for (const address of ['', 'undisclosed', '"a b"@c.example', 'a@localhost', `${'x'.repeat(65)}@b.example`]) {
    assert.equal(offered({ address, name: null }), undefined)
  }
})

test('addresses that say that nobody reads there are known, and others are not', () => {
  const nobody = ['noreply', 'no-reply', 'No_Reply', 'donotreply', 'do-not-reply', 'no-reply-7', 'mailer-daemon']
  for (const local of [...nobody, 'bounce+x', 'bounces', 'no.reply+1', 'never-reply', 'postmaster']) {
    assert.equal(isNoReply(`${local}@shop.example`), true, local)
  }
  for (const local of ['reply', 'noah', 'norep', 'notify', 'nora.reply', 'bouncer', 'noreplyann', 'info']) {
    assert.equal(isNoReply(`${local}@shop.example`), false, local)
  }
})

test('people are found by what their address and each word of their name begin with, in any language', () => {
  const found = (person: { address: string; name: string | null }, q: string) => {
    const words = wordsOfCorrespondent(person)
    return wordsTyped(q).every((typed) => words.some((word) => word.startsWith(typed)))
  }
  const ada = { address: 'ada.love@münchen.example', name: 'Adá Løvelace-Byron' }
  const yes = ['a', 'ada', 'ADÁ', 'love', 'løv', 'byr', 'ada lov', 'Byron Ad', 'ada.l', 'ada.love@', 'ada.love@mün']
  for (const q of [...yes, 'ada.love@xn--mnchen', 'munc', '"Adá Lø', '<ada.love@']) assert(found(ada, q), q)
  for (const q of ['da', 'lace', 'ada x', 'example', 'love@', 'ada.love@x.example']) assert(!found(ada, q), q)
  assert(found({ address: 'y@b.example', name: '山田太郎' }, '山田'))
  assert(found({ address: 'y@b.example', name: '山田 太郎' }, '太'))
  assert(found({ address: 'y@b.example', name: 'Мария Кюри' }, 'кюр'))
  assert(found({ address: 'y@b.example', name: 'مريم' }, 'مر'))
  assert.deepEqual(wordsTyped('<>, "'), [])
  assert(wordsOfCorrespondent({ address: 'a@b.example', name: 'x y z '.repeat(40).concat('q'.repeat(9)) }).length <= 24)
})
