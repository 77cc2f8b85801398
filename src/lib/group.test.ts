import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { createGroup } from './group.ts'

/** A writer whose writes end when the test says so. */
function gate() {
  const writes: { items: number[]; end(error?: Error): void }[] = []
  const write = (items: number[]) =>
    new Promise<number[]>((resolve, reject) => {
      writes.push({ items, end: (error) => (error ? reject(error) : resolve(items.map((i) => i * 10))) })
    })
  return { writes, write }
}

const turn = () => new Promise<void>((resolve) => setImmediate(resolve))

test('a lone item is written at once', async () => {
  const { writes, write } = gate()
  const group = createGroup({ write, maxItems: 10, inFlight: 1 })
  const result = group.add(1)
  await turn()
  assert.deepEqual(
    writes.map((w) => w.items),
    [[1]],
  )
  writes[0]?.end()
  assert.equal(await result, 10)
})

test('what arrives while a write is on its way goes together in the next one', async () => {
  const { writes, write } = gate()
  const group = createGroup({ write, maxItems: 10, inFlight: 1 })
  const first = group.add(1)
  await turn()
  const others = [2, 3, 4].map((n) => group.add(n))
  await turn()
  assert.equal(writes.length, 1)
  writes[0]?.end()
  await turn()
  assert.deepEqual(writes[1]?.items, [2, 3, 4])
  writes[1]?.end()
  assert.deepEqual(await Promise.all([first, ...others]), [10, 20, 30, 40])
})

test('a group is cut by count and by weight, and an item over the weight goes alone', async () => {
  const cut: number[][] = []
  const write = async (items: number[]) => {
    cut.push(items)
    return items
  }
  const group = createGroup({ write, maxItems: 3, maxWeight: 10, weightOf: (n) => n, inFlight: 1 })
  await Promise.all([1, 1, 1, 1, 5, 6, 20, 1].map((n) => group.add(n)))
  assert.deepEqual(cut, [[1, 1, 1], [1, 5], [6], [20], [1]])
})

test('a bad item fails alone', async () => {
  const write = async (items: number[]) => {
    if (items.includes(13)) throw new Error('unlucky')
    return items
  }
  const group = createGroup({ write, maxItems: 10, inFlight: 1 })
  const results = await Promise.allSettled([1, 13, 3].map((n) => group.add(n)))
  assert.deepEqual(
    results.map((r) => r.status),
    ['fulfilled', 'rejected', 'fulfilled'],
  )
})

test('a lost deadlock is written again, whole', async () => {
  let tries = 0
  const write = async (items: number[]) => {
    tries += 1
    if (tries < 3) throw Object.assign(new Error('deadlock detected'), { code: '40P01' })
    return items
  }
  const group = createGroup({ write, maxItems: 10, inFlight: 1 })
  assert.deepEqual(await Promise.all([group.add(1), group.add(2)]), [1, 2])
  assert.equal(tries, 3)
})

test('a database that is away fails the group once, not each item in turn', async () => {
  let tries = 0
  const write = async (): Promise<number[]> => {
    tries += 1
    throw Object.assign(new Error('terminating connection'), { code: '57P01' })
  }
  const group = createGroup({ write, maxItems: 10, inFlight: 1 })
  const results = await Promise.allSettled([1, 2, 3].map((n) => group.add(n)))
  assert(results.every((r) => r.status === 'rejected'))
  assert.equal(tries, 1)
})

for (const code of ['57014', '55P03']) {
  test(`what takes too long (${code}) is parted by owner, the fewest items first, and then item by item`, async () => {
    const written: string[][] = []
    const write = async (items: string[]) => {
      written.push(items)
      if (items.includes('a2')) throw Object.assign(new Error('canceling statement'), { code })
      return items
    }
    const group = createGroup({ write, maxItems: 10, inFlight: 1, ownerOf: (item) => item.slice(0, 1) })
    const results = await Promise.allSettled(['a1', 'a2', 'b1', 'a3', 'c1', 'b2'].map((item) => group.add(item)))
    assert.deepEqual(
      results.map((r) => r.status),
      ['fulfilled', 'rejected', 'fulfilled', 'fulfilled', 'fulfilled', 'fulfilled'],
    )
    assert.deepEqual(written.slice(1), [['c1'], ['b1', 'b2'], ['a1', 'a2', 'a3'], ['a1'], ['a2'], ['a3']])
  })
}

test('what takes too long keeps no part of the others waiting, however many do', async () => {
  const slow = (item: string) => 'abcdef'.includes(item.slice(0, 1))
  const stuck: (() => void)[] = []
  const write = async (items: string[]) => {
    if (!items.some(slow)) return items
    const tooLong = Object.assign(new Error('canceling statement'), { code: '57014' })
    if (items.length > 1) throw tooLong
    return new Promise<string[]>((_resolve, reject) => stuck.push(() => reject(tooLong)))
  }
  const group = createGroup({ write, maxItems: 20, inFlight: 1, ownerOf: (item) => item.slice(0, 1) })
  const others = ['x1', 'x2', 'y1', 'y2'].map((item) => group.add(item))
  const bad = Promise.allSettled(['a', 'b', 'c', 'd', 'e', 'f'].map((item) => group.add(item)))
  // Four at a time wait in vain; what is left of the group is written beside the two that are left of them.
  await turn()
  assert.equal(stuck.length, 4)
  for (const end of stuck.splice(0)) end()
  assert.deepEqual(await Promise.all(others), ['x1', 'x2', 'y1', 'y2'])
  while (stuck.length > 0) {
    stuck.shift()?.()
    await turn()
  }
  assert((await bad).every((each) => each.status === 'rejected'))
})

test('eight parts that take too long are the database’s fault: the rest fails with them', async () => {
  const written: number[][] = []
  const write = async (items: number[]): Promise<number[]> => {
    written.push(items)
    throw Object.assign(new Error('canceling statement'), { code: '57014' })
  }
  const group = createGroup({ write, maxItems: 20, inFlight: 1 })
  const results = await Promise.allSettled(Array.from({ length: 20 }, (_, i) => group.add(i)))
  assert(results.every((r) => r.status === 'rejected'))
  // Those that were on their way together are not called back.
  assert(written.length >= 9 && written.length <= 12, `${written.length} writes`)
})

test('once it drains, what takes too long is not written again, and what waits fails with it', async () => {
  const { writes, write } = gate()
  const group = createGroup({ write, maxItems: 2, inFlight: 1 })
  const results = Promise.allSettled([1, 2, 3, 4].map((n) => group.add(n)))
  await turn()
  const drained = group.drain()
  writes[0]?.end(Object.assign(new Error('canceling statement'), { code: '57014' }))
  await drained
  assert((await results).every((r) => r.status === 'rejected'))
  assert.equal(writes.length, 1)
})

/** Heavy items end in their weight; the others weigh nothing. */
function fair(inFlight: number) {
  const writes: { items: string[]; end(): void }[] = []
  const write = (items: string[]) =>
    new Promise<string[]>((resolve) => {
      writes.push({ items, end: () => resolve(items) })
    })
  const weightOf = (item: string) => Number(item.slice(2) || 0)
  const ownerOf = (item: string) => item.slice(0, 1)
  const group = createGroup({ write, maxItems: 4, maxWeight: 100, heavyWeight: 25, weightOf, ownerOf, inFlight })
  const add = (...items: string[]) => {
    for (const item of items) void group.add(item)
    return turn()
  }
  const end = (i: number) => {
    writes[i]?.end()
    return turn()
  }
  return { add, end, written: () => writes.map(({ items }) => items.join(' ')) }
}

test('large items keep no small one of another owner waiting, whichever comes first', async () => {
  const { add, end, written } = fair(2)
  await add('a190', 'a290', 'a390')
  assert.deepEqual(written(), ['a190'])
  await add('b1')
  await add('b2')
  assert.deepEqual(written(), ['a190', 'b1'])
  await end(1)
  assert.deepEqual(written(), ['a190', 'b1', 'b2'])
})

test('small items of whoever has a large one on its way wait for it, and take no neighbour along', async () => {
  const { add, end, written } = fair(2)
  await add('a190')
  await add('a1', 'b1')
  assert.deepEqual(written(), ['a190', 'b1'])
  await end(0)
  assert.deepEqual(written(), ['a190', 'b1', 'a1'])
})

test('large items take turns by owner, and small ones never keep them waiting for ever', async () => {
  const { add, end, written } = fair(2)
  await add('a190', 'a290', 'b390')
  await end(0)
  assert.deepEqual(written(), ['a190', 'b390'])
  for (let i = 0; i < 8; i++) await add(`c${i}`)
  assert.deepEqual(written(), ['a190', 'b390', 'c0'])
  await end(2)
  await end(1)
  assert.deepEqual(written(), ['a190', 'b390', 'c0', 'c1 c2 c3 c4', 'a290'])
})

test('with one write at a time large and small take turns', async () => {
  const { add, end, written } = fair(1)
  await add('a190', 'a290', 'b1')
  await add('b2', 'b3', 'b4', 'b5')
  for (let i = 0; i < 3; i++) await end(i)
  assert.deepEqual(written(), ['a190', 'b1 b2 b3 b4', 'a290', 'b5'])
})

test('a crowd of one owner keeps another one waiting for no more than a turn', async () => {
  const { add, end, written } = fair(1)
  await add('a1', 'a2', 'a3', 'a4')
  await add('a5', 'a6', 'a7', 'a8', 'a9', 'b1')
  await end(0)
  assert.deepEqual(written(), ['a1 a2 a3 a4', 'a5 b1 a6 a7'])
})

test('a database that goes away between the parts fails those that are left at once', async () => {
  const written: number[][] = []
  const write = async (items: number[]): Promise<number[]> => {
    written.push(items)
    if (items.length > 1) throw new Error('unlucky')
    throw Object.assign(new Error('terminating connection'), { code: '57P01' })
  }
  const group = createGroup({ write, maxItems: 10, inFlight: 1 })
  const results = await Promise.allSettled([1, 2, 3].map((n) => group.add(n)))
  assert(results.every((r) => r.status === 'rejected'))
  assert.deepEqual(written, [[1, 2, 3], [1]])
})

test('drain waits for all that was handed in', async () => {
  const { writes, write } = gate()
  const group = createGroup({ write, maxItems: 1, inFlight: 2 })
  const added = [1, 2, 3].map((n) => group.add(n))
  let drained = false
  const drain = group.drain().then(() => {
    drained = true
  })
  await turn()
  assert.equal(writes.length, 2)
  writes[0]?.end()
  writes[1]?.end()
  await turn()
  assert.equal(drained, false)
  writes[2]?.end()
  await drain
  assert.deepEqual(await Promise.all(added), [10, 20, 30])
  await group.drain()
})

test('every item gets its own result, whatever the cuts and however many writes go at once', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.integer({ min: 0, max: 50 }), { maxLength: 60 }),
      fc.integer({ min: 1, max: 7 }),
      fc.integer({ min: 1, max: 60 }),
      fc.integer({ min: 1, max: 3 }),
      async (items, maxItems, maxWeight, inFlight) => {
        let atOnce = 0
        const write = async (group: number[]) => {
          atOnce += 1
          assert(atOnce <= inFlight)
          assert(group.length > 0 && group.length <= maxItems)
          await turn()
          atOnce -= 1
          return group.map((n) => n * 2)
        }
        const group = createGroup({ write, maxItems, maxWeight, weightOf: (n) => n, inFlight })
        assert.deepEqual(
          await Promise.all(items.map((n) => group.add(n))),
          items.map((n) => n * 2),
        )
      },
    ),
    { numRuns: 100 },
  )
})
