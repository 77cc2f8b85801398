// The guide of the client: its blocks, one after the other, are one program, which compiles and runs.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import { startTestApi } from '../support/api.ts'
import { createTestDatabase } from '../support/database.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { createTestTenant } from '../support/tenant.ts'
import { codeBlocks } from './guide.ts'

const ROOT = new URL('../../', import.meta.url).pathname
const run = promisify(execFile)
const SECRET = `whsec_${Buffer.alloc(32, 'secret').toString('base64')}`

/** What a reader adds to try it: catches up, posts one signed event to the receiver and one that is not. */
const TRIAL = `
import { createHmac } from 'node:crypto'

const accepted: string[] = []
await catchUp(undefined, async (events, cursor) => void accepted.push(...events.map(({ type }) => type), cursor ? 'cursor' : ''))
console.log(accepted.join(' '))

receiver.listen(0, '127.0.0.1')
await new Promise((resolve) => receiver.once('listening', resolve))
const { port } = receiver.address() as { port: number }
const body = JSON.stringify({ id: 'e1', type: 'message.sent', data: {} })
const time = String(Math.floor(Date.now() / 1000))
for (const secret of [process.env.WEBHOOK_SECRET!, 'whsec_another']) {
  const headers = {
    'service-webhook-id': 'e1',
    'service-webhook-timestamp': time,
    'service-webhook-signature': 'v1=' + createHmac('sha256', secret).update('e1.' + time + '.' + body).digest('hex'),
  }
  console.log((await fetch('http://127.0.0.1:' + port, { method: 'POST', headers, body })).status)
}
receiver.close()
`

test('the blocks of the guide compile under strict rules, and do what the guide says', async () => {
  const folder = await temporaryFolder('typescript-guide-')
  after(() => rm(folder, { recursive: true, force: true }))
  const { database } = await createTestDatabase()
  const { url } = await startTestApi(database)
  const tenant = await createTestTenant(database)

  const blocks = (await codeBlocks('13-typescript.md')).filter(({ language }) => language === 'ts')
  assert.equal(blocks.length, 7)
  const source = [...blocks.map(({ code }) => code), TRIAL].join('\n')
  const program = join(folder, 'program.ts')
  await writeFile(program, source.replaceAll("'@mail-developer-api/client'", `'${join(ROOT, 'sdk/src/index.ts')}'`))
  const config = { extends: join(ROOT, 'tsconfig.json'), include: ['program.ts'] }
  const types = { typeRoots: [join(ROOT, 'node_modules/@types')], rootDir: '/', noUnusedLocals: false }
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ ...config, compilerOptions: types }))
  await writeFile(join(folder, 'package.json'), '{"type": "module"}')
  await run(process.execPath, [join(ROOT, 'node_modules/.bin/tsc'), '-p', folder]).catch((error) =>
    assert.fail(error.stdout),
  )

  const env = { BASE: url, KEY: tenant.key, WEBHOOK_SECRET: SECRET }
  const { stdout } = await run(process.execPath, [program], { env })
  const [id, refused, page, ...rest] = stdout.trim().split('\n')
  assert.match(id ?? '', /^[0-9a-f-]{36}$/)
  const guide = await readFile(join(ROOT, 'docs/guides/13-typescript.md'), 'utf8')
  assert.match(refused ?? '', /^validation_error – to\[0\]: must be an email address/)
  assert(guide.replaceAll('\n', ' ').includes(`\`${refused}\``), refused)
  assert.equal(page, '1 true')
  assert.deepEqual(rest.slice(0, 2), [' queued', 'Your order queued'])
  assert.match(rest.at(-4) ?? '', /cursor/)
  assert.deepEqual(rest.slice(-3), ['message.sent e1', '200', '400'])
})
