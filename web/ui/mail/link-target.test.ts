import assert from 'node:assert/strict'
import { test } from 'node:test'
import { leadsElsewhere, safeTarget } from './link-target.ts'

test('a link of a message leads to the web, to an address or to a telephone, and never into this site', () => {
  for (const href of ['https://a.test/', 'HTTP://a.test', 'mailto:ada@a.test', 'tel:+491234']) {
    assert(safeTarget(href), href)
  }
  const others = [
    'javascript:alert(1)',
    'data:text/html,x',
    'ftp://a.test',
    '/sign-in',
    '//a.test',
    '#top',
    'a',
    '',
    null,
  ]
  for (const href of others) assert.equal(safeTarget(href), undefined, String(href))
})

const CASES: readonly (readonly [words: string, href: string, leads: string | undefined])[] = [
  ['https://bank.example/login', 'https://evil.test/', 'evil.test'],
  ['www.bank.example', 'https://evil.test/www.bank.example', 'evil.test'],
  ['bank.example', 'https://bank.example.evil.test/', 'bank.example.evil.test'],
  ['bank.example', 'https://bank.example@evil.test/', 'evil.test'],
  ['Go to http://bank.example now', 'http://127.0.0.1/', '127.0.0.1'],
  ['ba\u200bnk.exam\u00adple', 'https://evil.test', 'evil.test'],
  ['bank．example', 'https://evil.test', 'evil.test'],
  ['bücher.example', 'https://xn--bcher-kva.example/', undefined],
  ['xn--bcher-kva.example', 'https://bücher.example/', undefined],
  ['bank.example', 'https://bаnk.example/', 'xn--bnk-6cd.example'],
  ['BANK.example', 'https://www.bank.example/a?b#c', undefined],
  ['www.bank.example/a', 'https://bank.example', undefined],
  ['https://bank.example', 'https://login.bank.example', undefined],
  ['https://login.bank.example', 'https://bank.example', undefined],
  ['https://bank.example https://evil.test', 'https://evil.test/', 'evil.test'],
  ['https://evil.test www.bank.example', 'https://evil.test/', 'evil.test'],
  ['https://bank.example, www.bank.example/a', 'https://login.bank.example/', undefined],
  ['ada@bank.example', 'mailto:ada@evil.test', 'evil.test'],
  ['ada@bank.example', 'mailto:ada@bank.example?subject=x', undefined],
  ['ada@bank.example', 'https://evil.test', 'evil.test'],
  ['bank.example', 'tel:+49', undefined],
  ['Read more', 'https://evil.test', undefined],
  ['Invoice.pdf', 'https://shop.test', undefined],
  ['3.5', 'https://shop.test', undefined],
  ['', 'https://shop.test', undefined],
]

test('a link whose words name another host than it leads to is told from one that does not', () => {
  for (const [words, href, leads] of CASES) {
    assert.equal(leadsElsewhere(words, safeTarget(href) as URL), leads, `${words} → ${href}`)
  }
})

test('long words are looked at in no time', () => {
  const target = safeTarget('https://evil.test') as URL
  const started = performance.now()
  for (const words of ['a.'.repeat(500_000), 'http://'.repeat(200_000), `${'a-'.repeat(400_000)}@`, '@'.repeat(1e6)]) {
    leadsElsewhere(words, target)
  }
  assert(performance.now() - started < 1_000)
})
