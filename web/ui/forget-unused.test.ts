import assert from 'node:assert/strict'
import { test } from 'node:test'
import { QueryClient, QueryObserver } from '@tanstack/query-core'
import { forgetUnused } from './forget-unused.ts'

function clientOf(most: number) {
  const client = new QueryClient({ defaultOptions: { queries: { queryFn: ({ queryKey }) => queryKey[0] } } })
  forgetUnused(client, most)
  const kept = () =>
    client
      .getQueryCache()
      .getAll()
      .map(({ queryKey }) => queryKey[0])
  return { client, kept }
}

test('what was shown is forgotten, but for the latest; what shows stays', async (t) => {
  const { client, kept } = clientOf(3)
  t.mock.timers.enable({ apis: ['Date'], now: 1_000 })
  const stop = new QueryObserver(client, { queryKey: ['shows'] }).subscribe(() => {})
  for (let i = 0; i < 100; i++) {
    t.mock.timers.tick(10)
    const hide = new QueryObserver(client, { queryKey: [i] }).subscribe(() => {})
    await client.fetchQuery({ queryKey: [i] })
    hide()
  }
  assert.deepEqual(kept(), ['shows', 97, 98, 99])
  stop()
  client.clear()
})

test('what is fetched ahead is forgotten too, and what is on its way is not', async (t) => {
  const { client, kept } = clientOf(2)
  t.mock.timers.enable({ apis: ['Date'], now: 1_000 })
  let answer = (_: string) => {}
  const waits = client.fetchQuery({ queryKey: ['slow'], queryFn: () => new Promise<string>((done) => (answer = done)) })
  for (let i = 0; i < 10; i++) {
    t.mock.timers.tick(10)
    await client.prefetchQuery({ queryKey: [i] })
  }
  assert(kept().includes('slow'))
  assert(kept().length <= 4, String(kept()))
  answer('here')
  assert.equal(await waits, 'here')
  client.clear()
})

test('what is about to be shown stays, whatever else is added before that', async () => {
  const { client, kept } = clientOf(0)
  const observer = new QueryObserver<string>(client, { queryKey: ['about to show'] })
  await client.prefetchQuery({ queryKey: ['else'] })
  await client.prefetchQuery({ queryKey: ['more'] })
  assert(kept().includes('about to show'))
  const hide = observer.subscribe(() => {})
  await observer.refetch()
  hide()
  assert(!kept().includes('about to show'))
  client.clear()
})
