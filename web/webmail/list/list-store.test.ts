import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fakeFolder, numbers, rowOf } from './fake-folder.ts'
import { createListStore, type ListStore } from './list-store.ts'

/** Whatever is under way has come to its end. */
const settled = () => new Promise((resolve) => setTimeout(resolve, 5))
const shownKeys = ({ shown }: ListStore) => shown.value.entries.map(({ key }) => Number(key))
const SCREEN = { first: 0, last: 4 }

async function opened(folder: ReturnType<typeof fakeFolder>): Promise<ListStore> {
  const store = createListStore(folder.fetchPage)
  store.show(SCREEN)
  await settled()
  return store
}

test('a burst of changes costs a request after the one that is under way', async () => {
  const folder = fakeFolder(numbers(100, 100), 50)
  const store = await opened(folder)
  folder.asked = []
  for (let i = 0; i < 500; i++) store.changed()
  await settled()
  assert(folder.asked.length <= 2, String(folder.asked))
})

test('what is filed goes at once, stays away while an older answer comes, and is shown again by a newer one', async () => {
  const folder = fakeFolder(numbers(9, 9))
  const store = await opened(folder)
  let answer = (): void => {}
  const fetchPage = folder.fetchPage
  folder.fetchPage = fetchPage
  const slow = createListStore(async (cursor) => {
    const page = await fetchPage(cursor)
    await new Promise<void>((resolve) => {
      answer = resolve
    })
    return page
  })
  slow.show(SCREEN)
  await settled()
  while (slow.shown.value.entries.length < 9) {
    answer()
    await settled()
  }
  slow.changed()
  await settled()
  slow.lay(['9'], 'left')
  assert.deepEqual(shownKeys(slow), numbers(8, 8))
  slow.settle(['9'])
  answer()
  await settled()
  assert.deepEqual(shownKeys(slow), numbers(8, 8), 'it was asked for before')
  slow.changed()
  for (let i = 0; i < 4; i++) {
    answer()
    await settled()
  }
  assert.deepEqual(shownKeys(slow), numbers(9, 9), 'it lies there again')
  assert.deepEqual(shownKeys(store), numbers(9, 9))
})

test('what was refused or taken back stands where it stood', async () => {
  const store = await opened(fakeFolder(numbers(9, 9)))
  store.lay(['7', '8'], 'left')
  assert.deepEqual(shownKeys(store), [9, 6, 5, 4, 3, 2, 1])
  store.lift(['7', '8'])
  assert.deepEqual(shownKeys(store), numbers(9, 9))
})

test('flags show at once, one over another, until a newer answer has them', async () => {
  const folder = fakeFolder(numbers(3, 3))
  const store = await opened(folder)
  store.lay(['3'], { isStarred: true })
  store.lay(['3'], { isRead: false })
  assert.deepEqual(store.row('3'), { ...rowOf(3), isStarred: true, isRead: false })
  assert.equal(store.shown.value.entries[0]?.row?.isStarred, true)
  store.settle(['3'])
  store.changed()
  await settled()
  assert.equal(store.row('3')?.isStarred, false, 'as the server says')
})

test('keys act on the next row when theirs has left, and on the one before at the end', async () => {
  const store = await opened(fakeFolder(numbers(4, 4)))
  store.cursor.value = '3'
  store.lay(['3', '2'], 'left')
  assert.equal(store.cursor.value, '1')
  store.lay(['1'], 'left')
  assert.equal(store.cursor.value, '4')
  store.lay(['4'], 'left')
  assert.equal(store.cursor.value, undefined)
})

test('when all that was fetched has left, what lies behind it is fetched', async () => {
  const folder = fakeFolder(numbers(300, 300), 50)
  const store = await opened(folder)
  store.lay(
    store.shown.value.entries.map(({ key }) => key),
    'left',
  )
  await settled()
  assert.equal(shownKeys(store)[0], 150)
  assert(shownKeys(store).length >= 100)
})

test('what came in at the beginning is counted until the beginning is seen', async () => {
  const folder = fakeFolder(numbers(9, 9))
  const store = await opened(folder)
  assert.equal(store.shown.value.arrived, 0)
  folder.messages = [11, 10, ...folder.messages]
  store.changed()
  await settled()
  assert.equal(store.shown.value.arrived, 2)
  store.seeTop()
  assert.equal(store.shown.value.arrived, 0)
})

test('much that is looked through with little found pauses until it is asked for', async () => {
  let asked = 0
  const store = createListStore(async () => ({ items: [], nextCursor: String(asked++) }))
  store.show(SCREEN)
  await settled()
  assert.equal(store.shown.value.isPaused, true)
  const before = asked
  assert(before < 10, String(before))
  store.more()
  await settled()
  assert(asked > before && asked < 20, String(asked))
})

test('what may not be seen any more is not shown any more; what could not be reached stays', async () => {
  const folder = fakeFolder(numbers(9, 9))
  let fault = undefined as Error | undefined
  const store = createListStore(async (cursor) => {
    if (fault) throw fault
    return folder.fetchPage(cursor)
  })
  store.show(SCREEN)
  await settled()
  fault = Object.assign(new Error('unreachable'), { status: 0 })
  store.changed()
  await settled()
  assert.deepEqual(
    [shownKeys(store).length, (store.shown.value.fault as Error | undefined)?.message],
    [9, 'unreachable'],
  )
  fault = undefined
  store.again()
  await settled()
  assert.equal(store.shown.value.fault, undefined)
  fault = Object.assign(new Error('absent'), { status: 404 })
  store.changed()
  await settled()
  assert.deepEqual([shownKeys(store).length, (store.shown.value.fault as Error | undefined)?.message], [0, 'absent'])
})

test('what shows is the same until something of it has changed, whatever lies over it', async () => {
  const store = await opened(fakeFolder(numbers(9, 9)))
  store.lay(['7'], 'left')
  await settled()
  const { entries } = store.shown.value
  let told = 0
  store.shown.subscribe(() => told++)
  for (let i = 0; i < 5; i++) store.show(SCREEN)
  await settled()
  assert.equal(told, 1)
  assert.equal(store.shown.value.entries, entries)
})
