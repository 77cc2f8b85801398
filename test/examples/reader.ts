// Somebody who does what a guide says, block by block, and takes from each answer what the next block needs.
import { spawn } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { CodeBlock } from './guide.ts'

export interface Reader {
  /** The variables of their shell. */
  env: Record<string, string>
  /** Does what one block says and gives what it printed. @throws Error when a command fails or is refused */
  follow(block: CodeBlock): Promise<string>
}

/** As the page has it, but that an answer which is no success ends the block. */
const STRICT_CURL = 'curl() { command curl --fail-with-body "$@" && echo; }\n'

/**
 * Takes where the reader works, the address and key they were given, and by what to replace what stands in a page for
 * something of theirs.
 */
export function createReader(
  folder: string,
  given: { BASE: string; KEY: string },
  replaced: [string, string][],
): Reader {
  const env: Record<string, string> = { PATH: process.env.PATH ?? '', ...given }
  const own = (code: string) => replaced.reduce((changed, [from, to]) => changed.replaceAll(from, to), code)

  async function run(code: string): Promise<string> {
    const shell = spawn('bash', ['-e'], { cwd: folder, env, stdio: ['pipe', 'pipe', 'inherit'] })
    const ended = new Promise<number | null>((resolve) => shell.once('close', resolve))
    shell.stdin.end(STRICT_CURL + own(code))
    const printed = await text(shell.stdout)
    if ((await ended) !== 0) throw new Error(`failed: ${code}\n${printed}`)
    return printed
  }

  return {
    env,
    async follow({ language, code }) {
      if (language === 'python') {
        const [, name = 'program.py'] = /^# (\w+\.py)\n/.exec(code) ?? []
        await writeFile(join(folder, name), own(code))
      }
      // What a page says to put in is in the environment already.
      if (language !== 'sh' || /^export /.test(code)) return ''
      const printed = await run(code)
      for (const line of printed.split('\n')) Object.assign(env, takenFrom(line))
      return printed
    },
  }
}

/** The variables that the guides speak of, from an answer that holds them. */
function takenFrom(line: string): Record<string, string> {
  if (!line.startsWith('{')) return {}
  const { items, uploadId, upload, attachment, endpoint, secret, ...answer } = JSON.parse(line)
  const [first] = items ?? []
  const taken: Record<string, string | undefined> = {
    MAILBOX: first?.displayName && first.id,
    DELIVERY: first?.object === 'webhook_delivery' ? first.id : undefined,
    ID: answer.status === 'queued' && answer.object === 'message' ? answer.id : undefined,
    UPLOAD: uploadId,
    URL: upload?.url,
    ATTACHMENT: attachment?.id,
    ENDPOINT: endpoint?.id,
    SECRET: secret,
  }
  return Object.fromEntries(Object.entries(taken).filter((pair): pair is [string, string] => Boolean(pair[1])))
}
