// A process that counts requests against limits, for the tests of limits over processes. Argument: database URL. Each line
// of JSON on standard input is a burst; a line on standard output says what became of it.
import { createInterface } from 'node:readline'
import { createRateCounts } from '../../src/apps/rate-counts.ts'
import { createRateLimiter, type Limit } from '../../src/lib/rate-limiter/rate-limiter.ts'
import { openDatabase } from '../../src/lib/sql.ts'

export interface Burst extends Limit {
  requests: number
  /** How many are asked for at once. */
  atOnce: number
  /** Asked for again and again until then (Unix time in ms), instead of so many. */
  untilMs?: number
}

export interface BurstResult {
  passed: number
  refused: number
  /** Begin of a window (Unix time in ms) and what was let through in it. */
  windows: [number, number][]
}

const [url] = process.argv.slice(2) as [string]
const say = (line: object) => process.stdout.write(`${JSON.stringify(line)}\n`)
const database = openDatabase({ url })
const limiter = createRateLimiter(createRateCounts(database), (error) => say({ error: String(error) }))

async function run({ requests, atOnce, untilMs, ...limit }: Burst): Promise<BurstResult> {
  const result = { passed: 0, refused: 0 }
  const windows = new Map<number, number>()
  let asked = 0
  const ask = async () => {
    while (untilMs === undefined ? asked < requests : Date.now() < untilMs) {
      asked += 1
      const { refused } = await limiter.take(limit)
      if (refused) {
        result.refused += 1
        // Whoever is refused leaves the loop to the others.
        await new Promise((resolve) => setImmediate(resolve))
        continue
      }
      result.passed += 1
      const window = Date.now() - (Date.now() % limit.windowMs)
      windows.set(window, (windows.get(window) ?? 0) + 1)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, ask))
  return { ...result, windows: [...windows] }
}

createInterface({ input: process.stdin }).on('line', async (line) => {
  if (line === 'stop') {
    await limiter.stop()
    await database.end()
    process.exit(0)
  }
  say(await run(JSON.parse(line) as Burst))
})
say({ ready: true })
