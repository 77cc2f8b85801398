// Keeps the tests of one process to themselves: whoever starts a process or a thread, listens or connects is stopped and
// remembered. For unit tests, which take milliseconds because none of them does.
import childProcess from 'node:child_process'
import dgram from 'node:dgram'
import { syncBuiltinESMExports } from 'node:module'
import net from 'node:net'
import workerThreads from 'node:worker_threads'

/** Gives what is tried from now on, in words. */
export function forbidServers(): string[] {
  const tried: string[] = []
  const forbid = (what: string) =>
    function forbidden(): never {
      tried.push(what)
      throw new Error(`a unit test ${what}: name its file *.integration.test.ts`)
    }
  for (const name of ['spawn', 'spawnSync', 'exec', 'execSync', 'execFile', 'execFileSync', 'fork'] as const) {
    Object.assign(childProcess, { [name]: forbid('starts a process') })
  }
  Object.assign(workerThreads, { Worker: forbid('starts a thread') })
  Object.assign(net.Server.prototype, { listen: forbid('listens') })
  Object.assign(net.Socket.prototype, { connect: forbid('connects') })
  Object.assign(dgram.Socket.prototype, { bind: forbid('listens'), send: forbid('sends') })
  // For those that import them by name.
  syncBuiltinESMExports()
  return tried
}
