import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseNetwork } from '../network.ts'
import { checkUrl, type UrlFault } from './url.ts'

const NOTHING = [] as const
const LOOPBACK = ['127.0.0.0/8', '::1'].map(parseNetwork)

const ACCEPTED: readonly [given: string, canonical: string][] = [
  ['https://example.com', 'https://example.com/'],
  ['https://example.com/hook?a=1&b=%20', 'https://example.com/hook?a=1&b=%20'],
  ['HTTPS://EXAMPLE.com/Hook', 'https://example.com/Hook'],
  ['https://example.com:443/', 'https://example.com/'],
  ['https://example.com:1024/', 'https://example.com:1024/'],
  ['https://example.com:8443/', 'https://example.com:8443/'],
  ['https://example.com:65535/', 'https://example.com:65535/'],
  ['https://hooks_1.example.com/', 'https://hooks_1.example.com/'],
  ['https://bücher.example/straße', 'https://xn--bcher-kva.example/stra%C3%9Fe'],
  ['https://8.8.8.8/', 'https://8.8.8.8/'],
  ['https://[2606:4700:4700::1111]/', 'https://[2606:4700:4700::1111]/'],
  ['https://[2606:4700:4700::1111]:8443/', 'https://[2606:4700:4700::1111]:8443/'],
  ['https://example.com/a/../b', 'https://example.com/b'],
  ['https://localhost.example.com/', 'https://localhost.example.com/'],
]

const REFUSED: readonly [given: string, fault: UrlFault][] = [
  // No absolute https URL.
  ['', 'form'],
  ['example.com', 'form'],
  ['//example.com/', 'form'],
  ['https:example.com', 'form'],
  ['https:/example.com', 'form'],
  ['https:///example.com', 'form'],
  ['https://', 'form'],
  ['https://?', 'form'],
  ['https://:443/', 'form'],
  ['https://[::1/', 'form'],
  ['https://[fe80::1%25eth0]/', 'form'],
  ['https://[fe80::1%eth0]/', 'form'],
  ['https://1.2.3.4.5/', 'form'],
  ['https://256.1.1.1/', 'form'],
  ['https://example.com:65536/', 'form'],
  ['https://example.com:port/', 'form'],
  ['https://exa%00mple.com/', 'form'],
  ['https://exa<mple.com/', 'form'],
  ['http://example.com/', 'scheme'],
  ['ftp://example.com/', 'scheme'],
  ['file:///etc/passwd', 'form'],
  ['gopher://example.com/', 'scheme'],
  ['javascript://example.com/%0aalert(1)', 'scheme'],
  ['ws://example.com/', 'scheme'],
  [`https://example.com/${'a'.repeat(2048)}`, 'too_long'],
  // Characters that parsers disagree about.
  [' https://example.com/', 'characters'],
  ['https://example.com/ ', 'characters'],
  ['https://exam\tple.com/', 'characters'],
  ['https://example.com/\r\nHost: other', 'characters'],
  ['https://example.com/\0', 'characters'],
  ['https://example.com\\@10.0.0.1/', 'characters'],
  ['https:\\\\example.com/', 'characters'],
  ['https://example.com\u00a0/', 'characters'],
  ['https://local\u00adhost/', 'characters'],
  ['https://exam\u200bple.com/', 'characters'],
  ['https://example.com/\u202egnp', 'characters'],
  ['\ufeffhttps://example.com/', 'characters'],
  ['https://example.com/\ud800', 'characters'],
  // User information.
  ['https://user:password@example.com/', 'userinfo'],
  ['https://user@example.com/', 'userinfo'],
  ['https://@example.com/', 'userinfo'],
  ['https://example.com@10.0.0.1/', 'userinfo'],
  ['https://127.0.0.1#@example.com/', 'address'],
  // Ports.
  ['https://example.com:0/', 'port'],
  ['https://example.com:22/', 'port'],
  ['https://example.com:25/', 'port'],
  ['https://example.com:80/', 'port'],
  ['https://example.com:1023/', 'port'],
  ['https://example.com:2375/', 'port'],
  ['https://example.com:2525/', 'port'],
  ['https://example.com:3306/', 'port'],
  ['https://example.com:5432/', 'port'],
  ['https://example.com:6379/', 'port'],
  ['https://example.com:9200/', 'port'],
  ['https://example.com:11211/', 'port'],
  ['https://example.com:27017/', 'port'],
  // Names.
  ['https://intranet/', 'host'],
  ['https://com/', 'host'],
  ['https://example.com./', 'host'],
  ['https://localhost./', 'host'],
  ['https://example..com/', 'host'],
  ['https://.example.com/', 'host'],
  ['https://-example.com/', 'host'],
  ['https://exa!mple.com/', 'host'],
  ['https://*.example.com/', 'host'],
  [`https://${'a'.repeat(64)}.com/`, 'host'],
  [`https://${'a.'.repeat(130)}com/`, 'host'],
  ['https://lоcalhost/', 'host'], // A Cyrillic о.
  ['https://localhost/', 'address'],
  ['https://LOCALHOST/', 'address'],
  ['https://app.localhost/', 'address'],
  ['https://ⓛⓞⓒⓐⓛⓗⓞⓢⓣ/', 'address'],
  ['https://ｌｏｃａｌｈｏｓｔ/', 'address'],
  ['https://%6c%6f%63%61%6c%68%6f%73%74/', 'address'],
  // IPv4 in other spellings, whatever it stands for.
  ['https://2130706433/', 'host'],
  ['https://0x7f000001/', 'host'],
  ['https://017700000001/', 'host'],
  ['https://0177.0.0.1/', 'host'],
  ['https://0x7f.0.0.1/', 'host'],
  ['https://127.1/', 'host'],
  ['https://127.0.1/', 'host'],
  ['https://0/', 'host'],
  ['https://127.0.0.1./', 'host'],
  ['https://127.000.000.001/', 'host'],
  ['https://１２７.0.0.1/', 'host'],
  ['https://127。0。0。1/', 'host'],
  ['https://%31%32%37.0.0.1/', 'host'],
  ['https://134744072/', 'host'],
  ['https://0x08080808/', 'host'],
  // Literal addresses.
  ['https://127.0.0.1/', 'address'],
  ['https://127.0.0.1:8443/', 'address'],
  ['https://0.0.0.0/', 'address'],
  ['https://10.0.0.1/', 'address'],
  ['https://100.64.0.1/', 'address'],
  ['https://169.254.169.254/latest/meta-data/', 'address'],
  ['https://192.168.1.1/', 'address'],
  ['https://198.18.0.1/', 'address'],
  ['https://203.0.113.5/', 'address'],
  ['https://224.0.0.1/', 'address'],
  ['https://255.255.255.255/', 'address'],
  ['https://[::]/', 'address'],
  ['https://[::1]/', 'address'],
  ['https://[0:0:0:0:0:0:0:1]/', 'address'],
  ['https://[::ffff:127.0.0.1]/', 'address'],
  ['https://[::ffff:8.8.8.8]/', 'address'],
  ['https://[::127.0.0.1]/', 'address'],
  ['https://[64:ff9b::7f00:1]/', 'address'],
  ['https://[2002:7f00:1::]/', 'address'],
  ['https://[2001:0:53aa:64c::1]/', 'address'],
  ['https://[2606:4700::5efe:7f00:1]/', 'address'],
  ['https://[fd00::1]/', 'address'],
  ['https://[fe80::1]/', 'address'],
  ['https://[ff02::1]/', 'address'],
  ['https://[2001:db8::1]/', 'address'],
]

for (const [given, canonical] of ACCEPTED) {
  test(`${shown(given)} is accepted`, () => {
    const check = checkUrl(given, NOTHING)
    assert.ok(check.ok, JSON.stringify(check))
    assert.equal(check.target.href, canonical)
  })
}

for (const [given, fault] of REFUSED) {
  test(`${shown(given)} is refused for its ${fault}`, () => {
    const check = checkUrl(given, NOTHING)
    assert.ok(!check.ok, JSON.stringify(check))
    assert.equal(check.fault, fault, check.message)
    assert.match(check.message, /^must /)
  })
}

const WITH_LOOPBACK: readonly [given: string, expected: readonly string[] | undefined | UrlFault][] = [
  ['http://127.0.0.1:39999/hook', ['127.0.0.1']],
  ['https://127.0.0.1:39999/hook', ['127.0.0.1']],
  ['http://127.0.0.1/', ['127.0.0.1']],
  ['http://[::1]:39999/', ['::1']],
  ['http://localhost:39999/', ['127.0.0.1', '::1']],
  ['http://app.localhost:39999/', ['127.0.0.1', '::1']],
  ['http://hooks.example.com/', undefined],
  ['http://8.8.8.8/', 'address'],
  ['http://10.0.0.1/', 'address'],
  ['https://10.0.0.1/', 'address'],
  ['http://[::ffff:127.0.0.1]/', 'address'],
  ['http://2130706433:39999/', 'host'],
  ['http://127.1:39999/', 'host'],
  ['http://user@127.0.0.1:39999/', 'userinfo'],
  ['http://127.0.0.1:25/', 'port'],
  ['http://127.0.0.1:6379/', 'port'],
  ['https://127.0.0.1:80/', 'port'],
  ['http://intranet/', 'host'],
]
for (const [given, expected] of WITH_LOOPBACK) {
  test(`with loopback allowed, ${given} ${typeof expected === 'string' ? `is refused for its ${expected}` : 'passes'}`, () => {
    const check = checkUrl(given, LOOPBACK)
    if (typeof expected === 'string') assert.equal(check.ok ? undefined : check.fault, expected)
    else assert.deepEqual(check.ok ? check.target.addresses : check, expected)
  })
}

test('localhost leads only to the loopback addresses that are allowed', () => {
  const check = checkUrl('http://localhost:39999/', ['127.0.0.1'].map(parseNetwork))
  assert.deepEqual(check.ok && check.target.addresses, ['127.0.0.1'])
})

test('a URL of 2048 characters is accepted and one more is not', () => {
  const url = (length: number) => 'https://example.com/'.padEnd(length, 'a')
  assert.ok(checkUrl(url(2048), NOTHING).ok)
  assert.ok(!checkUrl(url(2049), NOTHING).ok)
})

test('what is sent is the path and query alone', () => {
  const check = checkUrl('https://example.com/hook/é?x=1#part', NOTHING)
  assert.equal(check.ok && check.target.path, '/hook/%C3%A9?x=1')
})

function shown(url: string): string {
  return JSON.stringify(url.length > 60 ? `${url.slice(0, 60)}…` : url)
}
