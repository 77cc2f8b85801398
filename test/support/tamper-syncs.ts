// Has a running process's attempts to make bytes durable fail, or take their time. Needs the Debian package strace.
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'

const SYNCS = 'fsync,fdatasync'

/** What becomes of each, in strace's words: `error=EIO`, or `delay_enter=500000` for half a second. Gives what ends it. */
export async function tamperSyncs({ pid }: ChildProcess, how: string): Promise<() => Promise<void>> {
  const strace = spawn('strace', ['-f', '-p', `${pid}`, '-e', `trace=${SYNCS}`, '-e', `inject=${SYNCS}:${how}`], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const exited = once(strace, 'exit')
  let said = ''
  for await (said of createInterface({ input: strace.stderr })) if (/attached/.test(said)) break
  assert.match(said, /attached/)
  strace.stderr.resume()
  return async () => {
    strace.kill('SIGINT')
    await exited
  }
}
