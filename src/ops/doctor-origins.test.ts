import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readConfig } from '../config.ts'
import { checkOrigins } from './doctor-origins.ts'

const urls = (api?: string, console?: string, webmail?: string, more: Record<string, string> = {}) =>
  readConfig({
    ...(api ? { MDK_PUBLIC_URL: api } : {}),
    ...(console ? { MDK_CONSOLE_URL: console } : {}),
    ...(webmail ? { MDK_WEBMAIL_URL: webmail } : {}),
    ...more,
  })

const cases: [string, ReturnType<typeof urls>, 'ok' | 'warn', RegExp][] = [
  ['nothing is configured, on this machine', urls(), 'ok', /this machine alone/],
  [
    'ports of this machine',
    urls('http://localhost:1', 'http://localhost:2', 'http://127.0.0.1:3'),
    'ok',
    /this machine/,
  ],
  ['three names', urls('https://api.test', 'https://console.test', 'https://mail.test'), 'ok', /three host names/],
  [
    'two share a name',
    urls('https://a.test', 'https://b.test:1', 'https://b.test:2'),
    'warn',
    /CONSOLE_URL and MDK_WEBMAIL/,
  ],
  [
    'the API shares one',
    urls('https://a.test/mail', 'https://a.test:1', 'https://b.test'),
    'warn',
    /PUBLIC_URL and MDK_CON/,
  ],
  ['plain http', urls('https://a.test', 'http://b.test', 'https://c.test'), 'warn', /plain http: MDK_CONSOLE_URL/],
  ['one is missing', urls('https://a.test', 'https://b.test'), 'warn', /not given: MDK_WEBMAIL_URL/],
  [
    'everybody reaches it',
    urls(undefined, undefined, undefined, { MDK_HOST: '0.0.0.0' }),
    'warn',
    /not given: MDK_PUBLIC/,
  ],
]
for (const [what, config, result, found] of cases) {
  test(`addresses of browsers: ${what}`, () => {
    const check = checkOrigins(config)
    assert.equal(check.result, result, check.found)
    assert.match(check.found, found)
    assert.equal(check.repair !== undefined, result === 'warn')
  })
}
