// How much CPU another process has taken, in all of its threads. Linux says it (proc_pid_stat(5)).
import type { ChildProcess } from 'node:child_process'
import { readFile } from 'node:fs/promises'

export const TELLS_CPU = process.platform === 'linux'

/** USER_HZ, which is a hundred on every system that Node.js is made for. */
const MICROS_OF_A_TICK = 10_000

/** In microseconds, since its start; 0 where the system does not say. */
export async function cpuMicrosOf({ pid }: ChildProcess): Promise<number> {
  if (!TELLS_CPU) return 0
  const text = await readFile(`/proc/${pid}/stat`, 'latin1')
  // Behind the name, which may have spaces: the third field and what follows. User time is the 14th, system time the 15th.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) * MICROS_OF_A_TICK
}
