// Takes out of the lockfile what packages ask of the machine's Node.js, where it is more than ours: nothing of theirs runs on
// it. npm would warn of each at every installation. And packages that others would like and nothing of ours uses. What they ask of the Node.js that they do run on, test/engines.test.ts
// holds against the pinned one (docs/adr/0041-engines-of-packages.md). Run as a program it writes the lockfile: `npm run lock`.
import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'

const LOCKFILE = new URL('../package-lock.json', import.meta.url)

const semver = createRequire(import.meta.url)('semver') as {
  satisfies(version: string, range: string): boolean
  minVersion(range: string): { version: string }
}

interface Package {
  engines?: { node?: string }
  optionalDependencies?: Record<string, string>
}

export interface Lockfile {
  packages: Record<string, Package>
}

export function readLockfile(): Lockfile {
  return JSON.parse(readFileSync(LOCKFILE, 'utf8')) as Lockfile
}

/** Whether a Node.js of this version is what a package asks for. */
export function admits(range: string | undefined, version: string): boolean {
  return range === undefined || semver.satisfies(version, range)
}

/** The packages that refuse the oldest Node.js on which npm may install us, by their paths. */
export function refusing({ packages }: Lockfile): string[] {
  const oldest = semver.minVersion(packages['']?.engines?.node ?? '*').version
  return Object.keys(packages).filter((path) => !admits(packages[path]?.engines?.node, oldest))
}

/** What pdf.js draws with on Node.js, where none of ours has it draw: 35 MB of somebody's machine code. */
const UNUSED = '@napi-rs/canvas'

/** The packages that are optional and not to be installed, and those that ask for one, by their paths. */
export function unused({ packages }: Lockfile): string[] {
  return Object.keys(packages).filter(
    (path) => path.startsWith(`node_modules/${UNUSED}`) || packages[path]?.optionalDependencies?.[UNUSED] !== undefined,
  )
}

if (import.meta.main) {
  const lockfile = readLockfile()
  for (const path of refusing(lockfile)) delete lockfile.packages[path]?.engines
  for (const path of unused(lockfile)) {
    if (path.startsWith(`node_modules/${UNUSED}`)) delete lockfile.packages[path]
    else delete lockfile.packages[path]?.optionalDependencies?.[UNUSED]
  }
  writeFileSync(LOCKFILE, `${JSON.stringify(lockfile, null, 2)}\n`)
}
