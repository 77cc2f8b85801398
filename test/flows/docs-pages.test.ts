// What an integrator meets first: the document, the reference page and the guides, all from this service alone.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { startTestApi } from '../support/api.ts'
import { createTestDatabase } from '../support/database.ts'

const { database } = await createTestDatabase()
const { url } = await startTestApi(database)

async function get(path: string) {
  const response = await fetch(url + path)
  return { status: response.status, headers: response.headers, text: await response.text() }
}

test('the document is served as it is committed', async () => {
  const { status, headers, text } = await get('/openapi.yaml')
  assert.equal(status, 200)
  assert.match(headers.get('content-type') ?? '', /yaml/)
  assert.equal(text, await readFile(new URL('../../openapi.yaml', import.meta.url), 'utf8'))
})

test('every page is there, asks nobody else for anything, and every link between them leads somewhere', async () => {
  const seen = new Set<string>()
  const open = ['/docs', '/docs/guides/quick-start']
  for (let path = open.pop(); path; path = open.pop()) {
    if (seen.has(path)) continue
    seen.add(path)
    const { status, headers, text } = await get(path)
    assert.equal(status, 200, path)
    if (!headers.get('content-type')?.startsWith('text/html')) continue
    assert.match(headers.get('content-security-policy') ?? '', /default-src 'none'.*script-src 'self'/)
    for (const [, target] of text.matchAll(/(?:href|src)="([^"]+)"/g)) {
      if (target === 'data:,') continue
      assert.match(target as string, /^\//, `${path} asks elsewhere: ${target}`)
      open.push(target as string)
    }
  }
  assert(seen.size > 14, [...seen].join(' '))
  assert.equal((await get('/docs/guides/nothing')).status, 404)
})
