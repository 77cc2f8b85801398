// That what ends a key ends it within a second, however slow the machine is that looks.
import assert from 'node:assert/strict'
import { until } from './until.ts'

const WITHIN_MS = 1_000

/**
 * Asks with the key until it is refused. `ask` gives a status; `endedAt` is of `performance.now`.
 * @throws AssertionError when a request that began more than a second after that moment is let in
 */
export async function isRefusedWithinASecond(ask: () => Promise<number>, endedAt: number): Promise<void> {
  await until('it is refused', async () => {
    const began = performance.now()
    const answer = await ask()
    if (answer === 200) assert(began - endedAt < WITHIN_MS, 'let in after more than a second')
    return answer === 401
  })
}
