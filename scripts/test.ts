// Runs the tests: `npm test` all of them, after formatter, linter and types; `npm test -- PATH …` only those files; with
// `--times`, on Linux, it ends with what each file took. Starts one PostgreSQL server for them all, and installs what they
// need beyond npm where it can.
import { spawn } from 'node:child_process'
import { glob, mkdir, readFile, rm, statfs, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { run } from 'node:test'
import { spec } from 'node:test/reporters'
import { parse } from 'yaml'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../src/lib/embedded-postgres.ts'
import { assertRuntime } from '../src/lib/runtime.ts'
import { openDatabase } from '../src/lib/sql.ts'
import { copyFolder, prepareTemplate } from '../test/support/database.ts'
import { temporaryFolder } from '../test/support/temporary-folder.ts'
import { describeTimes } from './file-times.ts'
import { installContractTools } from './install-contract-tools.ts'
import { installTestPackages } from './install-test-packages.ts'

/**
 * The longest begin, as `--times` shows them: one that begins late runs alone at the end. The short ones fill the gaps.
 * docs/adr/0050-a-suite-in-eight-minutes.md
 */
const FILES = [
  'test/faults/{slow-store,database,kill,webhooks,connections,uploads,no-writes,inbound,object-store,stopped}.test.ts',
  'test/flows/{mail-frame,console-screens,console-stories,console-owner-stories,sign-in-browser,docs-browser,dev}.test.ts',
  'test/flows/{cli,console-hostile,reports-postfix,webmail-list,webmail-screens}.test.ts',
  'test/flows/{webmail-reading,webmail-memory,webmail-drafts-stories,relay-outage}.test.ts',
  'test/faults/*.test.ts',
  'test/flows/{secret-keys,inbound-limits,changes,inbound,attachments,slow-tenant,relay-postfix}.test.ts',
  'test/unit.test.ts',
  '{sdk,src}/**/*.integration.test.ts',
  'test/{contract,examples,fuzz}/*.test.ts',
  'test/flows/*.test.ts',
  'test/**/*.test.ts',
]
const ONE_TEST_WITHIN_MS = 180_000
/** On two cores: most of them wait for processes and for time to pass. */
const FILES_AT_ONCE = 6
/** Where Linux keeps files in memory. */
const MEMORY = '/dev/shm'
/** Twice what the databases of the files that run take, with the server's log. */
const MEMORY_WANTED_BYTES = 4 * 1024 ** 3
/** What tests write is thrown away; the tests of durability start servers of their own. */
const CARELESS = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '300' }

assertRuntime()
process.chdir(new URL('..', import.meta.url).pathname)
const chosen = process.argv.slice(2).filter((word) => word !== '--times')
const timed = process.argv.includes('--times')
if (chosen.length === 0) await checkAll()
installTestPackages()
installContractTools()

/** Ctrl-C ends the files that run, and then what was started for them. */
const stopping = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort())

const folder = await temporaryFolder('mdk-tests-', await placeOfDatabase())
const [cluster, shared] = [join(folder, 'cluster'), join(folder, 'shared')]
await prepareCluster()
await mkdir(shared, { mode: 0o711 })
await copyFolder(cluster, shared)
const postgres = await startPostgres(shared)
let status: number
try {
  status = await runFiles(chosen.length > 0 ? chosen : await allFiles())
} finally {
  await postgres.stop()
  await rm(folder, { recursive: true, force: true })
}
process.exit(status)

function startPostgres(dataDir: string): Promise<EmbeddedPostgres> {
  const log = { info: () => {}, error: (message: string) => void process.stderr.write(`${message}\n`) }
  return startEmbeddedPostgres({ dataDir, hold: 'service', log, settings: CARELESS })
}

/** A data folder with the migrated template, which every server of the tests begins from. */
async function prepareCluster(): Promise<void> {
  const server = await startPostgres(cluster)
  const admin = openDatabase({ url: server.url, connections: 1 })
  await prepareTemplate(admin, server.url)
  await admin.end()
  await server.stop()
}

/** The contract as JSON, which each test file reads in a hundredth of the time that YAML takes. */
async function writeContract(): Promise<string> {
  const path = join(folder, 'openapi.json')
  await writeFile(path, JSON.stringify(parse(await readFile('openapi.yaml', 'utf8'))))
  return path
}

/** In memory where that has room and nobody names another place: a disk takes longer to copy a database than to use it. */
async function placeOfDatabase(): Promise<string> {
  if (process.env.TMPDIR) return tmpdir()
  const { bavail, bsize } = await statfs(MEMORY).catch(() => ({ bavail: 0, bsize: 0 }))
  return bavail * bsize >= MEMORY_WANTED_BYTES ? MEMORY : tmpdir()
}

/**
 * Formatter, linter and types, at the same time; ends here when one of them finds something. A second checker of types would
 * look at half of it again.
 */
async function checkAll(): Promise<void> {
  const statuses = await Promise.all([
    check('biome', ['ci', '.']),
    check('tsc', ['--noEmit', '--checkers', '1', '-p', '.']),
    check('tsc', ['--noEmit', '--checkers', '1', '-p', 'web']),
  ])
  const failed = statuses.find((status) => status !== 0)
  if (failed !== undefined) process.exit(failed ?? 1)
}

/** Runs a checker of node_modules/.bin. Gives its exit status. */
function check(name: string, args: string[]): Promise<number | null> {
  const child = spawn(join('node_modules/.bin', name), args, { stdio: 'inherit' })
  return new Promise((resolve, reject) => child.once('exit', resolve).once('error', reject))
}

async function allFiles(): Promise<string[]> {
  const files = new Set<string>()
  for (const pattern of FILES) {
    for await (const file of glob(pattern, { exclude: ['**/node_modules/**'] })) files.add(file)
  }
  return [...files]
}

/** Gives the exit status: 0 only when every test ran and passed. A skip counts as a failure in CI. */
async function runFiles(files: string[]): Promise<number> {
  const skipped: string[] = []
  let failed = false
  process.env.MDK_TEST_SERVER_URL = postgres.url
  process.env.MDK_TEST_CLUSTER = cluster
  process.env.MDK_TEST_CONTRACT = await writeContract()
  // As bin/mdk has it: every file loads much the same modules.
  process.env.NODE_COMPILE_CACHE ??= join(process.cwd(), 'node_modules/.cache/mdk')
  const times = join(folder, 'times')
  if (timed) process.env.MDK_TEST_TIMES = times
  const events = run({
    files: files.map((file) => join(process.cwd(), file)),
    concurrency: FILES_AT_ONCE,
    timeout: ONE_TEST_WITHIN_MS,
    signal: stopping.signal,
    execArgv: timed ? ['--import', './scripts/file-times.ts'] : [],
  })
  events.on('test:fail', () => {
    failed = true
  })
  events.on('test:pass', ({ name, skip, todo }) => {
    if (skip !== undefined || todo !== undefined) skipped.push(name)
  })
  await new Promise<void>((resolve) => {
    const report = events.compose(new spec())
    report.pipe(process.stdout, { end: false })
    report.once('end', resolve)
  })
  if (timed) process.stdout.write(describeTimes(times))
  if (skipped.length > 0) process.stderr.write(`SKIPPED:\n${skipped.map((name) => `  ${name}\n`).join('')}`)
  return failed || (skipped.length > 0 && process.env.CI === 'true') ? 1 : 0
}
