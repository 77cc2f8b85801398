// What an integrator meets first: the document, the reference page and the guides, all from this service alone.
import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { decodeHTML } from 'entities/decode'
import { FIELD_CODES, PROBLEM_CODES } from '../../src/access/problem.ts'
import { statusOf } from '../../src/servers/http/status-codes.ts'
import { startTestApi } from '../support/api.ts'
import { assertContract } from '../support/contract.ts'
import { createTestDatabase } from '../support/database.ts'
import { DOCUMENT } from '../support/openapi.ts'

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

test('every code of an error has a page that says what it means and what to do, and that its description leads to', async () => {
  const list = await get('/docs/errors')
  for (const code of PROBLEM_CODES) {
    const path = `/docs/errors/${code}`
    const { status, text } = await get(path)
    assert.equal(status, 200, path)
    assert(text.includes(`<h1 id="${code}">${code}</h1>`), path)
    for (const part of [`Status ${statusOf(code)}. `, '<strong>What to do.</strong> '])
      assert(text.includes(part), path)
    const example = JSON.parse(decodeHTML(/<pre><code class="language-json">(.*?)<\/code>/s.exec(text)?.[1] ?? ''))
    assert.deepEqual([example.code, example.error], [code, code])
    assertContract(
      'GET',
      '/v1/outside-the-contract',
      statusOf(code),
      new Headers({ 'x-request-id': example.requestId }),
      example,
    )
    assert(list.text.includes(`href="${path}"`), `${path} is listed`)
  }
  const described = new Set<string>()
  for (const operation of Object.values(DOCUMENT.paths).flatMap((operations) => Object.values(operations))) {
    for (const { content, description } of Object.values(operation.responses)) {
      for (const code of Object.keys(content?.['application/json']?.examples ?? {})) {
        assert(description.includes(`\`${code}\``) && description.includes(`(/docs/errors/${code})`), code)
        described.add(code)
      }
    }
  }
  // The others are of paths, roles and operators.
  const apart = ['forbidden', 'headers_too_large', 'invalid_signature', 'method_not_allowed']
  assert.deepEqual([...described, ...apart].sort(), [...PROBLEM_CODES].sort())
  const validation = (await get('/docs/errors/validation_error')).text
  for (const code of Object.keys(FIELD_CODES)) assert(validation.includes(`<code>${code}</code>`), code)
})

test('a code that a guide names leads to its page, and a search finds it first', async () => {
  assert.match((await get('/docs/guides/sending')).text, /<a href="\/docs\/errors\/[a-z_]+"><code>/)
  for (const code of ['webhook_verification_failed', 'idempotency_conflict']) {
    assert.equal((await search(code))[0]?.address, `/docs/errors/${code}`)
  }
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
