// A file system of a few MiB in memory, which a test fills to the last octet and empties again. Needs root.
import { execFileSync } from 'node:child_process'
import { closeSync, openSync, rmSync, writeSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { after } from 'node:test'
import { temporaryFolder } from './temporary-folder.ts'

export interface SmallDisk {
  folder: string
  /** Leaves no room at all. */
  fill(): void
  /** Gives the room back. */
  free(): void
}

/** The `skip` option of tests that need one, which says so aloud. With CI=true it never skips. */
export function skipWithoutRoot(): string | false {
  if (process.getuid?.() === 0 || process.env.CI === 'true') return false
  process.stderr.write('TESTS SKIPPED: they mount a file system, which needs root\n')
  return 'needs root'
}

/** Mounts one; it goes after the tests. Whoever uses it must have ended by then. */
export async function mountSmallDisk(sizeMiB: number): Promise<SmallDisk> {
  const folder = await temporaryFolder('mdk-disk-')
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${sizeMiB}m,mode=0711`, 'tmpfs', folder])
  after(async () => {
    execFileSync('umount', ['--lazy', folder])
    await rm(folder, { recursive: true })
  })
  const ballast = join(folder, 'ballast')
  return {
    folder,
    fill() {
      const file = openSync(ballast, 'a')
      for (let size = 1024 * 1024; size >= 1; ) {
        try {
          writeSync(file, Buffer.alloc(size))
        } catch (error) {
          if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
          size = Math.floor(size / 2)
        }
      }
      closeSync(file)
    },
    free: () => rmSync(ballast, { force: true }),
  }
}
