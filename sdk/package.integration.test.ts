// The package as it is published: how it is made, what is in it, how large it is, and that programs of other people's can
// use it, whatever they are written in.
import assert from 'node:assert/strict'
import { execFile, execFileSync } from 'node:child_process'
import { cp, glob, mkdir, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { contractTool, skipWithoutContractTools } from '../scripts/install-contract-tools.ts'
import { startTestApi } from '../test/support/api.ts'
import { createTestDatabase } from '../test/support/database.ts'
import { temporaryFolder } from '../test/support/temporary-folder.ts'
import { createTestTenant } from '../test/support/tenant.ts'

const SDK = new URL('.', import.meta.url).pathname
const ROOT = new URL('../', import.meta.url).pathname
const TSC = join(ROOT, 'node_modules/.bin/tsc')
/** Knows the way in which TypeScript looked for packages before it knew of `exports`. */
const OLDER_TSC = contractTool('tsc')
/** The Node.js that runs npm here, which may be older than ours: the package says 20 and newer. */
const THEIR_NODE = process.env.npm_node_execpath ?? process.execPath

const run = promisify(execFile)
const folder = await temporaryFolder('client-package-')
after(() => rm(folder, { recursive: true, force: true }))
const { database } = await createTestDatabase()
const { url } = await startTestApi(database)
const tenant = await createTestTenant(database)
const { version } = JSON.parse(await readFile(join(SDK, 'package.json'), 'utf8'))
const tarball = join(folder, `mail-developer-api-client-${version}.tgz`)

before(pack)

/** In a copy that lies outside the repository, beside the tools that `npm ci` brings there. */
async function pack(): Promise<void> {
  const alone = join(folder, 'alone')
  const sources = await Array.fromAsync(glob('src/*.ts', { cwd: SDK }))
  for (const file of ['package.json', 'build.js', 'tsconfig.json', 'README.md', 'LICENSE', 'test-vectors.json']) {
    await cp(join(SDK, file), join(alone, file))
  }
  for (const file of sources) await cp(join(SDK, file), join(alone, file))
  await mkdir(join(alone, 'node_modules/@types'), { recursive: true })
  for (const tool of ['typescript', '@types/node']) {
    await symlink(join(ROOT, 'node_modules', tool), join(alone, 'node_modules', tool))
  }
  await run('npm', ['pack', '--pack-destination', folder], { cwd: alone })
}

test('the folder alone packs to a package that is whole and small', async () => {
  const packed = execFileSync('tar', ['-tzf', tarball]).toString().trim().split('\n')
  const sources = (await readdir(join(SDK, 'src'))).filter((name) => !name.endsWith('.test.ts'))
  const compiled = sources.flatMap((name) => [name.replace('.ts', '.js'), name.replace('.ts', '.d.ts')])
  const dist = ['esm', 'cjs'].flatMap((form) => compiled.map((name) => `dist/${form}/${name}`))
  const others = ['LICENSE', 'README.md', 'package.json', 'test-vectors.json', 'dist/cjs/package.json']
  assert.deepEqual(packed.sort(), [...others, ...dist].map((path) => `package/${path}`).sort())
  assert.equal(await readFile(join(SDK, 'LICENSE'), 'utf8'), await readFile(join(ROOT, 'LICENSE'), 'utf8'))

  const said = Number(/about (\d+) kB/.exec(await readFile(join(SDK, 'README.md'), 'utf8'))?.[1])
  for (const form of ['esm', 'cjs']) {
    const scripts = compiled.filter((name) => name.endsWith('.js')).map((name) => join('alone/dist', form, name))
    const sizes = await Promise.all(scripts.map(async (path) => (await stat(join(folder, path))).size))
    const kilobytes = sizes.reduce((sum, size) => sum + size, 0) / 1000
    assert(Math.abs(kilobytes - said) < 3, `the README says ${said} kB, and ${form} is ${kilobytes}`)
  }
})

test('it is built with the tools of the service', async () => {
  const { devDependencies } = JSON.parse(await readFile(join(SDK, 'package.json'), 'utf8'))
  const ofService = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')).devDependencies
  const locked = JSON.parse(await readFile(join(SDK, 'package-lock.json'), 'utf8')).packages
  for (const [name, wanted] of Object.entries(devDependencies)) {
    assert.deepEqual([wanted, locked[`node_modules/${name}`].version], [ofService[name], ofService[name]], name)
  }
})

const TYPED = `
import { ApiError, type Event, MailDeveloperApi, type QueuedMessage, verifyWebhook } from '@mail-developer-api/client'

async function main(): Promise<void> {
  const api = new MailDeveloperApi({ baseUrl: process.env.BASE ?? '', apiKey: process.env.KEY ?? '' })
  const [mailbox] = await api.listMailboxes()
  if (!mailbox) throw new Error('no mailbox')
  const file = new Blob(['hello'])
  const attachment = await api.uploadFile({ mailboxId: mailbox.id, file, filename: 'hello.txt' })
  const queued: QueuedMessage = await api.sendMessage({
    fromMailboxId: mailbox.id, to: ['you@example.test'], subject: 'Hi', text: 'x', attachmentIds: [attachment.id],
  })
  // @ts-expect-error: its status is known.
  if (queued.status === 'unknown') throw new Error('a status that there is not')
  const types: Event['type'][] = []
  for await (const event of api.listEvents()) types.push(event.type)
  const [first] = (await api.listMessages({ limit: 1 })).items
  const code = await api.getMessage('none').catch((error: unknown) => (error instanceof ApiError ? error.code : error))
  console.log(JSON.stringify({ status: queued.status, subject: first?.subject, code, verifies: typeof verifyWebhook }))
}
main()
`
const PLAIN = `
async function main() {
  const api = new MailDeveloperApi({ baseUrl: process.env.BASE, apiKey: process.env.KEY })
  const [mailbox] = await api.listMailboxes()
  const input = { fromMailboxId: mailbox.id, to: ['you@example.test'], subject: 'Hi', text: 'x' }
  const { status } = await api.sendMessage(input)
  const [{ subject }] = (await api.listMessages({ limit: 1 })).items
  const code = await api.getMessage('none').catch((error) => error instanceof ApiError && error.code)
  console.log(JSON.stringify({ status, subject, code, verifies: typeof verifyWebhook }))
}
main()
`
const IMPORTED = `import { ApiError, MailDeveloperApi, verifyWebhook } from '@mail-developer-api/client'${PLAIN}`
const REQUIRED = `const { ApiError, MailDeveloperApi, verifyWebhook } = require('@mail-developer-api/client')${PLAIN}`

interface Project {
  type: 'module' | 'commonjs'
  source: string
  /** Of the compiler, for TypeScript. */
  options?: Record<string, string>
  tsc?: string
  skip?: string | false
}

const PROJECTS: Record<string, Project> = {
  'TypeScript as ES modules': { type: 'module', source: TYPED, options: { module: 'nodenext' } },
  'TypeScript as CommonJS, node16': { type: 'commonjs', source: TYPED, options: { module: 'node16' } },
  'TypeScript as CommonJS, nodenext': { type: 'commonjs', source: TYPED, options: { module: 'nodenext' } },
  'TypeScript for a bundler': {
    type: 'module',
    source: TYPED,
    options: { module: 'esnext', moduleResolution: 'bundler' },
  },
  'TypeScript as CommonJS, node10': {
    type: 'commonjs',
    source: TYPED,
    options: { module: 'commonjs', moduleResolution: 'node10' },
    tsc: OLDER_TSC,
    skip: skipWithoutContractTools(),
  },
  'JavaScript as ES modules': { type: 'module', source: IMPORTED },
  'JavaScript as CommonJS': { type: 'commonjs', source: REQUIRED },
}

for (const [name, { type, source, options, tsc = TSC, skip = false }] of Object.entries(PROJECTS)) {
  test(`${name}: a program installs it, compiles and runs`, { skip }, async () => {
    const project = await installInto(name, type)
    let program = join(project, 'program.js')
    await writeFile(options ? join(project, 'program.ts') : program, source)
    if (options) {
      const strict = { strict: true, target: 'es2022', esModuleInterop: true, outDir: 'out', rootDir: '.' }
      const types = { types: ['node'], typeRoots: [join(ROOT, 'node_modules/@types')] }
      const config = { compilerOptions: { ...strict, ...types, ...options }, files: ['program.ts'] }
      await writeFile(join(project, 'tsconfig.json'), JSON.stringify(config))
      await run(process.execPath, [tsc, '-p', project]).catch((error) => assert.fail(error.stdout))
      program = join(project, 'out/program.js')
    }
    // Not synchronously: the service answers from this process.
    const { stdout } = await run(THEIR_NODE, [program], { env: { BASE: url, KEY: tenant.key } })
    const said = { status: 'queued', subject: 'Hi', code: 'not_found', verifies: 'function' }
    assert.deepEqual(JSON.parse(stdout), said)
  })
}

test('both forms offer the same names and no default, and the files that other languages need', async () => {
  const project = await installInto('names', 'module')
  const source = `
    import { createRequire } from 'node:module'
    import * as imported from '@mail-developer-api/client'
    const require = createRequire(import.meta.url)
    const names = (offered) => Object.keys(offered).sort()
    const { vectors } = require('@mail-developer-api/client/test-vectors.json')
    const { name } = require('@mail-developer-api/client/package.json')
    const required = names(require('@mail-developer-api/client'))
    console.log(JSON.stringify({ imported: names(imported), required, vectors: vectors.length > 0, name }))`
  await writeFile(join(project, 'program.js'), source)
  const { stdout } = await run(THEIR_NODE, [join(project, 'program.js')])
  const { imported, required, vectors, name } = JSON.parse(stdout)
  const offered = [
    'ApiError',
    'ConnectionError',
    'MailDeveloperApi',
    'Pages',
    'WebhookVerificationError',
    'verifyWebhook',
  ]
  assert.deepEqual({ imported, required }, { imported: offered.toSorted(), required: offered.toSorted() })
  assert.deepEqual([vectors, name], [true, '@mail-developer-api/client'])
})

/** A project of somebody else's that has installed the package, from its file alone. */
async function installInto(name: string, type: string): Promise<string> {
  const project = join(folder, name.replace(/\W+/g, '-'))
  await mkdir(project)
  await writeFile(join(project, 'package.json'), JSON.stringify({ name: 'theirs', private: true, type }))
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', tarball], { cwd: project })
  return project
}
