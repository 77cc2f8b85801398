import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { assertRuntime, pinnedNodeVersion } from './runtime.ts'

const run = promisify(execFile)
const root = join(import.meta.dirname, '../..')
let folder: string

before(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'mdk-runtime-')))
})
after(() => rm(folder, { recursive: true }))

test('the running Node.js is the pinned one', () => {
  assert.equal(process.versions.node, pinnedNodeVersion(process.platform, process.arch))
  assertRuntime()
})

test('another Node.js is refused with words that say what to do', () => {
  assert.throws(() => assertRuntime('20.0.0'), /not on 20\.0\.0: run "npm ci"/)
  assert.throws(() => pinnedNodeVersion('sunos', 'x64'), /no Node\.js is pinned for sunos x64/)
})

/** A package of its own with our executable, whose main prints how it was run. */
async function install(place: string): Promise<string> {
  await mkdir(join(place, 'bin'), { recursive: true })
  await mkdir(join(place, 'src'))
  await cp(join(root, 'bin/mdk'), join(place, 'bin/mdk'))
  await writeFile(
    join(place, 'src/main.ts'),
    'const { pid, versions, argv }: NodeJS.Process = process\nconsole.log(JSON.stringify([pid, versions.node, argv.slice(2)]))',
  )
  return join(place, 'bin/mdk')
}

test('bin/mdk becomes the pinned Node.js, keeps its arguments, and is found through links and from a workspace', async () => {
  const executable = await install(join(folder, 'work space/packages/mdk'))
  await symlink(join(root, 'node_modules'), join(folder, 'work space/node_modules'))
  await symlink(executable, join(folder, 'absolute'))
  await symlink('absolute', join(folder, 'relative'))

  for (const path of [executable, join(folder, 'absolute'), join(folder, 'relative')]) {
    const child = run(path, ['serve', 'two words', ''], { cwd: '/' })
    const { stdout, stderr } = await child
    assert.deepEqual(JSON.parse(stdout), [child.child.pid, process.versions.node, ['serve', 'two words', '']])
    assert.equal(stderr, '')
  }
})

test('bin/mdk without dependencies says in one line how to install them', async () => {
  const executable = await install(join(folder, 'bare'))
  await assert.rejects(run(executable), (error: Error & { stderr: string; code: number }) => {
    assert.equal(error.stderr, `mdk: dependencies are not installed; run: cd '${join(folder, 'bare')}' && npm ci\n`)
    assert.equal(error.code, 1)
    return true
  })
})
