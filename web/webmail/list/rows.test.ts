import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fakeFolder, numbers } from './fake-folder.ts'
import {
  cutOff,
  letGo,
  MOST_ROWS_KEPT,
  mergePage,
  NO_ROWS,
  nextWanted,
  outdate,
  type Range,
  type Rows,
} from './rows.ts'

const ALL: Range = { first: 0, last: 1_000_000 }
const keysOf = (rows: Rows) => rows.entries.map(({ key }) => Number(key))

/** Everything that is wanted for what shows, at most so many pages. */
async function fetched(rows: Rows, folder: ReturnType<typeof fakeFolder>, range: Range, most = 1_000): Promise<Rows> {
  let now = rows
  for (let pages = 0; pages < most; pages++) {
    const first = nextWanted(now, range)
    if (!first) return now
    for (let wanted = first as typeof first | undefined; wanted; ) {
      const merged = mergePage(now, wanted, await folder.fetchPage(wanted.cursor), now.changes)
      now = merged.rows
      wanted = merged.goesOn
    }
  }
  return now
}

test('pages follow one another to the end, each once', async () => {
  const folder = fakeFolder(numbers(23, 23))
  const rows = await fetched(NO_ROWS, folder, ALL)
  assert.deepEqual(keysOf(rows), folder.messages)
  assert.deepEqual(folder.asked, [null, '19', '14', '9', '4'])
  assert.equal(nextWanted(rows, ALL), undefined)
})

test('what came in, has left or moved in between is seen where it shows, by the pages that show it', async () => {
  const folder = fakeFolder(numbers(200, 200))
  const known = await fetched(NO_ROWS, folder, ALL)
  folder.messages = [202, 201, ...folder.messages].filter((n) => n !== 200 && n !== 153 && n !== 20)
  folder.asked = []
  const after = await fetched(outdate(known), folder, { first: 45, last: 50 })
  // From the last page that begins before what shows; the beginning; and what shows by then, as rows have moved.
  assert.deepEqual(folder.asked, ['156', '150', null, '161'])
  assert.deepEqual(
    keysOf(after).filter((n) => ![20].includes(n)),
    folder.messages,
    'what does not show is as it was',
  )
  assert(keysOf(after).includes(20))
  const all = await fetched(after, folder, ALL)
  assert.deepEqual(keysOf(all), folder.messages)
})

test('whatever happens to a folder, what is fetched anew is what is there', async () => {
  let seed = 7
  const random = (below: number) => {
    seed = (seed * 48_271) % 2_147_483_647
    return seed % below
  }
  for (let round = 0; round < 300; round++) {
    const folder = fakeFolder(numbers(1_000, random(60)).filter(() => random(4) > 0))
    let rows = await fetched(NO_ROWS, folder, ALL)
    for (let n = 0; n < 4; n++) {
      const added = numbers(1_010 + n * 10, random(9))
      const back = numbers(1_000, 60).filter((each) => random(9) === 0 && !folder.messages.includes(each))
      const kept = folder.messages.filter(() => random(5) > 0)
      folder.messages = [...new Set([...added, ...kept, ...back])].sort((a, b) => b - a)
      rows = await fetched(outdate(rows), folder, ALL)
      assert.deepEqual(keysOf(rows), folder.messages, `round ${round}`)
    }
  }
})

test('an empty folder is known to be empty, and what then comes in is seen', async () => {
  const folder = fakeFolder([])
  const rows = await fetched(NO_ROWS, folder, { first: 0, last: 0 })
  assert.equal(rows.tail, null)
  folder.messages = [1]
  assert.deepEqual(keysOf(await fetched(outdate(rows), folder, { first: 0, last: 0 })), [1])
})

test('no more is fetched ahead than may be scrolled to in a moment', async () => {
  const folder = fakeFolder(numbers(1_000, 1_000), 50)
  const rows = await fetched(NO_ROWS, folder, { first: 0, last: 9 })
  assert.equal(rows.entries.length, 150)
})

test('a page that reaches nothing that was known goes on, and one that is given up begins the list anew', async () => {
  const folder = fakeFolder(numbers(20, 20))
  const rows = await fetched(NO_ROWS, folder, ALL)
  folder.messages = [...numbers(40, 20), ...folder.messages]
  const wanted = { from: 0, cursor: null }
  const { rows: between, goesOn } = mergePage(outdate(rows), wanted, await folder.fetchPage(null), 1)
  assert.deepEqual(goesOn, { from: 5, cursor: '36' })
  const anew = cutOff(between, goesOn ?? wanted)
  assert.deepEqual(keysOf(anew), numbers(40, 5))
  assert.deepEqual(keysOf(await fetched(anew, folder, ALL)), folder.messages)
})

test('pages that found nothing lead on', () => {
  const empty = { items: [], nextCursor: '50' }
  const { rows } = mergePage(NO_ROWS, { from: 0, cursor: null }, empty, 0)
  assert.deepEqual(nextWanted(rows, { first: 0, last: 0 }), { from: 0, cursor: '50' })
})

test('what is far away is let go of, its place is kept, and it is fetched again when one comes back', async () => {
  const folder = fakeFolder(numbers(10_000, 10_000), 50)
  const range = { first: 8_000, last: 8_010 }
  const rows = letGo(await fetched(NO_ROWS, folder, range), range)
  const kept = rows.entries.filter(({ row }) => row !== undefined).length
  assert(kept <= MOST_ROWS_KEPT, String(kept))
  assert.equal(rows.entries[7_999]?.row?.id, '2001')
  assert.equal(rows.entries[0]?.row, undefined)
  folder.asked = []
  const back = await fetched(rows, folder, { first: 3_000, last: 3_010 })
  assert.deepEqual(folder.asked.slice(0, 1), ['7001'])
  assert(folder.asked.length <= 6, String(folder.asked))
  assert(back.entries.slice(2_900, 3_111).every(({ row }) => row !== undefined))
})
