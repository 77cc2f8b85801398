import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { decodePageCursor, encodePageCursor, endPage, endWalk, NEWEST } from './page-cursor.ts'

const MICROS = Date.parse('2026-01-02T03:04:05Z') * 1000

test('a cursor is an instant that every reader of RFC 3339 takes, and comes back to its place', () => {
  const cursor = encodePageCursor('2026-01-02T03:04:05.000700Z', 42)
  assert.equal(cursor, '2026-01-02T03:04:05.00070042Z')
  assert(!Number.isNaN(Date.parse(cursor)))
  assert.deepEqual(decodePageCursor(cursor), { micros: MICROS + 700, seq: 42 })
  assert.deepEqual(decodePageCursor(encodePageCursor('2026-01-02T03:04:05.999999Z', 9_007_199_254_740_991)), {
    micros: MICROS + 999_999,
    seq: 9_007_199_254_740_991,
  })
})

test('a plain instant means strictly older than it', () => {
  for (const [text, micros] of [
    ['2026-01-02T03:04:05Z', MICROS],
    ['2026-01-02T03:04:05.5Z', MICROS + 500_000],
    ['2026-01-02T03:04:05.123456Z', MICROS + 123_456],
    ['2026-01-02T05:04:05.123456+02:00', MICROS + 123_456],
    ['2026-01-02', Date.parse('2026-01-02') * 1000],
  ] as const) {
    assert.deepEqual(decodePageCursor(text), { micros, seq: 0 }, text)
  }
})

test('anything else is no cursor', () => {
  for (const text of ['', 'x', '12', '2026-13-01T00:00:00Z', 'null']) {
    assert.equal(decodePageCursor(text), undefined, text)
  }
})

interface Row {
  created_at: string
  seq: number
}

const rowsAt = (micros: readonly number[]): Row[] =>
  micros
    .toSorted((a, b) => b - a)
    .map((at, i) => {
      const iso = new Date(MICROS / 1000 + Math.floor(at / 1000)).toISOString().slice(0, -1)
      return { created_at: `${iso}${String(at % 1000).padStart(3, '0')}Z`, seq: micros.length - i }
    })

const microsOf = ({ created_at }: Row) => (decodePageCursor(created_at) as { micros: number }).micros

/** Follows the cursors, each as the client makes it of what it was given. */
function walk(rows: readonly Row[], limit: number, through: (cursor: string) => string): number[] {
  const seen: number[] = []
  let place = NEWEST
  for (let pages = 0; ; pages++) {
    assert(pages <= rows.length, 'the walk ends')
    const behind = rows.filter(
      (row) => microsOf(row) < place.micros || (microsOf(row) === place.micros && row.seq < place.seq),
    )
    const [shown, cursor] = endPage(behind.slice(0, limit + 1), limit)
    assert(shown.length <= limit)
    seen.push(...shown.map(({ seq }) => seq))
    if (cursor === null) return seen
    assert(shown.length > 0, 'a page that is not the last shows something')
    place = decodePageCursor(through(cursor)) as typeof place
  }
}

/** What clients make of an instant that they read and write. */
const SPELLINGS: Record<string, (cursor: string) => string> = {
  milliseconds: (cursor) => new Date(cursor).toISOString(),
  'an offset': (cursor) => new Date(cursor).toISOString().replace('Z', '+00:00'),
  'an offset in a query': (cursor) => new Date(cursor).toISOString().replace('Z', ' 00:00'),
  microseconds: (cursor) => `${cursor.slice(0, 26)}+00:00`,
  'no zeros': (cursor) => cursor.replace(/\.?0*Z$/, 'Z'),
}

test('following cursors as they are gives each message once, whatever the instants and the size of pages', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 0, max: 4_000 }), { maxLength: 40 }),
      fc.integer({ min: 1, max: 9 }),
      (at, limit) => {
        const rows = rowsAt(at)
        assert.deepEqual(
          walk(rows, limit, (cursor) => cursor),
          rows.map(({ seq }) => seq),
        )
      },
    ),
  )
})

for (const [name, through] of Object.entries(SPELLINGS)) {
  test(`so does following them through ${name} where no millisecond holds more than a page`, () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 4_000 }), { maxLength: 40 }),
        fc.integer({ min: 1, max: 9 }),
        (at, limit) => {
          const perMillisecond = Map.groupBy(at, (micros) => Math.floor(micros / 1000))
          fc.pre([...perMillisecond.values()].every((same) => same.length <= limit))
          const rows = rowsAt(at)
          assert.deepEqual(
            walk(rows, limit, through),
            rows.map(({ seq }) => seq),
          )
        },
      ),
    )
  })

  test(`following them through ${name} ends, and gives nothing twice, whatever the instants`, () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 2_000 }), { maxLength: 40 }),
        fc.integer({ min: 1, max: 9 }),
        (at, limit) => {
          const seen = walk(rowsAt(at), limit, through)
          assert.equal(new Set(seen).size, seen.length)
        },
      ),
    )
  })
}

test('a hundred thousand messages of one instant are walked, page by page', () => {
  const one = { created_at: '2026-01-02T03:04:05.000700Z' }
  const rows = Array.from({ length: 101 }, (_, i) => ({ ...one, seq: 100_000 - i }))
  const [shown, cursor] = endPage(rows, 100)
  assert.equal(shown.length, 100)
  assert.deepEqual(decodePageCursor(cursor as string), { micros: MICROS + 700, seq: 99_901 })
})

test('a walk that came to its bound gives what lies in front of its last millisecond, and begins again with that', () => {
  const row = (fraction: string, seq: number) => ({ created_at: `2026-01-02T03:04:05.${fraction}Z`, seq })
  const found = [row('009000', 9), row('008999', 8), row('008000', 7)]
  const last = row('008000', 7)
  const [shown, cursor] = endWalk(found, last, NEWEST)
  assert.deepEqual([shown, cursor], [[found[0]], '2026-01-02T03:04:05.0090000Z'])
  assert.deepEqual(decodePageCursor(cursor), { micros: MICROS + 9_000, seq: 0 })
  // Further on than that in the same millisecond it goes by the row.
  for (const seq of [0, 1]) {
    const behind = { micros: MICROS + 9_000, seq }
    assert.deepEqual(
      endWalk(found.slice(1), last, behind),
      seq === 0 ? [found.slice(1), '2026-01-02T03:04:05.0080007Z'] : [[], '2026-01-02T03:04:05.0090000Z'],
    )
  }
  assert.deepEqual(endWalk([], row('999999', 3), NEWEST), [[], '2026-01-02T03:04:06.0000000Z'])
})
