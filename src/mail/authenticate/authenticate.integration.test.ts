import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, beforeEach, describe, test } from 'node:test'
import fc from 'fast-check'
import { dkimSign } from 'mailauth'
import nodemailer from 'nodemailer'
import { HOSTILE_BODIES, HOSTILE_HEADERS } from '../../../test/corpus/hostile-mail.ts'
import { SMALL_ODD_MAIL } from '../../../test/corpus/odd-mail.ts'
import { startTestDns, type TestDns, type Zone } from '../../../test/support/dns.ts'
import { createDnsResolver, type DnsResolver } from '../../lib/resolver.ts'
import { type DkimKey, makeDkimKey } from '../../mailboxes/dkim-key.ts'
import { dkimRecord } from '../../mailboxes/dns-records.ts'
import { createMailAuthenticator, type MailAuthenticator } from './authenticate.ts'
import { signaturesStep } from './authenticate-message.ts'
import { type Authentication, type DmarcPolicy, type DmarcResult, folderFor } from './authentication.ts'

const ENVELOPE = { clientAddress: '192.0.2.10', clientName: 'mx.shop.test', sender: 'bounces@shop.test' }
const STRANGER = { clientAddress: '198.51.100.9', clientName: 'evil.test', sender: 'x@evil.test' }

let dns: TestDns
let resolver: DnsResolver
let authenticator: MailAuthenticator
let key: DkimKey
let zone: Zone

before(async () => {
  dns = await startTestDns()
  resolver = createDnsResolver([dns.server])
  authenticator = createMailAuthenticator({ resolver, threads: 1, timeoutMs: 12_000, heapMiB: 128 })
  key = await makeDkimKey()
})
beforeEach(() => {
  const { name, value } = dkimRecord('shop.test', key)
  zone = {
    'shop.test': { TXT: ['v=spf1 ip4:192.0.2.10 -all'] },
    'evil.test': { TXT: ['v=spf1 +all'] },
    [name]: { TXT: [value] },
    '_dmarc.shop.test': { TXT: ['v=DMARC1; p=reject'] },
  }
  dns.zone = zone
})
after(async () => {
  await authenticator.stop()
  resolver.close()
  await dns.stop()
})

function unsigned(from = 'Shop <info@shop.test>'): Buffer {
  return Buffer.from(`From: ${from}\r\nTo: a@b.test\r\nSubject: hi\r\n\r\nbody\r\n`)
}

async function signed(domain = 'shop.test', from = 'info@shop.test'): Promise<Buffer> {
  const transport = nodemailer.createTransport({ streamTransport: true, buffer: true, newline: 'windows' })
  const dkim = { domainName: domain, keySelector: key.selector, privateKey: key.privateKey.reveal() }
  const { message } = await transport.sendMail({ from, to: 'a@b.test', subject: 'hi', text: 'body\r\n', dkim })
  return Buffer.isBuffer(message) ? message : assert.fail()
}

function authenticate(raw: Buffer, envelope = ENVELOPE): Promise<Authentication> {
  return authenticator.authenticate((most) => [raw.subarray(0, most)], envelope)
}

test('a message that all speak for passes all', async () => {
  const result = await authenticate(await signed())
  assert.deepEqual(result, {
    spf: { result: 'pass', domain: 'shop.test' },
    dkim: { result: 'pass', domain: 'shop.test', selector: key.selector },
    dmarc: { result: 'pass', domain: 'shop.test', policy: 'reject' },
  })
  assert.equal(folderFor(result), 'inbox')
})

test('a message in the name of a domain that forbids it goes to spam', async () => {
  const result = await authenticate(unsigned(), STRANGER)
  assert.deepEqual(result, {
    spf: { result: 'pass', domain: 'evil.test' },
    dkim: { result: 'none', domain: null, selector: null },
    dmarc: { result: 'fail', domain: 'shop.test', policy: 'reject' },
  })
  assert.equal(folderFor(result), 'spam')
})

describe('SPF', () => {
  const cases: [name: string, records: Zone, result: string][] = [
    ['the host is named', { 'shop.test': { TXT: ['v=spf1 ip4:192.0.2.0/24 -all'] } }, 'pass'],
    ['the host is excluded', { 'shop.test': { TXT: ['v=spf1 -all'] } }, 'fail'],
    ['the host is discouraged', { 'shop.test': { TXT: ['v=spf1 ~all'] } }, 'softfail'],
    ['nothing is said of the host', { 'shop.test': { TXT: ['v=spf1 ?all'] } }, 'neutral'],
    ['there is no record', { 'shop.test': { TXT: ['other'] } }, 'none'],
    ['there are two records', { 'shop.test': { TXT: ['v=spf1 -all', 'v=spf1 +all'] } }, 'permerror'],
    ['the name server fails', { 'shop.test': 'servfail' }, 'temperror'],
    [
      'the name server of an included domain fails',
      { 'shop.test': { TXT: ['v=spf1 include:lame.test -all'] }, 'lame.test': 'servfail' },
      'temperror',
    ],
    [
      'the host is an MX',
      {
        'shop.test': { TXT: ['v=spf1 mx -all'], MX: [{ exchange: 'mx.shop.test', priority: 1 }] },
        'mx.shop.test': { A: ['192.0.2.10'] },
      },
      'pass',
    ],
  ]
  for (const [name, records, expected] of cases) {
    test(`${name}: ${expected}`, async () => {
      dns.zone = { ...zone, ...records }
      assert.equal((await authenticate(unsigned())).spf.result, expected)
    })
  }

  test('the null sender is judged by the name that the host called itself', async () => {
    dns.zone = { ...zone, 'mx.shop.test': { TXT: ['v=spf1 ip4:192.0.2.10 -all'] } }
    const { spf } = await authenticate(unsigned(), { ...ENVELOPE, sender: '' })
    assert.deepEqual(spf, { result: 'pass', domain: 'mx.shop.test' })
  })

  test('an IPv4 address in IPv6 form is the IPv4 address', async () => {
    const { spf } = await authenticate(unsigned(), { ...ENVELOPE, clientAddress: '::ffff:192.0.2.10' })
    assert.equal(spf.result, 'pass')
  })
})

describe('DKIM', () => {
  const forged = (raw: Buffer, from: string, to: string) => {
    const text = raw.toString('latin1')
    assert.ok(text.includes(from))
    return Buffer.from(text.replace(from, to), 'latin1')
  }

  test('a changed body fails', async () => {
    assert.equal((await authenticate(forged(await signed(), 'body', 'boby'))).dkim.result, 'fail')
  })

  test('a changed header fails', async () => {
    assert.equal((await authenticate(forged(await signed(), 'Subject: hi', 'Subject: ho'))).dkim.result, 'fail')
  })

  test('a signature without a key is neutral', async () => {
    dns.zone = { ...zone, [`${key.selector}._domainkey.shop.test`]: {} }
    assert.equal((await authenticate(await signed())).dkim.result, 'neutral')
  })

  test('a name server that fails leaves it open', async () => {
    dns.zone = { ...zone, [`${key.selector}._domainkey.shop.test`]: 'servfail' }
    assert.equal((await authenticate(await signed())).dkim.result, 'temperror')
  })

  test('a signature over the beginning of the body does not count', async () => {
    const raw = Buffer.from('From: info@shop.test\r\nSubject: hi\r\n\r\nsigned part\r\n')
    const signer = { signingDomain: 'shop.test', selector: key.selector, privateKey: key.privateKey.reveal() }
    const { signatures } = await dkimSign(raw, {
      ...signer,
      canonicalization: 'relaxed/relaxed',
      signatureData: [{ ...signer, maxBodyLength: 13 }],
    })
    const message = Buffer.concat([Buffer.from(signatures), raw])
    assert.equal((await authenticate(message)).dkim.result, 'pass')
    const longer = Buffer.concat([message, Buffer.from('and a part that a stranger added\r\n')])
    const result = await authenticate(longer, STRANGER)
    assert.equal(result.dkim.result, 'policy')
    assert.equal(result.dmarc.result, 'fail')
  })

  test('the best signature is shown, and no more than five are looked at', async () => {
    const genuine = await signed()
    const forgedField = 'DKIM-Signature: v=1; a=rsa-sha256; d=evil.test; s=s; h=from; bh=AAAA; b=AAAA\r\n'
    const four = await authenticate(Buffer.concat([Buffer.from(forgedField.repeat(4)), genuine]))
    assert.deepEqual(four.dkim, { result: 'pass', domain: 'shop.test', selector: key.selector })
    const five = await authenticate(Buffer.concat([Buffer.from(forgedField.repeat(5)), genuine]))
    assert.equal(five.dkim.result, 'fail')
  })
})

describe('DMARC', () => {
  const cases: [name: string, records: Zone, from: string, result: DmarcResult, policy: DmarcPolicy | null][] = [
    ['no record', { '_dmarc.shop.test': {} }, 'a@shop.test', 'none', null],
    ['monitoring', { '_dmarc.shop.test': { TXT: ['v=DMARC1; p=none'] } }, 'a@shop.test', 'fail', 'none'],
    ['quarantine', { '_dmarc.shop.test': { TXT: ['v=DMARC1; p=Quarantine'] } }, 'a@shop.test', 'fail', 'quarantine'],
    ['a subdomain under its parent', {}, 'a@news.shop.test', 'fail', 'reject'],
    [
      'a subdomain with a policy for subdomains',
      { '_dmarc.shop.test': { TXT: ['v=DMARC1; p=reject; sp=none'] } },
      'a@news.shop.test',
      'fail',
      'none',
    ],
    ['a name server that fails', { '_dmarc.shop.test': 'servfail' }, 'a@shop.test', 'temperror', null],
    ['a domain of its own', { '_dmarc.evil.test': { TXT: ['v=DMARC1; p=reject'] } }, 'a@evil.test', 'pass', 'reject'],
    ['two addresses, one of them forbidden', {}, 'a@evil.test, b@shop.test', 'fail', 'reject'],
    ['no address', {}, 'the boss', 'none', null],
  ]
  for (const [name, records, from, result, policy] of cases) {
    test(`${name}: ${result}`, async () => {
      dns.zone = { ...zone, ...records }
      const verdict = (await authenticate(unsigned(from), STRANGER)).dmarc
      assert.deepEqual([verdict.result, verdict.policy], [result, policy])
    })
  }

  test('two From fields are judged together', async () => {
    const raw = Buffer.concat([Buffer.from('From: a@evil.test\r\n'), unsigned()])
    assert.partialDeepStrictEqual((await authenticate(raw, STRANGER)).dmarc, { result: 'fail', domain: 'shop.test' })
  })

  test('strict alignment refuses what relaxed alignment takes', async () => {
    const raw = unsigned('a@shop.test')
    const envelope = { ...ENVELOPE, sender: 'x@mail.shop.test' }
    dns.zone = { ...zone, 'mail.shop.test': { TXT: ['v=spf1 ip4:192.0.2.10 -all'] } }
    assert.equal((await authenticate(raw, envelope)).dmarc.result, 'pass')
    dns.zone = { ...dns.zone, '_dmarc.shop.test': { TXT: ['v=DMARC1; p=reject; aspf=s; adkim=s'] } }
    assert.equal((await authenticate(raw, envelope)).dmarc.result, 'fail')
    assert.equal((await authenticate(raw)).dmarc.result, 'pass')
    assert.equal((await authenticate(await signed(), STRANGER)).dmarc.result, 'pass')
    assert.equal((await authenticate(await signed('shop.test', 'a@news.shop.test'), STRANGER)).dmarc.result, 'fail')
  })

  test("a name server that fails to answer for the domain's own proof leaves it open", async () => {
    dns.zone = { ...zone, 'shop.test': 'servfail' }
    const result = await authenticate(unsigned())
    assert.equal(result.dmarc.result, 'temperror')
    assert.equal(folderFor(result), 'inbox')

    dns.zone = { ...zone, [`${key.selector}._domainkey.shop.test`]: 'servfail' }
    assert.equal((await authenticate(await signed(), STRANGER)).dmarc.result, 'temperror')
  })

  test("a stranger's silent name servers and impossible selectors do not save a forgery", async () => {
    dns.zone = { ...zone, 'evil.test': 'silence', 's._domainkey.evil.test': 'silence' }
    const fields = [`d=shop.test; s=${'x'.repeat(70)}`, 'd=shop.test; s=a..b', 'd=evil.test; s=s'].map(
      (tags) => `DKIM-Signature: v=1; a=rsa-sha256; ${tags}; h=from; bh=${BODY_HASH}; b=AAAA\r\n`,
    )
    const started = performance.now()
    const result = await authenticate(Buffer.concat([Buffer.from(fields.join('')), unsigned()]), STRANGER)
    assert.equal(result.spf.result, 'temperror')
    assert.equal(folderFor(result), 'spam')
    assert.ok(performance.now() - started < 12_000)
  })
})

/** Of `body\r\n`, simple: so that the key is looked up at all. */
const BODY_HASH = createHash('sha256').update('body\r\n').digest('base64')

test('where a message goes', () => {
  const policies: (DmarcPolicy | null)[] = ['reject', 'quarantine', 'none', null]
  for (const result of ['none', 'pass', 'fail', 'temperror', 'permerror'] as const) {
    for (const policy of policies) {
      const authentication: Authentication = {
        spf: { result: 'none', domain: null },
        dkim: { result: 'none', domain: null, selector: null },
        dmarc: { result, domain: 'x', policy },
      }
      const spam = result === 'fail' && (policy === 'reject' || policy === 'quarantine')
      assert.equal(folderFor(authentication), spam ? 'spam' : 'inbox')
    }
  }
})

test('no field of a message reaches the prototype of objects', async () => {
  const arc = [
    'ARC-Seal: i=1; a=rsa-sha256; cv=none; d=x.test; s=s; b=aa',
    'ARC-Message-Signature: i=1; a=rsa-sha256; d=x.test; s=s; h=from; bh=aa; b=aa',
    'arc-authentication-results : i=1; x.test; spf=pass __proto__.poisoned=yes',
    'Authentication-Results: x.test; spf=pass __proto__.poisoned=yes',
    'DKIM-Signature: v=1; __proto__=x; __proto__.poisoned=yes; d=x.test; s=s; h=from; bh=aa; b=aa',
  ]
  const raw = Buffer.concat([Buffer.from(`${arc.join('\r\n')}\r\n`), unsigned()])
  await signaturesStep(raw, new Map())
  assert.equal(({} as { poisoned?: string }).poisoned, undefined)
})

test('a message made so that verifying takes for ever is judged without its signatures, in bounded time', async () => {
  const hasty = createMailAuthenticator({ resolver, threads: 1, timeoutMs: 5_000, heapMiB: 128 })
  try {
    const fields = [1, 2, 3, 4, 5].map(
      (l) =>
        `DKIM-Signature: v=1; a=rsa-sha256; c=relaxed/relaxed; d=evil.test; s=s; l=2${l}000000; h=from; bh=A; b=A\r\n`,
    )
    const raw = Buffer.concat([Buffer.from(fields.join('')), unsigned(), Buffer.alloc(24_000_000, 'x \r\n')])
    const started = performance.now()
    const result = await hasty.authenticate((most) => [raw.subarray(0, most)], STRANGER)
    assert.equal(result.dkim.result, 'permerror')
    assert.equal(folderFor(result), 'spam')
    assert.ok(performance.now() - started < 20_000)
  } finally {
    await hasty.stop()
  }
})

describe('a message is authenticated in a time that its length bounds, with a header of', () => {
  for (const [name, shape] of Object.entries(HOSTILE_HEADERS)) {
    test(name, async () => {
      const raw = Buffer.concat([Buffer.from('From: info@shop.test\r\n'), Buffer.from(shape(400_000))])
      assert.equal(folderFor(await authenticate(raw, STRANGER)), 'spam')
    })
  }
})

describe('a signed message is authenticated in a time that its length bounds, with a body of', () => {
  const shapes = {
    ...HOSTILE_BODIES,
    'one line': (bytes: number) => `\r\n${'x'.repeat(bytes)}`,
    'line feeds alone': (bytes: number) => `\r\n${'\n'.repeat(bytes)}`,
    'carriage returns': (bytes: number) => `\r\n${'\r'.repeat(bytes)}x`,
  }
  for (const [name, shape] of Object.entries(shapes)) {
    test(name, async () => {
      const canons = ['relaxed/relaxed', 'simple/simple', 'relaxed/simple']
      const fields = canons.map(
        (c) => `DKIM-Signature: v=1; a=rsa-sha256; c=${c}; d=evil.test; s=s; h=from; bh=x; b=x\r\n`,
      )
      const raw = Buffer.from(`${fields.join('')}From: info@shop.test\r\n${shape(4_000_000)}`)
      assert.equal(folderFor(await authenticate(raw, STRANGER)), 'spam')
    })
  }
})

test('a sender whose name servers dawdle keeps no thread from others', async () => {
  const { promise, resolve: answer } = Promise.withResolvers<never>()
  const lazy: Pick<DnsResolver, 'query'> = {
    query: (name, type) => (name === 'evil.test' ? promise : resolver.query(name, type)),
  }
  const patient = createMailAuthenticator({ resolver: lazy, threads: 1, timeoutMs: 30_000, heapMiB: 128 })
  try {
    const raw = unsigned()
    const dawdling = patient.authenticate(() => [raw], STRANGER)
    assert.equal((await patient.authenticate(() => [raw], ENVELOPE)).dmarc.result, 'pass')
    answer({ kind: 'none' } as never)
    assert.equal((await dawdling).dmarc.result, 'fail')
  } finally {
    await patient.stop()
  }
})

test('a signed message is read once, however many keys are asked for, and no question is asked twice', async () => {
  const raw = await signed()
  const before = dns.questions.length
  let opened = 0
  const open = (most?: number) => {
    if (most === undefined) opened += 1
    return [raw]
  }
  assert.equal((await authenticator.authenticate(open, ENVELOPE)).dkim.result, 'pass')
  assert.equal(opened, 1)
  const asked = dns.questions.slice(before)
  assert.equal(new Set(asked).size, asked.length)
})

test('odd mail of every kind and its mutations come to a result that can be stored', async () => {
  const anyMail = fc.constantFrom(...SMALL_ODD_MAIL.map(({ raw }) => raw))
  const header = fc.constantFrom(
    'DKIM-Signature: ',
    'From: ',
    'ARC-Seal: i=1; ',
    'd=a\0b; s=\ud800; h=from; bh=x; b=y; ',
  )
  await fc.assert(
    fc.asyncProperty(anyMail, fc.array(fc.oneof(header, fc.string())), fc.string(), async (raw, fields, sender) => {
      const message = Buffer.concat([Buffer.from(fields.join('')), raw])
      const result = await authenticate(message, { ...STRANGER, sender, clientName: sender })
      assert.doesNotMatch(JSON.stringify(result), /\\u0000|\\ud[89a-f]/i)
    }),
    { numRuns: 200 },
  )
})
