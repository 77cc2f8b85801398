// scripts/test.ts itself: whoever stops it is left with nothing that it has started.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { after, test } from 'node:test'
import { openDatabase, sql } from '../src/lib/sql.ts'
import { temporaryFolder } from './support/temporary-folder.ts'
import { until } from './support/until.ts'

const ROOT = join(import.meta.dirname, '..')

const ENDLESS = `import { writeFileSync } from 'node:fs'
import { test } from 'node:test'
test('does not end', () => new Promise(() => {
  setInterval(() => {}, 1_000)
  writeFileSync(process.env.STARTED, JSON.stringify({ pid: process.pid, url: process.env.MDK_TEST_SERVER_URL }))
}))
`

test('Ctrl-C ends the tests that run, their database and their folder', async () => {
  const folder = await temporaryFolder('mdk-runner-')
  after(() => rm(folder, { recursive: true, force: true }))
  const [file, started] = [join(folder, 'endless.test.ts'), join(folder, 'started')]
  await writeFile(file, ENDLESS)
  const { NODE_TEST_CONTEXT: _, ...env } = process.env
  const runner = spawn(process.execPath, ['scripts/test.ts', relative(ROOT, file)], {
    cwd: ROOT,
    env: { ...env, TMPDIR: folder, STARTED: started },
    stdio: 'ignore',
  })
  const ended = new Promise((resolve) => runner.once('exit', resolve))
  after(() => runner.kill('SIGKILL'))
  const { pid, url } = JSON.parse(
    await until('the test has begun', () => readFile(started, 'utf8').catch(() => undefined)),
  )
  runner.kill('SIGINT')
  assert.equal(await ended, 1)
  assert.throws(() => process.kill(pid, 0), { code: 'ESRCH' })
  const database = openDatabase({ url, connections: 1 })
  after(() => database.end())
  await assert.rejects(database.rows(sql`select 1`))
  assert.deepEqual((await readdir(folder)).sort(), ['endless.test.ts', 'started'])
})
