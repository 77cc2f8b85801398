// A bench's process that is asked by a line and answers by a line.
import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'

/** For V8, as bin/mdk has them for a process with chosen roles. */
export const V8_OPTIONS = ['--max-semi-space-size=16', '--no-allocation-site-pretenuring', '--expose-gc']

export interface LineProcess {
  child: ChildProcess
  /** Its first line. */
  greeting: string
  ask(line: string): Promise<string>
  /** Ends its input, and waits until it has ended itself. */
  end(): Promise<void>
}

/** Starts a script of this folder, and waits for its first line. */
export async function startLineProcess(script: string, ...args: string[]): Promise<LineProcess> {
  const path = new URL(script, import.meta.url).pathname
  // As bin/mdk sets it.
  const env = { UV_THREADPOOL_SIZE: '16', ...process.env }
  const child = spawn(process.execPath, [...V8_OPTIONS, path, ...args], { env, stdio: ['pipe', 'pipe', 'inherit'] })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const next = async () => {
    const { value, done } = await lines.next()
    if (done) throw new Error(`${script} ended`)
    return value
  }
  const greeting = await next()
  return {
    child,
    greeting,
    ask(line) {
      child.stdin.write(`${line}\n`)
      return next()
    },
    end() {
      child.stdin.end()
      return exited
    },
  }
}
