// The bundles of console and webmail, as they are served.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { type TestContext, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { temporaryFolder } from '../../../test/support/temporary-folder.ts'
import { until } from '../../../test/support/until.ts'
import { type FrontEnd, openFrontEnd, sourcesOf } from './front-end.ts'

/** Of all that is fetched before the first page shows. ADR 45. */
const MOST_GZIP_OCTETS = 60 * 1024

for (const name of ['console', 'webmail'] as const) {
  test(`the ${name} is bundled under names of its content, within its weight, without maps`, async () => {
    const [first, second] = [await opened(name), await opened(name)]
    assert.deepEqual(first.addresses, second.addresses)
    assert.match(first.addresses.script, /^\/assets\/script\.[A-Z0-9]{8}\.js$/)
    assert.match(first.addresses.style, /^\/assets\/style\.[A-Z0-9]{8}\.css$/)
    const scripts = [first.addresses.script, ...first.preloads].map((address) => contentAt(first, address))
    const weight = scripts.reduce((sum, script) => sum + gzipSync(script).length, 0)
    assert(weight <= MOST_GZIP_OCTETS, `${weight} octets of script`)
    assert.deepEqual(
      [...first.assets.keys()].filter((asset) => !/\.[A-Z0-9]{8}\.(js|css)$/.test(asset)),
      [],
    )
  })
}

async function opened(name: 'console' | 'webmail'): Promise<FrontEnd> {
  return (await openFrontEnd(sourcesOf(name), { watch: false })).current()
}

function contentAt({ assets }: FrontEnd, address: string): Buffer {
  const content = assets.get(address.replace('/assets/', ''))
  assert(content, `${address} is not served`)
  return content.plain
}

test('what is watched follows its sources, with maps, and goes on when they were wrong', async (t) => {
  const folder = await sourceFolder(t)
  const write = (text: string) => writeFile(join(folder, 'main.tsx'), text)
  await writeFile(join(folder, 'style.css'), 'p { color: red }')
  await write('document.title = "first"')
  const frontEnd = await openFrontEnd(folder, { watch: true })
  try {
    const script = () => contentAt(frontEnd.current(), frontEnd.current().addresses.script).toString()
    assert.match(script(), /first.*sourceMappingURL=script\.\w+\.js\.map/s)
    await write('document.title = "second"')
    await until('it follows', async () => script().includes('second'))
    await write('document.title = ')
    await write('document.title = "third"')
    await until('it follows again', async () => script().includes('third'))
  } finally {
    await frontEnd.stop()
  }
})

test('the bundler of a watched front end ends with the process that was killed while it was busy', async (t) => {
  const folder = await sourceFolder(t)
  await writeFile(join(folder, 'style.css'), '')
  await writeFile(join(folder, 'main.tsx'), '')
  const code = `
    import { readFileSync } from 'node:fs'
    import { openFrontEnd } from '${new URL('front-end.ts', import.meta.url)}'
    await openFrontEnd(process.argv[1], { watch: true })
    process.stdout.write(readFileSync('/proc/self/task/' + process.pid + '/children', 'utf8'))
    // Longer than the bundler takes to ask whether it is still wanted.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2_500)
    process.kill(process.pid, 'SIGKILL')`
  const child = spawn(process.execPath, ['--input-type=module', '-e', code, folder], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const [bundlers, [, signal]] = await Promise.all([text(child.stdout), once(child, 'exit')])
  assert.equal(signal, 'SIGKILL')
  const [bundler] = bundlers.trim().split(' ').map(Number)
  assert(bundler)
  await until('the bundler is gone', async () => !existsSync(`/proc/${bundler}`))
})

test('a source that is wrong keeps a role from starting, and says where', async (t) => {
  const folder = await sourceFolder(t)
  await writeFile(join(folder, 'style.css'), '')
  await writeFile(join(folder, 'main.tsx'), 'const = 1')
  await assert.rejects(openFrontEnd(folder, { watch: false }), /main\.tsx:1:6/)
})

async function sourceFolder(t: TestContext): Promise<string> {
  const folder = await temporaryFolder('mdk-front-end-')
  t.after(() => rm(folder, { recursive: true }))
  return folder
}
