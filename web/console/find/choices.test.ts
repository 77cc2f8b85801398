import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { FoundThing } from '../../../src/servers/console/found-schemas.ts'
import { addressFor, choiceOf, nextOf, pagesFor } from './choices.ts'

const PAGES = [
  { path: '/messages', label: 'Messages' },
  { path: '/webhooks', label: 'Webhooks', also: 'endpoints deliveries' },
  { path: '/settings', label: 'Settings', also: 'plan usage messages content' },
]
const inSandbox = (path: string) => `${path}${path.includes('?') ? '&' : '?'}environment=x`
const asIs = (path: string) => path

describe('pages', () => {
  for (const [text, paths] of [
    ['', ['/messages', '/webhooks', '/settings']],
    ['mess', ['/messages', '/settings']],
    ['END', ['/webhooks']],
    ['usage plan', ['/settings']],
    ['usage endpoints', []],
    ['%$', ['/messages', '/webhooks', '/settings']],
  ] as const) {
    test(`“${text}” leads to ${paths.join(' ') || 'none'}`, () =>
      assert.deepEqual(
        pagesFor(text, PAGES, asIs).map(({ href }) => href),
        paths,
      ))
  }
})

test('a whole address leads to its messages, and to its bounces', () => {
  assert.deepEqual(
    addressFor(' a+b@example.com ', inSandbox).map(({ href }) => href),
    ['/messages?recipient=a%2Bb%40example.com&environment=x', '/bounces?recipient=a%2Bb%40example.com&environment=x'],
  )
  for (const text of ['a@', '@b', 'a b@c', 'a@b@c', 'x', '']) assert.deepEqual(addressFor(text, asIs), [])
})

describe('what was found', () => {
  const id = '0190a0a0-0000-7000-8000-000000000001'
  const found = (more: Partial<FoundThing>): FoundThing => {
    return { kind: 'message', id, words: 'x', about: null, resourceId: null, at: null, ...more }
  }
  for (const [kind, href] of [
    ['message', `/messages/${id}`],
    ['delivery', `/deliveries/${id}`],
    ['request', `/requests/${id}`],
    ['endpoint', `/webhooks/${id}`],
    ['app', `/apps/${id}`],
    ['domain', `/domains/${id}`],
    ['mailbox', `/mailboxes/${id}`],
  ] as const) {
    test(`a ${kind} is shown at ${href}`, () => assert.equal(choiceOf(found({ kind }), asIs).href, href))
  }

  test('an event is shown alone, among those of its resource', () => {
    const event = found({ kind: 'event', resourceId: 'r', at: '2026-03-01T10:00:00.123456Z' })
    const { searchParams } = new URL(choiceOf(event, inSandbox).href, 'http://x')
    assert.deepEqual(Object.fromEntries(searchParams), {
      resourceId: 'r',
      since: '2026-03-01T10:00:00.123Z',
      until: '2026-03-01T10:00:00.124Z',
      environment: 'x',
    })
  })

  test('a message without a subject has words all the same', () =>
    assert.equal(choiceOf(found({ words: '  ' }), asIs).words, '(no subject)'))
})

test('the next one goes around the ends', () => {
  assert.deepEqual(
    [nextOf(0, 1, 3), nextOf(2, 1, 3), nextOf(0, -1, 3), nextOf(-1, 1, 3), nextOf(0, 1, 0)],
    [1, 0, 2, 0, -1],
  )
})
