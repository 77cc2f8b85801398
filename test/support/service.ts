// `bin/mdk serve` as an operator runs it: a process of its own that can be killed.
import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { after } from 'node:test'

const MDK = new URL('../../bin/mdk', import.meta.url).pathname
/** A start takes a second; a machine that is busy with other work makes it longer. */
const READY_WITHIN_MS = 120_000

export interface LogLine {
  level: string
  msg: string
  httpUrl?: string
  opsUrl?: string
  smtpUrl?: string | null
  [more: string]: unknown
}

export interface TestService {
  url: string
  opsUrl: string
  /** Where mail comes in; NaN without the inbound role. */
  smtpPort: number
  child: ChildProcess
  /** What it has logged so far. */
  logs: LogLine[]
  /** What it has written to standard error so far. */
  errors(): string
  /** Ends it without a word, and waits until it is gone. */
  kill(): Promise<void>
  /** Asks it to stop; gives its exit status. */
  stop(): Promise<number | null>
}

/** All but those of the pages, which bundle what browsers load: a third of a second of each start. */
const MAIL_ROLES = 'api,outbound,webhooks,inbound,retention'

/**
 * Starts the service on free ports and waits until it is ready. It is killed after the tests at the latest. `through` is
 * a command that becomes the one it is given, such as prlimit.
 */
export async function startService(
  env: Record<string, string>,
  args: string[] = ['serve', '--roles', MAIL_ROLES],
  through: string[] = [],
): Promise<TestService> {
  const [command, ...words] = [...through, MDK, ...args] as [string, ...string[]]
  const child = spawn(command, words, {
    env: {
      PATH: process.env.PATH ?? '',
      MDK_PORT: '0',
      MDK_OPS_PORT: '0',
      MDK_SMTP_PORT: '0',
      MDK_CONSOLE_PORT: '0',
      MDK_WEBMAIL_PORT: '0',
      MDK_IP_PER_MINUTE: '0',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  after(() => child.kill('SIGKILL'))
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve))
  let errors = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    errors += text
  })
  const logs: LogLine[] = []
  const ready = new Promise<LogLine>((resolve, reject) => {
    createInterface({ input: child.stdout as NodeJS.ReadableStream }).on('line', (line) => {
      const entry = JSON.parse(line) as LogLine
      logs.push(entry)
      if (entry.msg === 'ready') resolve(entry)
    })
    void exited.then((status) => reject(new Error(`mdk ended with status ${status}: ${errors}`)))
    setTimeout(() => reject(new Error(`mdk is not ready: ${errors}`)), READY_WITHIN_MS).unref()
  })
  const { httpUrl, opsUrl, smtpUrl } = await ready
  return {
    url: httpUrl ?? '',
    opsUrl: opsUrl ?? '',
    smtpPort: smtpUrl ? Number(new URL(smtpUrl).port) : Number.NaN,
    child,
    logs,
    errors: () => errors,
    async kill() {
      child.kill('SIGKILL')
      await exited
    },
    stop() {
      child.kill('SIGTERM')
      return exited
    },
  }
}
