// How many sends a second two API processes accept beside what one accepts, with the same load from the same machine.
import { openDatabase } from '../src/lib/sql.ts'
import { createTestTenant } from '../test/support/tenant.ts'
import { load, perSecond, startApi } from './api-load.ts'
import type { LoadSizes } from './sizes.ts'
import { median, ratio } from './statistics.ts'

export interface ProcessFigures {
  one_per_s: number
  two_per_s: number
  two_over_one: number
}

const WHOLE_GROUP = 64

/** Measures in turns. `url` is a migrated database that nothing else uses. */
export async function benchProcesses(url: string, { seconds, rounds }: LoadSizes): Promise<ProcessFigures> {
  const database = openDatabase({ url })
  const tenant = await createTestTenant(database)
  await database.pool.query(`update plans set messages_per_month = 0`)
  const apis = await Promise.all([startApi(url, WHOLE_GROUP), startApi(url, WHOLE_GROUP)])
  const [one, two]: [number[], number[]] = [[], []]
  try {
    await load(apis, 1, 0, tenant)
    for (let round = 0; round < rounds; round++) {
      one.push(perSecond(await load(apis.slice(0, 1), seconds, 0, tenant)))
      two.push(perSecond(await load(apis, seconds, 0, tenant)))
      await database.pool.query('checkpoint')
    }
    return {
      one_per_s: Math.round(median(one)),
      two_per_s: Math.round(median(two)),
      two_over_one: ratio(median(two), median(one)),
    }
  } finally {
    for (const api of apis) api.child.kill('SIGKILL')
    await database.end()
  }
}
