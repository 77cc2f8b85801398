import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { promisify } from 'node:util'
import { loadOrCreateSecretKeys } from './secret-key-file.ts'

async function temporaryFolder(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'secret-keys-'))
  t.after(() => rm(folder, { recursive: true }))
  return folder
}

test('a missing key file is made, readable by its owner alone, and read again later', async (t) => {
  const folder = await temporaryFolder(t)
  const path = join(folder, 'data', 'secret-keys')
  const [made] = await loadOrCreateSecretKeys(path)
  assert.equal(made.version, 1)
  assert.equal(made.key.symmetricKeySize, 32)
  assert.equal((await stat(path)).mode & 0o777, 0o600)
  assert.deepEqual(await readdir(join(folder, 'data')), ['secret-keys'])
  const [read] = await loadOrCreateSecretKeys(path)
  assert.ok(read.key.equals(made.key))
})

test('callers and processes that start at once agree on one key', async (t) => {
  const path = join(await temporaryFolder(t), 'secret-keys')
  const here = await Promise.all(Array.from({ length: 20 }, () => loadOrCreateSecretKeys(path)))
  assert.ok(here.every(([key]) => key.key.equals(here[0]?.[0].key as never)))

  const shared = join(await temporaryFolder(t), 'secret-keys')
  const program = `
    const { loadOrCreateSecretKeys } = await import(${JSON.stringify(import.meta.resolve('./secret-key-file.ts'))})
    const [first] = await loadOrCreateSecretKeys(process.argv[1])
    process.stdout.write(first.key.export().toString('hex'))`
  const starts = Array.from({ length: 4 }, () =>
    promisify(execFile)(process.execPath, ['--input-type=module', '-e', program, shared]),
  )
  const outputs = (await Promise.all(starts)).map(({ stdout }) => stdout)
  assert.match(outputs[0] ?? '', /^[0-9a-f]{64}$/)
  assert.equal(new Set(outputs).size, 1)
})

test('a file without keys is reported by its name and left as it is', async (t) => {
  const path = join(await temporaryFolder(t), 'secret-keys')
  await writeFile(path, 'not a key\n')
  await assert.rejects(loadOrCreateSecretKeys(path), (error: Error) => error.message.startsWith(`${path}: entry 1`))
  assert.equal((await stat(path)).size, 10)
})
