// A program of examples/, run as its first lines say.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { after } from 'node:test'

const EXAMPLES = new URL('../../examples/', import.meta.url).pathname

export interface RunningExample {
  child: ChildProcess
  /** What it has printed so far, on either output. */
  lines: string[]
  /** The status it ended with; null when it was killed. */
  ended: Promise<number | null>
}

/** Starts one. It is killed after the tests at the latest. */
export function runExample(name: string, args: string[], env: Record<string, string>): RunningExample {
  const child = spawn(process.execPath, [`${EXAMPLES}${name}`, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  after(() => child.kill('SIGKILL'))
  const lines: string[] = []
  for (const output of [child.stdout, child.stderr]) {
    createInterface({ input: output }).on('line', (line) => lines.push(line))
  }
  return { child, lines, ended: once(child, 'close').then(([status]) => status as number | null) }
}
