// What an integrator meets first: the document, the reference page and the guides, all from this service alone.
import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { get as getRaw, type IncomingHttpHeaders } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { test } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
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
    assert.doesNotMatch(`${policy}${text}`, /unsafe-|<style|style=| on[a-z]+="/, path)
    const scripts = [...text.matchAll(/<script[^>]*>/g)]
    const hasForm = text.includes('<form id="try"')
    assert.equal(scripts.length, hasForm ? 1 : 0, `${path} runs nothing but the form`)
    assert.equal(policy.includes('script-src'), hasForm, path)
    for (const [, target = ''] of text.matchAll(/(?:href|src|action)="([^"]+)"/g)) {
      if (target === 'data:,') continue
      assert.match(target, /^[/#]/, `${path} asks elsewhere: ${target}`)
      const address = new URL(target, `${url}${path}`)
      open.push(address.pathname)
      if (address.hash) anchors.add(address.pathname + address.hash)
    }
  }
  for (const anchor of anchors) {
    const [path = '', id] = anchor.split('#')
    assert(pages.get(path)?.includes(` id="${id}"`), `no heading for ${anchor}`)
  }
  assert(anchors.size > 3)
  const guides = (await readdir(new URL('../../docs/guides/', import.meta.url))).length
  assert.equal([...pages.keys()].filter((path) => path.startsWith('/docs/guides/')).length, guides)
  const operations = Object.values(DOCUMENT.paths).flatMap((methods) => Object.values(methods))
  const reference = operations.length + Object.keys(DOCUMENT.webhooks).length
  assert.equal([...pages.keys()].filter((path) => path.startsWith('/docs/reference/')).length, reference)
  for (const path of [
    '/docs/guides/nothing',
    '/docs/reference/nothing',
    '/docs/assets/style.css',
    '/docs/assets/..%2froutes.ts',
  ]) {
    assert.equal((await get(path)).status, 404, path)
  }
})

test('a page of the reference says in words, without any script, all that the contract says of its operation', async () => {
  for (const [path, methods] of Object.entries(DOCUMENT.paths)) {
    for (const [method, { operationId, parameters = [], requestBody, responses }] of Object.entries(methods)) {
      const { text } = await get(`/docs/reference/${operationId}`)
      const successes = Object.entries(responses).filter(([status]) => status < '300')
      const contents = [requestBody, ...successes.map(([, answer]) => answer)]
      const shapes = contents.flatMap((each) => Object.values(each?.content ?? {}).map(({ schema }) => schema))
      const expected = [`${method.toUpperCase()} ${path}`, ...parameters.map(({ name }) => `<code>${name}</code>`)]
      for (const name of shapes.flatMap((shape) => namesIn(shape))) expected.push(`<code>${name}</code>`)
      for (const [status, { content }] of Object.entries(responses)) {
        expected.push(status, ...Object.keys(content?.['application/json']?.examples ?? {}))
      }
      for (const words of expected) assert(text.includes(words), `${operationId}: ${words}`)
    }
  }
})

/** The names of the fields of a shape, at whatever depth. */
function namesIn(schema: object, within: readonly string[] = []): string[] {
  return Object.entries(schema).flatMap(([key, value]) => {
    if (key === '$ref') {
      if (within.includes(value)) return []
      return namesIn(DOCUMENT.components.schemas[value.split('/').at(-1)] as object, [...within, value])
    }
    const own = key === 'properties' ? Object.keys(value) : []
    return [...own, ...(typeof value === 'object' && value !== null ? namesIn(value, within) : [])]
  })
}

test('what is served goes out compressed as the browser accepts it, and assets are kept for ever', async () => {
  const page = (await get('/docs/reference/sendMessage')).text
  const assets = [...page.matchAll(/"(\/docs\/assets\/[^"]+)"/g)].map(([, path = '']) => path)
  assert.deepEqual(assets.map((path) => path.replace(/\.[0-9a-f]{16}\./, '.')).sort(), [
    '/docs/assets/style.css',
    '/docs/assets/try-it.js',
  ])
  for (const path of ['/openapi.yaml', '/docs', '/docs/reference/sendMessage', '/docs/guides/sending', ...assets]) {
    const plain = await getAs(path, 'identity')
    assert.deepEqual([plain.headers['content-encoding'], plain.headers.vary], [undefined, 'accept-encoding'], path)
    for (const [accepted, encoding, decode] of [
      ['gzip, deflate, br, zstd', 'br', brotliDecompressSync],
      ['gzip', 'gzip', gunzipSync],
      ['br;q=0, gzip;q=0.5', 'gzip', gunzipSync],
    ] as const) {
      const { headers, body } = await getAs(path, accepted)
      assert.deepEqual([headers['content-encoding'], headers.vary], [encoding, 'accept-encoding'], path)
      assert.deepEqual(decode(body), plain.body, path)
      assert(body.length < plain.body.length * 0.6, `${path}: ${body.length} of ${plain.body.length} octets`)
    }
    const cached = plain.headers['cache-control']
    if (assets.includes(path)) assert.equal(cached, 'public, max-age=31536000, immutable')
    else assert.equal(cached, 'no-store')
  }
})

/** The octets as they come. */
function getAs(path: string, acceptEncoding: string): Promise<{ headers: IncomingHttpHeaders; body: Buffer }> {
  return new Promise((resolve, reject) => {
    const request = getRaw(url + path, { headers: { 'accept-encoding': acceptEncoding } }, (response) => {
      buffer(response).then((body) => resolve({ headers: response.headers, body }), reject)
    })
    request.on('error', reject)
  })
}

test('a service that gives no key asks for one', async () => {
  assert.equal((await get('/docs/key')).status, 404)
  assert.doesNotMatch((await get('/docs/reference/sendMessage')).text, /data-key|mdk_(live|test)_[0-9A-Za-z]/)
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
    const example = JSON.parse(decodeHTML(/<pre tabindex="0"><code>(.*?)<\/code>/s.exec(text)?.[1] ?? ''))
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
        assert(description.includes(`[\`${code}\`](/docs/errors/${code})`), code)
        described.add(code)
      }
    }
  }
  // The others are of paths, people and operators.
  const apart = [
    'being_submitted',
    'content_hidden',
    'cross_site_refused',
    'draft_changed',
    'draft_due',
    'headers_too_large',
    'invalid_signature',
    'method_not_allowed',
    'not_allowed',
    'not_on_its_way',
    'not_signed_in',
    'second_factor_required',
    'sign_in_again',
  ]
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
    const address = '/docs/reference/replayWebhookDelivery'
    assert((await search(query)).some((finding) => finding.address === address, query))
  }
  for (const name of ['getAttachmentDownloadUrl', 'sendMessage', 'getBlob']) {
    assert.equal((await search(name))[0]?.address, `/docs/reference/${name}`, 'by the name of an operation')
  }
  assert.equal((await search('isStarred'))[0]?.address, '/docs/reference/updateMessage', 'by the name of a field')
  assert.equal((await search('message.bounced'))[0]?.address, '/docs/reference/on.message.bounced')
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
