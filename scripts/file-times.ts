// What each test file took: `npm test -- --times` loads this into its processes, and prints what they wrote at the end.
import { appendFileSync, readFileSync } from 'node:fs'
import { relative } from 'node:path'

/** One test file's process. `cpuSeconds` includes the processes it started and saw end. */
interface FileTimes {
  file: string
  beganMs: number
  endedMs: number
  cpuSeconds: number
}

/** Linux counts the time of processes in hundredths of a second (`CLK_TCK`). */
const TICKS_A_SECOND = 100

/** Lines for `path`, which the processes of a run wrote to: the longest first, and how busy the machine was kept. */
export function describeTimes(path: string): string {
  const files = readFileSync(path, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as FileTimes)
    .sort((a, b) => secondsOf(b) - secondsOf(a))
  const wall = (Math.max(...files.map((file) => file.endedMs)) - Math.min(...files.map((file) => file.beganMs))) / 1000
  const cpu = files.reduce((sum, file) => sum + file.cpuSeconds, 0)
  const lines = files.map((file) => `${column(secondsOf(file))} ${column(file.cpuSeconds)}  ${file.file}`)
  return [
    ' seconds   of CPU',
    ...lines,
    `${column(wall)} ${column(cpu)}  in all, ${(cpu / wall).toFixed(2)} cores busy`,
    '',
  ].join('\n')
}

const secondsOf = (file: FileTimes) => (file.endedMs - file.beganMs) / 1000
const column = (seconds: number) => seconds.toFixed(1).padStart(8)

const path = process.env.MDK_TEST_TIMES
const file = process.argv[1] ?? ''
if (path && file.endsWith('.test.ts')) {
  const beganMs = Date.now()
  process.once('exit', () => {
    const [utime, stime, cutime, cstime] = readFileSync('/proc/self/stat', 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
      .slice(11, 15)
      .map(Number) as [number, number, number, number]
    const cpuSeconds = (utime + stime + cutime + cstime) / TICKS_A_SECOND
    const times: FileTimes = { file: relative(process.cwd(), file), beganMs, endedMs: Date.now(), cpuSeconds }
    appendFileSync(path, `${JSON.stringify(times)}\n`)
  })
}
