// All unit tests in one process, within seconds: those that lie beside their subject as *.test.ts. What lies there as
// *.integration.test.ts needs a server, a thread, a socket, or a process of its own.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { glob } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { Worker } from 'node:worker_threads'
import { forbidServers } from './support/no-servers.ts'

const ROOT = new URL('..', import.meta.url).pathname
const tried = forbidServers()

test('a unit test that starts a process or a thread, listens or connects is stopped', () => {
  const starts = [() => spawn('true'), () => new Worker(''), () => createServer().listen(0), () => connect(9)]
  for (const start of starts) assert.throws(start, /integration/)
  assert.equal(tried.splice(0).length, starts.length)
})

const files = await Array.fromAsync(
  glob('{src,sdk,web}/**/!(*.integration).test.ts', { cwd: ROOT, exclude: ['**/node_modules/**'] }),
)
// A suite each, so that its hooks are its own.
for (const file of files.sort()) suite(file, () => import(join(ROOT, file)))

test('all unit tests have run, and none tried it and kept silent', () => {
  assert(files.length > 50)
  assert.deepEqual(tried, [])
})
