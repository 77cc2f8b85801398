// Gives a recovering server the files of the log that it asks for. Its own user can read neither a sealed file nor a bucket: it
// asks with a file in a folder that both can write to, and waits for another.
import { chown, mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Cluster } from './cluster.ts'
import { giveTo } from './cluster.ts'

export interface WalServer {
  /** For `restore_command`. */
  readonly command: string
  /** What was asked for and is not there, in this order. */
  readonly absent: string[]
  /** Rejects when a file could not be had; the server then ends its recovery with an error. */
  readonly failed: Promise<never>
  stop(): Promise<void>
}

const LOOK_EVERY_MS = 20
/** Twenty times a second for ten minutes; then whoever should answer is gone. */
const MOST_LOOKS = 12_000

/** `write` writes a file of the log to a path, and says whether there is one. */
export async function serveWal(
  cluster: Cluster,
  write: (name: string, path: string) => Promise<boolean>,
): Promise<WalServer> {
  const folder = `${cluster.folder}-log`
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { mode: 0o700 })
  await giveTo(cluster.user, folder)
  const stopping = new AbortController()
  const absent: string[] = []
  const failure = Promise.withResolvers<never>()
  failure.promise.catch(() => {})
  const working = answer()

  async function answer(): Promise<void> {
    while (!stopping.signal.aborted) {
      const asked = (await readdir(folder)).filter((name) => name.startsWith('want.'))
      for (const name of asked) await give(name.slice('want.'.length)).catch(failure.reject)
      if (asked.length === 0) await sleep(LOOK_EVERY_MS, undefined, { signal: stopping.signal }).catch(() => {})
    }
  }

  async function give(name: string): Promise<void> {
    const temporary = join(folder, `part.${name}`)
    await rm(join(folder, `want.${name}`))
    try {
      if (await write(name, temporary)) {
        const { identity } = cluster.user
        if (identity) await chown(temporary, identity.uid, identity.gid)
        await rename(temporary, join(folder, `have.${name}`))
        return
      }
      absent.push(name)
      await writeFile(join(folder, `none.${name}`), '')
    } catch (error) {
      await writeFile(join(folder, `fail.${name}`), '')
      throw error
    }
  }

  return {
    command: commandOf(folder),
    absent,
    failed: failure.promise,
    async stop() {
      stopping.abort()
      await working
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** A status above 125 ends the recovery with an error; 1 says that the log ends there (PostgreSQL, "restore_command"). */
function commandOf(folder: string): string {
  const quoted = `'${folder.replaceAll("'", `'\\''`).replaceAll('%', '%%')}'`
  return [
    `d=${quoted}`,
    ': > "$d/want.%f" || exit 255',
    'n=0',
    `while [ $n -lt ${MOST_LOOKS} ]; do n=$((n + 1))`,
    '[ -e "$d/have.%f" ] && { mv "$d/have.%f" "%p" || exit 255; exit 0; }',
    '[ -e "$d/none.%f" ] && { rm "$d/none.%f"; exit 1; }',
    '[ -e "$d/fail.%f" ] && exit 255',
    'sleep 0.05; done',
    'exit 255',
  ].join('; ')
}
