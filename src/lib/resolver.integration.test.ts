import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestDns, type TestDns } from '../../test/support/dns.ts'
import { createDnsResolver, type DnsResolver } from './resolver.ts'

let dns: TestDns
let resolver: DnsResolver

before(async () => {
  dns = await startTestDns({
    'mail.test': {
      A: ['192.0.2.1', '192.0.2.2'],
      AAAA: ['2001:db8::1'],
      MX: [{ exchange: 'mx.mail.test', priority: 10 }],
      TXT: ['short', ['in', 'pieces'], 'x'.repeat(300)],
    },
    'large.test': { TXT: Array.from({ length: 60 }, (_, i) => `${i} ${'x'.repeat(100)}`) },
    'empty.test': {},
    'broken.test': 'servfail',
    'refused.test': 'refused',
    'silent.test': 'silence',
    '1.2.0.192.in-addr.arpa': { PTR: ['mail.test'] },
  })
  resolver = createDnsResolver([dns.server])
})

after(async () => {
  resolver.close()
  await dns.stop()
})

test('records of each type come as they are', async () => {
  assert.deepEqual(await resolver.query('mail.test', 'A'), { kind: 'records', records: ['192.0.2.1', '192.0.2.2'] })
  assert.deepEqual(await resolver.query('mail.test', 'AAAA'), { kind: 'records', records: ['2001:db8::1'] })
  assert.deepEqual(await resolver.query('1.2.0.192.in-addr.arpa', 'PTR'), { kind: 'records', records: ['mail.test'] })
  const mx = await resolver.query('mail.test', 'MX')
  assert.partialDeepStrictEqual(mx, { kind: 'records', records: [{ exchange: 'mx.mail.test', priority: 10 }] })
  const txt = await resolver.query('mail.test', 'TXT')
  assert.deepEqual(txt, { kind: 'records', records: [['short'], ['in', 'pieces'], ['x'.repeat(255), 'x'.repeat(45)]] })
})

test('the addresses of a name are those of both families', async () => {
  assert.deepEqual(await resolver.addresses('mail.test'), {
    kind: 'records',
    records: ['192.0.2.1', '192.0.2.2', '2001:db8::1'].map((address) => ({ address, ttl: 60 })),
  })
  assert.deepEqual(await resolver.addresses('large.test'), { kind: 'none' })
  assert.deepEqual(await resolver.addresses('broken.test'), { kind: 'failed', code: 'ESERVFAIL' })
})

test('an answer too long for a datagram is fetched over TCP', async () => {
  const answer = await resolver.query('large.test', 'TXT')
  assert.equal(answer.kind === 'records' && answer.records.length, 60)
})

test('a name without such records, a name that does not exist and a name that is none all have no records', async () => {
  for (const name of ['empty.test', 'absent.test', `${'a'.repeat(64)}.mail.test`, 'a..b', '']) {
    assert.deepEqual(await resolver.query(name, 'TXT'), { kind: 'none' }, name)
  }
})

test('a server that fails or does not answer is no answer, in bounded time', async () => {
  const started = performance.now()
  const answers = await Promise.all(['broken.test', 'refused.test', 'silent.test'].map((n) => resolver.query(n, 'TXT')))
  assert.deepEqual(answers, [
    { kind: 'failed', code: 'ESERVFAIL' },
    { kind: 'failed', code: 'EREFUSED' },
    { kind: 'failed', code: 'ETIMEOUT' },
  ])
  assert.ok(performance.now() - started < 6_000)
})

test('closing ends what is under way', async () => {
  const closing = createDnsResolver([dns.server])
  const asked = closing.query('silent.test', 'A')
  closing.close()
  assert.deepEqual(await asked, { kind: 'failed', code: 'ECANCELLED' })
})
