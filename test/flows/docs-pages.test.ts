// What an integrator meets first: the document, the reference page and the guides, all from this service alone.
import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { startTestApi } from '../support/api.ts'
import { createTestDatabase } from '../support/database.ts'

const { database } = await createTestDatabase()
const { url } = await startTestApi(database)

async function get(path: string) {
  const response = await fetch(url + path)
  return { status: response.status, headers: response.headers, text: await response.text() }
}

/** The addresses and headings that a search gives, best first. */
async function search(query: string) {
  const { status, text } = await get(`/docs/search?q=${encodeURIComponent(query)}`)
  assert.equal(status, 200)
  return [...text.matchAll(/<li><a href="([^"]+)">(.*?)<\/a>/g)].map(([, address, heading]) => ({
    address,
    heading: heading?.replace(/<\/?mark>/g, ''),
  }))
}

test('the document is served as it is committed', async () => {
  const { status, headers, text } = await get('/openapi.yaml')
  assert.equal(status, 200)
  assert.match(headers.get('content-type') ?? '', /yaml/)
  assert.equal(text, await readFile(new URL('../../openapi.yaml', import.meta.url), 'utf8'))
})

test('every page is there, asks nobody else for anything, and every link between them leads somewhere', async () => {
  const pages = new Map<string, string>()
  const anchors = new Set<string>()
  const open = ['/docs', '/docs/search?q=replay']
  for (let path = open.pop(); path; path = open.pop()) {
    if (pages.has(path)) continue
    const { status, headers, text } = await get(path)
    pages.set(path, text)
    assert.equal(status, 200, path)
    if (!headers.get('content-type')?.startsWith('text/html')) continue
    const policy = headers.get('content-security-policy') ?? ''
    assert.match(policy, /^default-src 'none';/)
    if (path !== '/docs') assert.doesNotMatch(`${policy}${text}`, /<script|script-src|unsafe-/, `${path} runs nothing`)
    for (const [, target = ''] of text.matchAll(/(?:href|src|action)="([^"]+)"/g)) {
      if (target === 'data:,') continue
      assert.match(target, /^[/#]/, `${path} asks elsewhere: ${target}`)
      const address = new URL(target, `${url}${path}`)
      open.push(address.pathname)
      if (address.hash && address.pathname !== '/docs') anchors.add(address.pathname + address.hash)
    }
  }
  for (const anchor of anchors) {
    const [path = '', id] = anchor.split('#')
    assert(pages.get(path)?.includes(` id="${id}"`), `no heading for ${anchor}`)
  }
  assert(anchors.size > 3)
  const guides = (await readdir(new URL('../../docs/guides/', import.meta.url))).length
  assert.equal([...pages.keys()].filter((path) => path.startsWith('/docs/guides/')).length, guides)
  assert.equal((await get('/docs/guides/nothing')).status, 404)
})

test('a search finds passages and operations by whole, begun and mistyped words, the best first', async () => {
  const [first] = await search('verify every delivery')
  assert.equal(first?.address, '/docs/guides/webhooks#verify-every-delivery')
  for (const query of ['replay a delivery', 'replayWebhookDelivery']) {
    const address = '/docs#tag/webhooks/POST/v1/webhook-deliveries/{deliveryId}/replay'
    assert((await search(query)).some((finding) => finding.address === address, query))
  }
  assert.deepEqual(await search('idempotency_conf'), await search('Idempotency CONF'))
  assert((await search('idempotncy')).some(({ heading }) => heading === 'Idempotency'))
  assert.deepEqual(await search('zzyzx'), [])
  assert.deepEqual(await search('replay zzyzx'), await search('replay'), 'some of the words, when none has all')
})

test('whatever is searched for is shown as text', async () => {
  const hostile = '"><script>alert(1)</script>&'
  const { text } = await get(`/docs/search?q=${encodeURIComponent(hostile)}`)
  assert.doesNotMatch(text, /<script/)
  assert(text.includes('value="&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;&amp;"'))
  for (const query of ['', '?q=', '?q=a&q=b', `?q=${'x'.repeat(5_000)}`, '?q=.*', '?q=%F0%9F%93%8E', '?other=1']) {
    assert.equal((await get(`/docs/search${query}`)).status, 200, query)
  }
})
