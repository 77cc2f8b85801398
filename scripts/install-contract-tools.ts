// The programs that judge openapi.yaml from outside, and whether they are here. They have a package of their own, so
// that whoever runs the service installs none of them. Run as a program it installs them; `npm test` does so first.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'

export const CONTRACT_TOOLS = fileURLToPath(new URL('../test/contract/tools', import.meta.url))
/** npm writes it last. */
const INSTALLED = join(CONTRACT_TOOLS, 'node_modules/.package-lock.json')
const LOCKFILE = join(CONTRACT_TOOLS, 'package-lock.json')

/** Installs them unless they are there as locked, and says so when it cannot. */
export function installContractTools(): void {
  if (areInstalled()) return
  const { status } = spawnSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: CONTRACT_TOOLS,
    stdio: ['ignore', 2, 2],
  })
  if (status !== 0) process.stderr.write('MISSING: the contract tools. Tests that need them are skipped.\n')
}

/** The `skip` option of a test that needs them. With CI=true it never skips, so that the test fails instead. */
export function skipWithoutContractTools(): string | false {
  if (areInstalled() || process.env.CI === 'true') return false
  return 'needs the contract tools (node scripts/install-contract-tools.ts)'
}

/** Runs one of them to its end; it is told to report to nobody. */
export async function runContractTool(
  name: string,
  ...args: string[]
): Promise<{ status: number | null; output: string }> {
  const child = spawn(process.execPath, [contractTool(name), ...args], {
    cwd: CONTRACT_TOOLS,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...QUIET },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve))
  const [stdout, stderr] = await Promise.all([buffer(child.stdout), buffer(child.stderr)])
  return { status: await exited, output: `${stdout}${stderr}` }
}

/** The program's file, to be run by this same Node.js. */
export function contractTool(name: string): string {
  return join(CONTRACT_TOOLS, 'node_modules/.bin', name)
}

const QUIET = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true', NO_COLOR: '1' }

function areInstalled(): boolean {
  return existsSync(INSTALLED) && statSync(INSTALLED).mtimeMs >= statSync(LOCKFILE).mtimeMs
}

if (import.meta.main) installContractTools()
