// Commands of `bin/mdk`, run to their end as an operator's script would.
import { spawn } from 'node:child_process'
import { buffer } from 'node:stream/consumers'

const MDK = new URL('../../bin/mdk', import.meta.url).pathname

export interface Outcome {
  status: number | null
  stdout: string
  stderr: string
  /** Standard output as JSON; undefined when it is none. */
  // biome-ignore lint/suspicious/noExplicitAny: each test knows what it asked for.
  json: any
}

/** Runs one command. Its output is no terminal, so that it prints JSON. */
export async function mdk(env: Record<string, string>, ...args: string[]): Promise<Outcome> {
  const child = spawn(MDK, args, { env: { PATH: process.env.PATH ?? '', ...env }, stdio: ['ignore', 'pipe', 'pipe'] })
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve))
  const [stdout, stderr] = await Promise.all([buffer(child.stdout), buffer(child.stderr)])
  return { status: await exited, stdout: stdout.toString(), stderr: stderr.toString(), json: parse(stdout.toString()) }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
