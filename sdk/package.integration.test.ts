// The package as it is published: what is in it, how large it is, and that a program of somebody else's can use it.
import assert from 'node:assert/strict'
import { execFile, execFileSync } from 'node:child_process'
import { cp, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import { startTestApi } from '../test/support/api.ts'
import { createTestDatabase } from '../test/support/database.ts'
import { temporaryFolder } from '../test/support/temporary-folder.ts'
import { createTestTenant } from '../test/support/tenant.ts'

const SDK = new URL('.', import.meta.url).pathname
const ROOT = new URL('../', import.meta.url).pathname
const TSC = join(ROOT, 'node_modules/.bin/tsc')
/** The Node.js that runs npm here, which may be older than ours: the package says 20 and newer. */
const THEIR_NODE = process.env.npm_node_execpath ?? process.execPath

const folder = await temporaryFolder('client-package-')
after(() => rm(folder, { recursive: true, force: true }))
const { database } = await createTestDatabase()
const { url } = await startTestApi(database)
const tenant = await createTestTenant(database)

const program = `
import { ApiError, type Event, MailDeveloperApi, type QueuedMessage, verifyWebhook } from '@mail-developer-api/client'

const api = new MailDeveloperApi({ baseUrl: process.env.BASE ?? '', apiKey: process.env.KEY ?? '' })
const [mailbox] = await api.listMailboxes()
if (!mailbox) throw new Error('no mailbox')
const attachment = await api.uploadFile({ mailboxId: mailbox.id, file: new Blob(['hello']), filename: 'hello.txt' })
const queued: QueuedMessage = await api.sendMessage({
  fromMailboxId: mailbox.id, to: ['you@example.test'], subject: 'Hi', text: 'x', attachmentIds: [attachment.id],
})
const types: Event['type'][] = []
for await (const event of api.listEvents()) types.push(event.type)
const subjects: string[] = []
for await (const message of api.listMessages({ limit: 1 })) subjects.push(message.subject)
const code = await api.getMessage('none').catch((error: unknown) => (error instanceof ApiError ? error.code : error))
console.log(JSON.stringify({ status: queued.status, subjects, code, verifies: typeof verifyWebhook }))
`

test('what is packed is small, whole and usable by a strict TypeScript program', async () => {
  // Built beside the sources, which others read at this moment.
  const built = join(folder, 'built')
  await mkdir(built)
  for (const file of ['package.json', 'README.md', 'LICENSE', 'test-vectors.json']) {
    await cp(join(SDK, file), join(built, file))
  }
  execFileSync(TSC, ['-p', join(SDK, 'tsconfig.json'), '--outDir', join(built, 'dist')])
  const pack = ['pack', '--json', '--ignore-scripts', '--pack-destination', folder]
  const [packed] = JSON.parse(execFileSync('npm', pack, { cwd: built }).toString()) as [
    { filename: string; files: { path: string }[] },
  ]
  const sources = (await readdir(join(SDK, 'src'))).filter((name) => !name.endsWith('.test.ts'))
  const compiled = sources.flatMap((name) => [name.replace('.ts', '.js'), name.replace('.ts', '.d.ts')])
  assert.deepEqual(
    packed.files.map(({ path }) => path).sort(),
    ['LICENSE', 'README.md', 'package.json', 'test-vectors.json', ...compiled.map((name) => `dist/${name}`)].sort(),
  )
  assert.equal(await readFile(join(SDK, 'LICENSE'), 'utf8'), await readFile(join(ROOT, 'LICENSE'), 'utf8'))

  const said = Number(/The JavaScript is about (\d+) kB/.exec(await readFile(join(SDK, 'README.md'), 'utf8'))?.[1])
  const scripts = compiled.filter((name) => name.endsWith('.js'))
  const sizes = await Promise.all(scripts.map(async (name) => (await stat(join(built, 'dist', name))).size))
  const kilobytes = sizes.reduce((sum, size) => sum + size, 0) / 1000
  assert(Math.abs(kilobytes - said) < 2, `the README says ${said} kB, and it is ${kilobytes}`)

  const theirs = join(folder, 'theirs')
  const installed = join(theirs, 'node_modules/@mail-developer-api/client')
  await mkdir(installed, { recursive: true })
  execFileSync('tar', ['-xzf', join(folder, packed.filename), '--strip-components=1', '-C', installed])
  await writeFile(join(theirs, 'package.json'), '{"type": "module"}')
  await writeFile(join(theirs, 'program.ts'), program)
  await writeFile(
    join(theirs, 'tsconfig.json'),
    JSON.stringify({
      compilerOptions: {
        strict: true,
        target: 'es2022',
        module: 'nodenext',
        types: ['node'],
        typeRoots: [join(ROOT, 'node_modules/@types')],
        outDir: 'out',
        rootDir: '.',
      },
      files: ['program.ts'],
    }),
  )
  execFileSync(TSC, ['-p', theirs])
  const env = { BASE: url, KEY: tenant.key }
  // Not synchronously: the service answers from this process.
  const { stdout } = await promisify(execFile)(THEIR_NODE, [join(theirs, 'out/program.js')], { env })
  assert.deepEqual(JSON.parse(stdout), {
    status: 'queued',
    subjects: ['Hi'],
    code: 'not_found',
    verifies: 'function',
  })
})
