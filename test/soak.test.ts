// What the soak calls grown.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type DatabaseFigures, grown } from '../bench/soak-figures.ts'

/** One look a day, at memory in MiB and at one table in KiB. */
function days(memory: readonly number[], table: string, kib: readonly number[]) {
  const counted = { live: 0, dead: 0, vacuums: 0, updates: 0, hot: 0 }
  const totals = { messages: 0, jobs: 0, databaseKib: 0, claims: 0, claimMs: 0 }
  return memory.map((residentMib, day) => {
    const tables = [{ table, ...counted, tableKib: (kib[day] ?? 0) / 2, indexKib: (kib[day] ?? 0) / 2 }]
    return { residentMib, database: { ...totals, tables } satisfies DatabaseFigures }
  })
}

const EVEN = [100, 100, 100, 100, 100, 100, 100, 100]

test('the last quarter of a soak is compared with its second, by the largest of each', () => {
  const cases: [string, ReturnType<typeof days>, string[]][] = [
    ['all stays', days(EVEN, 'jobs', EVEN), []],
    ['the start counts for nothing', days([10, 10, 100, 100, 100, 100, 100, 100], 'jobs', [0, 0, ...EVEN]), []],
    ['memory as large as it may be', days([100, 100, 100, 80, 300, 300, 125, 80], 'jobs', EVEN), []],
    [
      'memory larger',
      days([100, 100, 100, 80, 100, 100, 80, 126], 'jobs', EVEN),
      ['memory in MiB grew from 100 to 126'],
    ],
    ['a passing table as large as it may be', days(EVEN, 'jobs', [0, 0, 800, 1000, 9000, 9000, 1000, 1756]), []],
    [
      'a passing table larger',
      days(EVEN, 'jobs', [0, 0, 800, 1000, 1000, 1000, 1758, 1000]),
      ['jobs in KiB grew from 1000 to 1758'],
    ],
    ['a table that keeps what has happened', days(EVEN, 'events', [0, 0, 1000, 1000, 2000, 2000, 9000, 9000]), []],
  ]
  for (const [what, looks, expected] of cases) assert.deepEqual(grown(looks), expected, what)
})
