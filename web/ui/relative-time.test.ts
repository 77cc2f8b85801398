import assert from 'node:assert/strict'
import { test } from 'node:test'
import { relativeTime } from './relative-time.ts'

const NOW = Date.parse('2026-03-10T12:00:00Z')

test('an instant is said in the largest unit that there is one of', () => {
  const said: [string, string][] = [
    ['2026-03-10T12:00:00Z', 'just now'],
    ['2026-03-10T11:59:16Z', 'just now'],
    ['2026-03-10T11:59:15Z', '1 minute ago'],
    ['2026-03-10T11:30:00Z', '30 minutes ago'],
    ['2026-03-10T11:00:20Z', '1 hour ago'],
    ['2026-03-10T10:20:00Z', '2 hours ago'],
    ['2026-03-09T12:20:00Z', 'yesterday'],
    ['2026-03-03T12:00:00Z', '7 days ago'],
    ['2026-01-10T12:00:00Z', '2 months ago'],
    ['2024-03-10T12:00:00Z', '2 years ago'],
    ['2026-03-11T12:00:00Z', 'tomorrow'],
    ['2026-03-10T12:30:00Z', 'in 30 minutes'],
  ]
  for (const [instant, words] of said) assert.equal(relativeTime(instant, NOW), words, instant)
})
