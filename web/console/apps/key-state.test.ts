import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ConsoleKey } from '../../../src/servers/console/app-schemas.ts'
import { isUsable, replacementOf, SOON_MS, stateOf, UNUSED_MS } from './key-state.ts'

const NOW = Date.parse('2026-11-22T12:00:00Z')
const at = (ms: number) => new Date(NOW + ms).toISOString()
const key = (more: Partial<ConsoleKey>): ConsoleKey => ({
  ...{ id: 'a', name: 'reports', prefix: 'mdk_live_000000', scopes: [], createdAt: at(-SOON_MS), expiresAt: null },
  ...{ revokedAt: null, lastUsedAt: null, madeBy: null, replaces: null, requests: [] },
  ...more,
})

test('a key is good until it is revoked or its time is up, and is marked for two weeks before', () => {
  for (const [more, state] of [
    [{}, 'good'],
    [{ expiresAt: at(SOON_MS + 1) }, 'good'],
    [{ expiresAt: at(SOON_MS) }, 'expires_soon'],
    [{ expiresAt: at(1) }, 'expires_soon'],
    [{ expiresAt: at(0) }, 'expired'],
    [{ expiresAt: at(SOON_MS + 1), revokedAt: at(-1) }, 'revoked'],
    [{ expiresAt: at(-1), revokedAt: at(-1) }, 'revoked'],
  ] as const) {
    assert.equal(stateOf(key(more), NOW), state)
    assert.equal(isUsable(state), state === 'good' || state === 'expires_soon')
  }
})

test('a key that was replaced is offered for revocation once nobody has used it for a day', () => {
  const next = key({ id: 'b', replaces: 'a' })
  const replaced = (former: ConsoleKey, by = next) => replacementOf(former, [by, former], NOW)
  assert.equal(replaced(key({ lastUsedAt: at(-UNUSED_MS) }))?.isUnused, false)
  assert.equal(replaced(key({ lastUsedAt: at(-UNUSED_MS - 1) }))?.isUnused, true)
  assert.equal(replaced(key({}))?.isUnused, true, 'never used')
  assert.equal(replaced(key({}))?.by.id, 'b')
  for (const by of [{ revokedAt: at(-1) }, { expiresAt: at(-1) }, { replaces: 'c' }]) {
    assert.equal(replaced(key({}), { ...next, ...by }), undefined)
  }
})
