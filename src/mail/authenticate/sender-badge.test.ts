import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Authentication, UNKNOWN_AUTHENTICATION } from './authentication.ts'
import { senderBadge } from './sender-badge.ts'

const NOTHING: Authentication = {
  spf: { result: 'none', domain: null },
  dkim: { result: 'none', domain: null, selector: null },
  dmarc: { result: 'none', domain: null, policy: null },
}
const spf = (result: Authentication['spf']['result'], domain: string) => ({ ...NOTHING, spf: { result, domain } })
const dkim = (result: Authentication['dkim']['result'], domain: string) => ({
  ...NOTHING,
  dkim: { result, domain, selector: 's' },
})
const dmarc = (result: Authentication['dmarc']['result'], policy: Authentication['dmarc']['policy']) => ({
  ...NOTHING,
  dmarc: { result, domain: 'shop.example', policy },
})
const FROM = 'ada@shop.example'

const CASES: readonly (readonly [
  name: string,
  of: Authentication,
  from: string | null,
  kind: string,
  words: RegExp,
])[] = [
  ['DMARC passed', dmarc('pass', 'reject'), FROM, 'verified', /^Really from shop\.example\.$/],
  ['DMARC failed', dmarc('fail', 'reject'), FROM, 'failed', /^Pretends to be from shop\.example\. Follow no link/],
  ['DMARC failed, asking for nothing', dmarc('fail', 'none'), FROM, 'failed', /^Pretends to be from/],
  ['DMARC failed, without a sender', dmarc('fail', 'none'), null, 'failed', /^Pretends to be from somebody else/],
  ['signed by the domain', dkim('pass', 'shop.example'), 'a@Shop.Example', 'verified', /^Really from shop\.example/],
  ['signed by another', dkim('pass', 'list.example'), FROM, 'unverified', /^Could not be verified/],
  ['signed by a part of its name', dkim('pass', 'hop.example'), FROM, 'unverified', /^Could not/],
  ['a signature that does not hold', dkim('fail', 'shop.example'), FROM, 'unverified', /^Could not/],
  ['sent by a host of the domain', spf('pass', 'shop.example'), FROM, 'verified', /^Really from/],
  ['sent by a host of another', spf('pass', 'other.example'), FROM, 'unverified', /^Could not/],
  ['nothing published', NOTHING, FROM, 'none', /^Nothing says whether it is really from shop\.example/],
  ['nothing found out', UNKNOWN_AUTHENTICATION, FROM, 'unverified', /^Could not be verified to be from shop/],
  ['no sender', NOTHING, null, 'none', /^Names no sender/],
  ['a name that looks like another', NOTHING, 'a@bаnk.example', 'none', /xn--bnk-6cd\.example/],
  [
    'a policy that cannot be looked up',
    { ...dkim('pass', 'shop.example'), dmarc: { result: 'temperror', domain: null, policy: null } },
    ...([FROM, 'unverified', /^Could not/] as const),
  ],
]

for (const [name, authentication, from, kind, words] of CASES) {
  test(`the badge of a sender: ${name}`, () => {
    const badge = senderBadge(authentication, from)
    assert.equal(badge.kind, kind)
    assert.match(badge.words, words)
    assert.equal(badge.details.length, 3)
    for (const detail of badge.details) assert.match(detail, /^(SPF|DKIM|DMARC): .+\.$/)
  })
}
