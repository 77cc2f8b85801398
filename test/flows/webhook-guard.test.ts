// A delivery from end to end with nothing allowed beyond what is public: in a network of its own, where a public address
// leads to a local receiver.
import assert from 'node:assert/strict'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { createTestDatabase } from '../support/database.ts'
import { runInNamespace, whyNoNamespace } from '../support/network-namespace.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const file = (name: string) => fileURLToPath(new URL(name, import.meta.url))

test('with the guard live a delivery succeeds, and goes nowhere else when its name does', {
  skip: whyNoNamespace(),
}, async () => {
  // Reached over its socket, which is a file, from any network.
  const { url } = await createTestDatabase()
  const folder = await temporaryFolder('mdk-guard-')
  after(() => rm(folder, { recursive: true, force: true }))
  const hosts = join(folder, 'hosts')
  await writeFile(hosts, '127.0.0.1 localhost\n')
  const { NODE_TEST_CONTEXT: _of, ...environment } = process.env
  const env = { ...environment, TEST_DATABASE_URL: url, TEST_FOLDER: folder }
  const output = await runInNamespace([file('webhook-guard-inside.ts')], { hosts, env }).catch((error) =>
    assert.fail(`${error.stdout}\n${error.stderr}`),
  )
  assert.match(output, /^. pass 1$/m)
})
