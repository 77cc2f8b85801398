// What a new operation takes: one file and its place in one list. A copy of the project gets one, and all else follows:
// who may ask, what is well-formed, the contract and the search of the docs.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { cp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import { parse } from 'yaml'
import { temporaryFolder } from '../support/temporary-folder.ts'

const ROOT = new URL('../..', import.meta.url).pathname
const COPIED = ['src', 'scripts', 'test/support', 'package.json', 'openapi.yaml']
const LINKED = ['node_modules', 'migrations', 'docs']

const FILE = `import { Type } from '../../lib/schema-types.ts'
import { Closed } from '../../lib/schemas.ts'
import type { Db } from '../../lib/sql.ts'
import { listMailboxes } from '../../mailboxes/list-mailboxes.ts'
import { defineOperation } from './operation.ts'

export default defineOperation(
  {
    name: 'countMailboxes',
    method: 'GET',
    path: '/v1/mailboxes/count',
    auth: 'key',
    scope: 'mailboxes:read',
    query: Type.Object({ letter: Type.String({ maxLength: 1 }) }),
    answers: { 200: Closed({ count: Type.Integer() }) },
    words: {
      tag: 'Mailboxes',
      summary: 'Count mailboxes',
      description: 'How many begin with a letter, which a zebrafish would know.',
      errors: ['mailbox_suspended'],
      examples: { answer: { count: 3 } },
    },
  },
  ({ database }: { database: Db }) =>
    async ({ actor, query: { letter } }) => {
      const mailboxes = await listMailboxes(database, actor)
      return { count: mailboxes.filter(({ address }) => address.startsWith(letter)).length }
    },
)
`

const copy = await copyProject()
// It has a contract of its own, which its answers are held against.
delete process.env.MDK_TEST_CONTRACT
const { call, startTestApi } = await loadCopied<typeof import('../support/api.ts')>('test/support/api.ts')
const { createTestDatabase } = await loadCopied<typeof import('../support/database.ts')>('test/support/database.ts')
const { createTestTenant } = await loadCopied<typeof import('../support/tenant.ts')>('test/support/tenant.ts')
const { database } = await createTestDatabase()
const { url } = await startTestApi(database)
const { key } = await createTestTenant(database)
const stranger = await createTestTenant(database, { scopes: ['messages:read'] })

const count = (letter: string, options: { key?: string } = {}) =>
  call(url, 'GET', `/v1/mailboxes/count?letter=${letter}`, options)

test('it is served to whoever has a key with its scope, and to nobody else', async () => {
  const answer = await count('s', { key })
  assert.deepEqual([answer.status, answer.body], [200, { count: 1 }])
  assert.deepEqual((await count('x', { key })).body, { count: 0 })
  const unknown = await count('s')
  assert.deepEqual([unknown.status, unknown.body.code], [401, 'invalid_api_key'])
  const unfit = await count('s', stranger)
  assert.deepEqual(
    [unfit.status, unfit.body.code, unfit.body.details],
    [403, 'insufficient_scope', { required: ['mailboxes:read'] }],
  )
})

test('what its shapes do not allow is refused', async () => {
  const answer = await count('se', { key })
  assert.deepEqual([answer.status, answer.body.code], [400, 'validation_error'])
  assert.deepEqual(answer.body.details.fields, [
    { path: 'letter', code: 'too_long', message: 'must have at most 1 character' },
  ])
})

test('so is a parameter that it does not have', async () => {
  const { status, body } = await count('s&colour=red', { key })
  assert.deepEqual([status, body.details.fields[0].path, body.details.fields[0].code], [400, 'colour', 'unknown_field'])
})

test('the contract has it with its words, its scope, its parameters and its errors', async () => {
  const { paths } = parse(await readFile(join(copy, 'openapi.yaml'), 'utf8'))
  const { get } = paths['/v1/mailboxes/count']
  assert.deepEqual([get.operationId, get.tags, get.summary], ['countMailboxes', ['Mailboxes'], 'Count mailboxes'])
  assert.match(get.description, /zebrafish/)
  assert.deepEqual(get['x-required-scopes'], ['mailboxes:read'])
  assert.deepEqual([get.parameters[0].name, get.parameters[0].required], ['letter', true])
  assert.deepEqual(get.responses[200].content['application/json'].example, { count: 3 })
  assert.match(get.responses[400].description, /validation_error/)
  assert.match(get.responses[403].description, /insufficient_scope[\s\S]*mailbox_suspended/)
})

test('the search of the docs finds it', async () => {
  const { body } = await call(url, 'GET', '/docs/search?q=zebrafish')
  assert.match(body, /href="\/docs\/reference\/countMailboxes"/)
})

test('the reference has a page of it', async () => {
  const { body } = await call(url, 'GET', '/docs/reference/countMailboxes')
  for (const words of ['Count mailboxes', '/v1/mailboxes/count', 'zebrafish', 'letter']) assert(body.includes(words))
})

/** The copy, with one file and one line more, and its contract made anew. */
async function copyProject(): Promise<string> {
  const folder = await temporaryFolder('new-operation-')
  after(() => rm(folder, { recursive: true, force: true }))
  for (const path of COPIED) await cp(join(ROOT, path), join(folder, path), { recursive: true })
  for (const path of LINKED) await symlink(join(ROOT, path), join(folder, path))
  await writeFile(join(folder, 'src/servers/api/count-mailboxes.ts'), FILE)
  const list = join(folder, 'src/servers/api/operations.ts')
  const text = await readFile(list, 'utf8')
  const line = "import countMailboxes from './count-mailboxes.ts'\n"
  await writeFile(list, line + text.replace('  listDomains,\n', '  countMailboxes,\n  listDomains,\n'))
  await promisify(execFile)(process.execPath, [join(folder, 'scripts/openapi.ts')])
  return folder
}

async function loadCopied<Module>(path: string): Promise<Module> {
  return import(join(copy, path))
}
