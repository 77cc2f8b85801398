// Commands of `bin/mdk`, run to their end as an operator's script would.
import { spawn } from 'node:child_process'
import { buffer } from 'node:stream/consumers'
import { runCli } from '../../src/cli/run-cli.ts'

export const MDK = new URL('../../bin/mdk', import.meta.url).pathname

export interface Outcome {
  status: number | null
  stdout: string
  stderr: string
  /** Standard output as JSON; undefined when it is none. */
  // biome-ignore lint/suspicious/noExplicitAny: each test knows what it asked for.
  json: any
}

/** Runs one command. Its output is no terminal, so that it prints JSON. */
export function mdk(env: Record<string, string>, ...args: string[]): Promise<Outcome> {
  return mdkReading('', env, ...args)
}

/** Runs one command that reads a text from standard input. */
export async function mdkReading(input: string, env: Record<string, string>, ...args: string[]): Promise<Outcome> {
  const child = spawn(MDK, args, { env: { PATH: process.env.PATH ?? '', ...env }, stdio: 'pipe' })
  child.stdin.on('error', () => {}).end(input)
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve))
  const [stdout, stderr] = await Promise.all([buffer(child.stdout), buffer(child.stderr)])
  return { status: await exited, stdout: stdout.toString(), stderr: stderr.toString(), json: parse(stdout.toString()) }
}

/** Runs one command in this process, many times as fast: the same code, without its start. */
export async function mdkInside(env: Record<string, string>, ...args: string[]): Promise<Outcome> {
  const [stdout, stderr] = [captured(process.stdout), captured(process.stderr)]
  try {
    const status = await runCli([...args, '--json'], env)
    return { status, stdout: stdout.text, stderr: stderr.text, json: parse(stdout.text) }
  } finally {
    stdout.end()
    stderr.end()
  }
}

/** As `mdkInside`, of one that must succeed: what it printed. @throws what it said of its failure */
export async function mdkHere(env: Record<string, string>, ...args: string[]): Promise<Outcome['json']> {
  const { status, stderr, json } = await mdkInside(env, ...args)
  if (status !== 0) throw new Error(`${args.join(' ')}: ${stderr}`)
  return json
}

/** Keeps JSON lines that are written to the stream, and lets through what the test runner writes. */
function captured(stream: NodeJS.WriteStream) {
  const write = stream.write
  const kept = {
    text: '',
    end() {
      stream.write = write
    },
  }
  stream.write = ((...args: Parameters<typeof write>) => {
    if (typeof args[0] !== 'string' || !args[0].startsWith('{')) return write.apply(stream, args)
    kept.text += args[0]
    return true
  }) as typeof write
  return kept
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
