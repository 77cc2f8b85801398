import assert from 'node:assert/strict'
import { createPrivateKey, createPublicKey, createSign, createVerify } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { type NameRecords, startTestDns, type TestDns, type Zone } from '../../test/support/dns.ts'
import { createDnsResolver, type DnsResolver } from '../lib/resolver.ts'
import { makeDkimKey } from './dkim-key.ts'
import { dkimRecord } from './dns-records.ts'
import { checkDomain, type DomainChecks, type DomainUnderCheck } from './domain-checks.ts'
import { type DomainHealth, type DomainHistory, decideDomain } from './domain-health.ts'
import type { CheckFault, CheckStatus } from './judge-records.ts'

const DOMAIN: DomainUnderCheck = {
  domain: 'shop.test',
  verificationToken: 'tok',
  dkim: { selector: 'mdk-1', publicKey: 'QUJD'.repeat(90) },
}
const PUBLISHED = `v=DKIM1; k=rsa; p=${DOMAIN.dkim?.publicKey}`

const COMPLETE: Zone = {
  'shop.test': { MX: [{ exchange: 'mx.shop.test', priority: 10 }], TXT: ['other=1', 'v=spf1 include:relay.test -all'] },
  'mdk-1._domainkey.shop.test': { TXT: [PUBLISHED] },
  '_dmarc.shop.test': { TXT: ['v=DMARC1; p=reject'] },
  '_mdk.shop.test': { TXT: ['mdk-verify=tok'] },
}

let dns: TestDns
let resolver: DnsResolver
before(async () => {
  dns = await startTestDns()
  resolver = createDnsResolver([dns.server])
})
after(async () => {
  resolver.close()
  await dns.stop()
})

async function statuses(zone: Zone, domain = DOMAIN): Promise<Record<string, CheckStatus>> {
  dns.zone = zone
  const checks = await checkDomain(domain, resolver, 10_000)
  return Object.fromEntries(Object.entries(checks).map(([name, { status }]) => [name, status]))
}

const RIGHT = { status: 'pass', fault: null, others: [], alias: null }
const ALL_PASS = { mx: 'pass', spf: 'pass', dkim: 'pass', dmarc: 'pass', verification: 'pass' }

test('a domain that has everything passes everything', async () => {
  dns.zone = COMPLETE
  assert.deepEqual(await checkDomain(DOMAIN, resolver, 10_000), {
    mx: { ...RIGHT, found: ['10 mx.shop.test'], expected: 'at least one MX record that names a host' },
    spf: {
      ...RIGHT,
      found: ['v=spf1 include:relay.test -all'],
      others: ['other=1'],
      expected: 'one TXT record that begins with v=spf1 and does not allow everyone',
    },
    dkim: { ...RIGHT, found: [PUBLISHED], expected: PUBLISHED },
    dmarc: {
      ...RIGHT,
      found: ['v=DMARC1; p=reject'],
      expected: 'one TXT record at _dmarc that begins with v=DMARC1 and has a policy (p=none, quarantine or reject)',
    },
    verification: { ...RIGHT, found: ['mdk-verify=tok'], expected: 'mdk-verify=tok' },
  })
})

test('a thousand characters are shown of a record, and all of it counts', async () => {
  const record = (length: number) => `v=spf1 ${'a'.repeat(length - 'v=spf1  -all'.length)} -all`
  for (const length of [1_000, 1_001]) {
    dns.zone = { ...COMPLETE, 'shop.test': { TXT: [record(length)] } }
    const { spf } = await checkDomain(DOMAIN, resolver, 10_000)
    assert.deepEqual([spf.status, spf.found], ['pass', [record(length).slice(0, 1_000)]])
  }
})

test('a domain that has nothing misses everything', async () => {
  const nothing = { mx: 'missing', spf: 'missing', dkim: 'missing', dmarc: 'missing', verification: 'missing' }
  assert.deepEqual(await statuses({}), nothing)
  assert.deepEqual(await statuses({ 'shop.test': { A: ['192.0.2.1'] } }), nothing)
})

const CASES: [name: string, at: string, records: NameRecords, check: keyof DomainChecks, status: CheckStatus][] = [
  ['a null MX', 'shop.test', { MX: [{ exchange: '', priority: 0 }] }, 'mx', 'wrong'],
  ['two SPF records', 'shop.test', { TXT: ['v=spf1 -all', 'v=spf1 ~all'] }, 'spf', 'wrong'],
  ['an SPF record for everyone', 'shop.test', { TXT: ['v=spf1 +all'] }, 'spf', 'wrong'],
  ['an SPF record for everyone, unsigned', 'shop.test', { TXT: ['v=spf1 mx all'] }, 'spf', 'wrong'],
  ['an SPF record in pieces', 'shop.test', { TXT: [['v=spf1 in', 'clude:a.test ~all']] }, 'spf', 'pass'],
  ['something that only looks like SPF', 'shop.test', { TXT: ['v=spf10 -all'] }, 'spf', 'missing'],
  [
    'a key in pieces and blanks',
    'mdk-1._domainkey.shop.test',
    { TXT: [PUBLISHED.replace('p=', 'p= ')] },
    'dkim',
    'pass',
  ],
  ['a key without version', 'mdk-1._domainkey.shop.test', { TXT: [PUBLISHED.slice(10)] }, 'dkim', 'pass'],
  ['a revoked key', 'mdk-1._domainkey.shop.test', { TXT: ['v=DKIM1; p='] }, 'dkim', 'wrong'],
  ['a foreign key', 'mdk-1._domainkey.shop.test', { TXT: ['v=DKIM1; k=rsa; p=QUJD'] }, 'dkim', 'wrong'],
  [
    'a key of another kind',
    'mdk-1._domainkey.shop.test',
    { TXT: [PUBLISHED.replace('rsa', 'ed25519')] },
    'dkim',
    'wrong',
  ],
  ['two keys', 'mdk-1._domainkey.shop.test', { TXT: [PUBLISHED, 'v=DKIM1; p=QUJD'] }, 'dkim', 'wrong'],
  ['a DMARC record without policy', '_dmarc.shop.test', { TXT: ['v=DMARC1; rua=mailto:a@b.test'] }, 'dmarc', 'wrong'],
  ['two DMARC records', '_dmarc.shop.test', { TXT: ['v=DMARC1; p=none', 'v=DMARC1; p=none'] }, 'dmarc', 'wrong'],
  ['a DMARC record with blanks', '_dmarc.shop.test', { TXT: ['v = DMARC1 ; p = None'] }, 'dmarc', 'pass'],
  ['a foreign verification', '_mdk.shop.test', { TXT: ['mdk-verify=other'] }, 'verification', 'wrong'],
  [
    'two verifications, one ours',
    '_mdk.shop.test',
    { TXT: ['mdk-verify=old', 'mdk-verify=tok'] },
    'verification',
    'pass',
  ],
]

describe('each check on its own', () => {
  for (const [name, at, records, check, status] of CASES) {
    test(`${name}: ${check} ${status}`, async () => {
      const zone = { ...COMPLETE, [at]: { ...(COMPLETE[at] as NameRecords), ...records } }
      assert.deepEqual(await statuses(zone), { ...ALL_PASS, [check]: status })
    })
  }
})

test("a subdomain stands under its parent's DMARC record", async () => {
  const zone = { '_dmarc.shop.test': { TXT: ['v=DMARC1; p=quarantine'] } }
  assert.equal((await statuses(zone, { ...DOMAIN, domain: 'a.b.shop.test' })).dmarc, 'pass')
  assert.equal(dns.questions.includes('TXT _dmarc.test'), false)
})

test('a domain without key misses DKIM, and nothing is asked', async () => {
  const asked = dns.questions.length
  assert.deepEqual(await statuses(COMPLETE, { ...DOMAIN, dkim: null }), { ...ALL_PASS, dkim: 'missing' })
  assert.equal(
    dns.questions.slice(asked).some((question) => question.includes('_domainkey')),
    false,
  )
})

test('a name server that fails is an error of the checks that needed it, and of no other', async () => {
  const zone: Zone = { ...COMPLETE, '_dmarc.shop.test': 'servfail', '_mdk.shop.test': 'refused' }
  assert.deepEqual(await statuses(zone), { ...ALL_PASS, dmarc: 'error', verification: 'error' })
})

test('a name server that is silent is an error when the time is up', async () => {
  dns.zone = { ...COMPLETE, 'shop.test': 'silence' }
  const started = performance.now()
  const { mx, spf, dkim } = await checkDomain(DOMAIN, resolver, 300)
  assert.deepEqual([mx.status, spf.status, dkim.status], ['error', 'error', 'pass'])
  assert.ok(performance.now() - started < 5_000)
})

const BEFORE: DomainHistory = { verified: true, vouched: false, health: 'healthy' }
const HEALTHS: [checks: Partial<Record<keyof DomainChecks, CheckStatus>>, DomainHealth][] = [
  [{}, 'healthy'],
  [{ mx: 'missing' }, 'degraded'],
  [{ mx: 'wrong' }, 'degraded'],
  [{ spf: 'missing' }, 'degraded'],
  [{ dkim: 'wrong' }, 'degraded'],
  [{ dmarc: 'missing' }, 'degraded'],
  [{ mx: 'missing', dmarc: 'missing', dkim: 'missing' }, 'degraded'],
  [{ spf: 'missing', dkim: 'missing' }, 'failing'],
  [{ spf: 'wrong', dkim: 'wrong' }, 'failing'],
  [{ verification: 'missing' }, 'failing'],
  [{ verification: 'wrong' }, 'failing'],
]

function checksWith(statuses: Partial<Record<keyof DomainChecks, CheckStatus>>): DomainChecks {
  const check = (name: keyof DomainChecks) => ({
    ...{ status: statuses[name] ?? ('pass' as const), found: [], expected: '' },
    ...{ fault: null, others: [], alias: null },
  })
  return {
    mx: check('mx'),
    spf: check('spf'),
    dkim: check('dkim'),
    dmarc: check('dmarc'),
    verification: check('verification'),
  }
}

describe('what the checks make of a domain', () => {
  for (const [statuses, health] of HEALTHS) {
    test(`${JSON.stringify(statuses)} is ${health}`, () => {
      assert.equal(decideDomain(BEFORE, checksWith(statuses)).health, health)
      assert.equal(decideDomain({ ...BEFORE, health: 'pending' }, checksWith(statuses)).health, health)
    })
  }

  test('a check without answer leaves the health as it was where it could make a difference', () => {
    for (const health of ['pending', 'healthy', 'degraded', 'failing'] as const) {
      const decide = (statuses: Parameters<typeof checksWith>[0]) =>
        decideDomain({ ...BEFORE, health }, checksWith(statuses)).health
      for (const name of ['mx', 'spf', 'dkim', 'dmarc', 'verification'] as const)
        assert.equal(decide({ [name]: 'error' }), health)
      assert.equal(decide({ spf: 'missing', dkim: 'error' }), health)
      assert.equal(decide({ mx: 'missing', dmarc: 'error' }), 'degraded')
      assert.equal(decide({ spf: 'missing', dkim: 'missing', dmarc: 'error' }), 'failing')
      assert.equal(decide({ verification: 'missing', mx: 'error' }), 'failing')
    }
  })

  test('a verification record that was never there is not gone', () => {
    const unverified = { ...BEFORE, verified: false }
    assert.deepEqual(decideDomain(unverified, checksWith({ verification: 'missing' })), {
      verified: false,
      health: 'healthy',
    })
  })

  test('a domain is verified from the first time its record is found', () => {
    const unverified = { ...BEFORE, verified: false }
    assert.equal(decideDomain(unverified, checksWith({})).verified, true)
    for (const verification of ['missing', 'wrong', 'error'] as const) {
      assert.equal(decideDomain(unverified, checksWith({ verification })).verified, false)
      assert.equal(decideDomain(BEFORE, checksWith({ verification })).verified, true)
    }
    assert.equal(decideDomain(unverified, checksWith({ mx: 'error' })).verified, true)
  })

  test('a domain that an operator vouched for needs no verification record', () => {
    const vouched = { ...BEFORE, vouched: true }
    assert.deepEqual(decideDomain(vouched, checksWith({ verification: 'missing' })), {
      verified: true,
      health: 'healthy',
    })
  })
})

test('a DKIM key is published as its record says, and shows nowhere', async () => {
  const [key, other] = await Promise.all([makeDkimKey(), makeDkimKey()])
  const record = dkimRecord('shop.test', key)
  assert.equal(record.name, `${key.selector}._domainkey.shop.test`)
  assert.notEqual(key.selector, other.selector)
  assert.doesNotMatch(JSON.stringify(key), /PRIVATE/)

  const published = createPublicKey({
    key: Buffer.from(record.value.split('p=')[1] ?? '', 'base64'),
    format: 'der',
    type: 'spki',
  })
  const signature = createSign('sha256').update('x').sign(createPrivateKey(key.privateKey.reveal()))
  assert.ok(createVerify('sha256').update('x').verify(published, signature))

  dns.zone = { ...COMPLETE, [record.name]: { TXT: [record.value] } }
  const { dkim } = await checkDomain({ ...DOMAIN, dkim: key }, resolver, 10_000)
  assert.equal(dkim.status, 'pass')
  assert.equal(dkim.expected, record.value)
})

const KEY_NAME = 'mdk-1._domainkey.shop.test'
type Found = { fault: CheckFault; found?: string[]; others?: string[]; alias?: string }
/** What stands in the way of each, and what is told of it: word for word. */
const FAULTS: [name: string, at: string, records: NameRecords, check: keyof DomainChecks, told: Found][] = [
  ['no record', '_mdk.shop.test', { TXT: [] }, 'verification', { fault: 'nothing' }],
  ['others', 'shop.test', { TXT: ['google=1', 'x'] }, 'spf', { fault: 'others', others: ['google=1', 'x'] }],
  [
    'two',
    'shop.test',
    { TXT: ['v=spf1 a', 'v=spf1 mx'] },
    'spf',
    { fault: 'several', found: ['v=spf1 a', 'v=spf1 mx'] },
  ],
  ['everyone', 'shop.test', { TXT: ['v=spf1 +all'] }, 'spf', { fault: 'allows_everyone', found: ['v=spf1 +all'] }],
  ['quotes', 'shop.test', { TXT: ['"v=spf1 mx"'] }, 'spf', { fault: 'quoted', others: ['"v=spf1 mx"'] }],
  ['a quote behind', KEY_NAME, { TXT: [`${PUBLISHED}"`] }, 'dkim', { fault: 'quoted', found: [`${PUBLISHED}"`] }],
  [
    'quotes that are escaped',
    '_mdk.shop.test',
    { TXT: ['\\"mdk-verify=tok\\"'] },
    'verification',
    { fault: 'quoted', found: ['\\"mdk-verify=tok\\"'] },
  ],
  ['a foreign key', KEY_NAME, { TXT: ['p=QUJD'] }, 'dkim', { fault: 'another_key', found: ['p=QUJD'] }],
  ['no key', KEY_NAME, { TXT: ['p='] }, 'dkim', { fault: 'revoked_key', found: ['p='] }],
  [
    'a token',
    '_mdk.shop.test',
    { TXT: ['mdk-verify=no'] },
    'verification',
    { fault: 'another_token', found: ['mdk-verify=no'] },
  ],
  ['no policy', '_dmarc.shop.test', { TXT: ['v=DMARC1'] }, 'dmarc', { fault: 'no_policy', found: ['v=DMARC1'] }],
  ['a null MX', 'shop.test', { MX: [{ exchange: '', priority: 0 }] }, 'mx', { fault: 'takes_no_mail', found: ['0 .'] }],
  ['an alias of nothing', '_dmarc.shop.test', { CNAME: 'gone.test' }, 'dmarc', { fault: 'alias', alias: 'gone.test' }],
  [
    'an alias of something else',
    '_dmarc.shop.test',
    { CNAME: 'other.test' },
    'dmarc',
    { fault: 'alias', alias: 'other.test', others: ['x=1'] },
  ],
  [
    'an alias of another key',
    KEY_NAME,
    { CNAME: 'key.test' },
    'dkim',
    { fault: 'another_key', alias: 'key.test', found: ['p=QUJE'] },
  ],
]

describe('what is wrong is told, with what was found instead', () => {
  for (const [name, at, records, check, { fault, found = [], others = [], alias = null }] of FAULTS) {
    test(`${check}: ${name}`, async () => {
      const own = at === 'shop.test' ? { ...(COMPLETE[at] as NameRecords), ...records } : records
      dns.zone = { ...COMPLETE, 'other.test': { TXT: ['x=1'] }, 'key.test': { TXT: ['p=QUJE'] }, [at]: own }
      const { expected: _expected, ...told } = (await checkDomain(DOMAIN, resolver, 10_000))[check]
      const status = found.length > 0 ? 'wrong' : 'missing'
      assert.deepEqual(told, { status, fault, found, others, alias })
    })
  }
})

test('an alias that leads to the right record is right', async () => {
  dns.zone = { ...COMPLETE, [KEY_NAME]: { CNAME: 'key.test' }, 'key.test': { TXT: [PUBLISHED] } }
  const { dkim } = await checkDomain(DOMAIN, resolver, 10_000)
  assert.deepEqual([dkim.status, dkim.alias], ['pass', null])
})

test('a DNS that is away is told apart from a record that is not there', async () => {
  dns.zone = { ...COMPLETE, [KEY_NAME]: 'servfail' }
  const { dkim } = await checkDomain(DOMAIN, resolver, 10_000)
  assert.deepEqual([dkim.status, dkim.fault], ['error', 'no_answer'])
})

test('twenty records are shown of a name, and all of them count', async () => {
  const others = Array.from({ length: 30 }, (_, n) => `other=${n}`)
  dns.zone = {
    ...COMPLETE,
    'shop.test': { ...(COMPLETE['shop.test'] as NameRecords), TXT: [...others, 'v=spf1 -all'] },
  }
  const { spf } = await checkDomain(DOMAIN, resolver, 10_000)
  assert.deepEqual([spf.status, spf.others], ['pass', others.slice(0, 20)])
})
