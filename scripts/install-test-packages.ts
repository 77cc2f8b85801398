// The Debian packages that some tests run real servers from: which are here, and how to get the others. Run as a
// program it installs what is missing; `npm test` does so first.
import { spawnSync } from 'node:child_process'
import { accessSync, constants, existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs'

/** A program of each package, by which its presence is known. */
const PACKAGES = {
  postfix: '/usr/sbin/postfix',
  'sasl2-bin': '/usr/sbin/saslpasswd2',
  // Makes system calls fail.
  strace: '/usr/bin/strace',
  // An S3-compatible server, in five parts.
  swift: '/usr/bin/swift-ring-builder',
  'swift-proxy': '/usr/bin/swift-proxy-server',
  'swift-account': '/usr/bin/swift-account-server',
  'swift-container': '/usr/bin/swift-container-server',
  'swift-object': '/usr/bin/swift-object-server',
  // Shifts the clock of one process.
  faketime: '/usr/bin/faketime',
  // For its pgbench, which the bench compares with, and its pg_dump, which the embedded server lacks.
  postgresql: '/usr/bin/pgbench',
  // Backs up a PostgreSQL of one's own.
  pgbackrest: '/usr/bin/pgbackrest',
  // Stands between us and PostgreSQL.
  pgbouncer: '/usr/sbin/pgbouncer',
  // Stands between us and clients.
  nginx: '/usr/sbin/nginx',
  // Chromium without windows: starts and draws at half the cost.
  'chromium-headless-shell': '/usr/bin/chromium-headless-shell',
  // For what the guides show in these languages.
  python3: '/usr/bin/python3',
  'php-cli': '/usr/bin/php',
  'golang-go': '/usr/bin/go',
} as const

export type TestPackage = keyof typeof PACKAGES

/** Needed by a package above at run time and known by no program of their own. */
const COMPANIONS: Partial<Record<TestPackage, string[]>> = { 'sasl2-bin': ['libsasl2-modules'] }

/** The path of a package's program. */
export function programOf(name: TestPackage): string {
  return PACKAGES[name]
}

/** Whether a package is installed. */
export function hasPackage(name: TestPackage): boolean {
  try {
    accessSync(PACKAGES[name], constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** Programs that anybody may run; the servers want root. */
const ROOTLESS = new Set<TestPackage>(['chromium-headless-shell', 'python3', 'php-cli', 'golang-go'])

/**
 * The `skip` option of a test that runs programs of these packages: false when it can run, else the reason, which also
 * goes to standard error. With CI=true it never skips, so that the test fails instead.
 */
export function skipWithout(...packages: TestPackage[]): string | false {
  const missing = packages.filter((name) => !hasPackage(name))
  const wantsRoot = packages.some((name) => !ROOTLESS.has(name)) && process.getuid?.() !== 0
  const lacks = missing.length > 0 ? `Debian package ${missing.join(', ')}` : wantsRoot ? 'root' : ''
  if (lacks === '' || process.env.CI === 'true') return false
  process.stderr.write(`TESTS SKIPPED: they need ${lacks} (node scripts/install-test-packages.ts, as root on Debian)\n`)
  return `needs ${lacks}`
}

/** Installs what is missing where that is possible, starts nothing, and says what it could not do. */
export function installTestPackages(): void {
  const missing = (Object.keys(PACKAGES) as TestPackage[]).filter((name) => !hasPackage(name))
  if (missing.length === 0) return
  const wanted = missing.flatMap((name) => [name, ...(COMPANIONS[name] ?? [])])
  if (process.getuid?.() === 0 && isDebian()) install(wanted)
  const absent = missing.filter((name) => !hasPackage(name))
  if (absent.length > 0) {
    process.stderr.write(`MISSING: Debian package ${absent.join(', ')}. Tests that need it are skipped.\n`)
  }
}

function isDebian(): boolean {
  return spawnSync('apt-get', ['--version'], { stdio: 'ignore' }).status === 0
}

function install(packages: string[]): void {
  const forbidden = forbidStarts()
  if (!hasPackageLists()) apt('update', '-qq')
  // Lists that are older than the archive name versions that are no longer there.
  if (!installNow(packages)) {
    apt('update', '-qq')
    installNow(packages)
  }
  if (forbidden) rmSync(START_POLICY)
}

/** Packages ask this program before they start the servers they bring; 101 is no (Debian Policy §9.3.3.1). */
const START_POLICY = '/usr/sbin/policy-rc.d'

/** True when there was no policy before. */
function forbidStarts(): boolean {
  if (existsSync(START_POLICY)) return false
  writeFileSync(START_POLICY, '#!/bin/sh\nexit 101\n', { mode: 0o755 })
  return true
}

function hasPackageLists(): boolean {
  return readdirSync('/var/lib/apt/lists').some((name) => name.endsWith('_Packages') || name.includes('_Packages.'))
}

function installNow(packages: string[]): boolean {
  return apt('install', '-y', '-qq', '--no-install-recommends', ...packages)
}

/** Progress goes to standard error: standard output belongs to whoever calls. */
function apt(...words: string[]): boolean {
  const { status } = spawnSync('apt-get', ['-o', 'DPkg::Lock::Timeout=300', ...words], {
    stdio: ['ignore', 2, 2],
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  })
  return status === 0
}

if (import.meta.main) installTestPackages()
