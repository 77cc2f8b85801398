// How long `mdk serve` takes until it is ready, with the database that it brings along: from nothing, and again. And
// what memory it takes, PostgreSQL left out, when it has nothing to do.
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { temporaryFolder } from '../test/support/temporary-folder.ts'
import { type MdkProcess, residentMib, startMdk, TELLS_MEMORY } from './mdk-process.ts'
import type { Sizes } from './sizes.ts'
import { median } from './statistics.ts'

export interface StartFigures {
  cold_s: number
  warm_s: number
  /** Absent where the system does not say. */
  idle_mb?: number
}

/** The median of so many starts each; memory is looked at so many seconds after a start. */
export async function benchStart({ times, idleSeconds }: Sizes['start']): Promise<StartFigures> {
  const [cold, warm, idle]: [number[], number[], number[]] = [[], [], []]
  for (let n = 0; n < times; n++) {
    const folder = await temporaryFolder('bench-start-')
    const env = {
      MDK_DATA_DIR: join(folder, 'data'),
      MDK_RELAY_URL: 'smtp://127.0.0.1:1',
      // Nothing is compiled yet, as after an installation.
      NODE_COMPILE_CACHE: join(folder, 'compiled'),
    }
    const started: MdkProcess[] = []
    try {
      const first = await startMdk(env)
      started.push(first)
      await first.stop()
      const second = await startMdk(env)
      started.push(second)
      await delay(idleSeconds * 1000)
      if (TELLS_MEMORY) idle.push(await residentMib(second.child))
      await second.stop()
      cold.push(first.readyAfterMs / 1000)
      warm.push(second.readyAfterMs / 1000)
    } finally {
      for (const { child } of started) child.kill('SIGKILL')
      await rm(folder, { recursive: true, force: true })
    }
  }
  const memory = TELLS_MEMORY ? { idle_mb: Math.round(median(idle)) } : {}
  return { cold_s: hundredths(median(cold)), warm_s: hundredths(median(warm)), ...memory }
}

const hundredths = (value: number) => Math.round(value * 100) / 100
