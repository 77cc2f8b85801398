// `mdk serve` as an operator runs it, in a process of its own: when it is ready, and what memory it takes.
import { type ChildProcess, spawn } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'

const MDK = new URL('../bin/mdk', import.meta.url).pathname
const MIB = 1024 * 1024
/** What follows of memory is read from proc_pid_status(5). */
export const TELLS_MEMORY = process.platform === 'linux'

export interface MdkProcess {
  child: ChildProcess
  httpUrl: string
  consoleUrl: string
  webmailUrl: string
  /** Where mail comes in. */
  smtpPort: number
  /** From its start until it said that it is ready. */
  readyAfterMs: number
  /** Asks it to stop, and waits until it is gone. */
  stop(): Promise<void>
}

/** Starts roles on free ports, all of them unless some are named, and waits until they are ready. */
export async function startMdk(env: Record<string, string>, roles?: string): Promise<MdkProcess> {
  const began = performance.now()
  const child = spawn(MDK, roles === undefined ? ['serve'] : ['serve', '--roles', roles], {
    env: {
      PATH: process.env.PATH ?? '',
      MDK_PORT: '0',
      MDK_OPS_PORT: '0',
      MDK_SMTP_PORT: '0',
      MDK_CONSOLE_PORT: '0',
      MDK_WEBMAIL_PORT: '0',
      MDK_IP_PER_MINUTE: '0',
      MDK_RETURN_PATH_DOMAIN: 'bounce.test',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const { httpUrl, consoleUrl, webmailUrl, smtpUrl } = await Promise.race([
    ready(child.stdout),
    exited.then(() => Promise.reject(new Error('mdk ended before it was ready'))),
  ])
  return {
    child,
    httpUrl,
    consoleUrl,
    webmailUrl,
    smtpPort: smtpUrl === null ? 0 : Number(new URL(smtpUrl).port),
    readyAfterMs: performance.now() - began,
    stop() {
      child.kill('SIGTERM')
      return exited
    },
  }
}

interface ReadyLine {
  msg: string
  httpUrl: string
  consoleUrl: string
  webmailUrl: string
  smtpUrl: string | null
}

/** Reads the log until the line that says where it listens, and throws away what comes after. */
function ready(log: Readable): Promise<ReadyLine> {
  return new Promise((resolve) => {
    createInterface({ input: log }).on('line', (text) => {
      const line = JSON.parse(text) as ReadyLine
      if (line.msg === 'ready') resolve(line)
    })
  })
}

/** What of a process's memory is resident now, in MiB. */
export function residentMib(child: ChildProcess): Promise<number> {
  return statusMib(child, 'VmRSS')
}

/** The most that has been resident since `forgetPeak`, in MiB. */
export function peakMib(child: ChildProcess): Promise<number> {
  return statusMib(child, 'VmHWM')
}

/** proc_pid_clear_refs(5): the peak begins anew at what is resident now. */
export function forgetPeak(child: ChildProcess): Promise<void> {
  return writeFile(`/proc/${child.pid}/clear_refs`, '5')
}

async function statusMib(child: ChildProcess, field: string): Promise<number> {
  const status = await readFile(`/proc/${child.pid}/status`, 'utf8')
  const kib = new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1]
  if (kib === undefined) throw new Error(`the system does not say ${field}`)
  return (Number(kib) * 1024) / MIB
}
