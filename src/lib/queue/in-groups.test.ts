// Jobs that are loaded and recorded together: each is worked on once and alone, whatever becomes of the database or of
// its neighbours.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '../uuid.ts'
import { type GroupedWork, inGroups } from './in-groups.ts'
import type { Job } from './job.ts'
import type { Lease } from './lease.ts'
import type { JobResult } from './settle-jobs.ts'

const HELD: Lease = { lost: new AbortController().signal, held: () => true }

function jobs(count: number): Job[] {
  const rest = { queue: 'work', lane: newId(), payload: null, receptions: 1, exhausted: false, claim: newId() }
  return Array.from({ length: count }, (_, n) => ({ ...rest, tenantId: newId(), id: n, subjectId: newId() }))
}

const ids = (group: readonly { id: number }[]) => group.map(({ id }) => id)

/** Keeps what it is asked for; `change` says otherwise. */
function recording(change: Partial<GroupedWork<string, JobResult>> = {}) {
  const asked = { loaded: [] as number[][], worked: [] as number[], recorded: [] as number[][] }
  const handle = inGroups<string, JobResult>({
    async load(group) {
      asked.loaded.push(ids(group))
      return group.map(({ id }) => `subject ${id}`)
    },
    async work(job, subject) {
      assert.equal(subject, `subject ${job.id}`)
      asked.worked.push(job.id)
      return { job, how: { kind: 'done' } }
    },
    async record(results) {
      asked.recorded.push(ids(results.map(({ job }) => job)))
    },
    mostTogether: 2,
    onOutOfTime: (error) => assert.fail(error),
    ...change,
  })
  return { ...asked, handle }
}

const refused = () => Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })

test('jobs are loaded and recorded together, so many at most, and worked on one by one', async () => {
  const { handle, loaded, worked, recorded } = recording()
  await Promise.all(jobs(3).map((job) => handle(job, HELD)))
  assert.deepEqual(loaded, [[0, 1], [2]])
  assert.deepEqual(worked, [0, 1, 2])
  assert.deepEqual(recorded.flat(), [0, 1, 2])
  assert(recorded.every((group) => group.length <= 2))
})

test('of a job without a result nothing is recorded', async () => {
  const { handle, recorded } = recording({
    work: async (job) => (job.id === 0 ? undefined : { job, how: { kind: 'done' } }),
  })
  await Promise.all(jobs(2).map((job) => handle(job, HELD)))
  assert.deepEqual(recorded, [[1]])
})

test('a database that is away is asked again, and the work is done once', async () => {
  let isAway = true
  const once = () => {
    const wasAway = isAway
    isAway = !wasAway
    if (wasAway) throw refused()
  }
  const { handle, worked } = recording({
    load: async (group) => {
      once()
      return group.map(({ id }) => `subject ${id}`)
    },
    record: async () => once(),
  })
  for (const job of jobs(1)) await handle(job, HELD)
  assert.deepEqual(worked, [0])
})

test('a job that is another’s by then is not asked for again', async () => {
  const losing = new AbortController()
  losing.abort()
  const { handle } = recording({
    record: async () => {
      throw refused()
    },
  })
  for (const job of jobs(1))
    await assert.rejects(handle(job, { lost: losing.signal, held: () => false }), /ECONNREFUSED/)
})

test('what cannot be loaded or recorded fails by itself', async () => {
  const fault = (id: number) => {
    if (id === 1) throw new RangeError('of its own')
  }
  for (const step of ['load', 'record'] as const) {
    const { handle, worked } = recording(
      step === 'load'
        ? {
            load: async (group) => {
              for (const { id } of group) fault(id)
              return group.map(({ id }) => `subject ${id}`)
            },
          }
        : {
            record: async (results) => {
              for (const { job } of results) fault(job.id)
            },
          },
    )
    const ended = await Promise.allSettled(jobs(2).map((job) => handle(job, HELD)))
    assert.deepEqual(
      ended.map(({ status }) => status),
      ['fulfilled', 'rejected'],
    )
    assert.deepEqual(worked, step === 'load' ? [0] : [0, 1])
  }
})
