// The pages lead somewhere, and name every command and variable.
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { glob, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { test } from 'node:test'

const ROOT = new URL('..', import.meta.url).pathname
const pages = await Array.fromAsync(glob(['*.md', 'docs/**/*.md', 'sdk/*.md', 'examples/*.md'], { cwd: ROOT }))
const read = (path: string) => readFile(join(ROOT, path), 'utf8')

test('every relative link of every page leads to a file', async () => {
  let links = 0
  for (const page of pages) {
    for (const [, target] of (await read(page)).matchAll(/\]\((?!https?:|#|mailto:)([^)#\s]+)/g)) {
      assert(existsSync(join(ROOT, dirname(page), target as string)), `${page} → ${target}`)
      links += 1
    }
  }
  assert(links > 10)
})

test('every variable that is read is in the guide of operating', async () => {
  const variables = new Set((await read('src/config.ts')).match(/MDK_[A-Z_]+(?=: )/g))
  const guide = await read('docs/operate.md')
  assert(variables.size > 30)
  for (const variable of variables) assert(guide.includes(`\`${variable}\``), variable)
})

test('the README has the two commands that set everything up, and no other', async () => {
  const commands = [...(await read('README.md')).matchAll(/^npm .*$/gm)].map(([line]) => line)
  assert.deepEqual(commands, ['npm ci && npm start', 'npm ci && npm test'])
})
