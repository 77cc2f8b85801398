// What an integrator is told who got something wrong: where it is, what was meant most likely, and where to read on.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '../../src/lib/uuid.ts'
import { call, send, startTestApi } from '../support/api.ts'
import { createTestDatabase } from '../support/database.ts'
import { createTestTenant } from '../support/tenant.ts'

const { database } = await createTestDatabase()
const { url } = await startTestApi(database)
const tenant = await createTestTenant(database)
const { key, mailboxId } = tenant

interface Fault {
  path: string
  code: string
  message: string
}

const mail = (change: object) => ({ fromMailboxId: mailboxId, to: ['a@example.test'], text: 'x', ...change })
const patch = (body: unknown) => call(url, 'PATCH', `/v1/messages/${newId()}`, { key, body })
const post = (path: string, body: unknown) =>
  call(url, 'POST', path, { key, body, headers: { 'idempotency-key': newId() } })

/** The faults of a request that is not valid, each in a line. @throws AssertionError where one field has two */
function faultsIn({ status, body }: Awaited<ReturnType<typeof call>>): string[] {
  assert.deepEqual([status, body.code], [400, 'validation_error'], JSON.stringify(body))
  const fields: Fault[] = body.details.fields
  assert.deepEqual(
    fields.map(({ path }) => path),
    [...new Set(fields.map(({ path }) => path))],
    'one fault for each field',
  )
  return fields.map(({ path, code, message }) => `${path} ${code}: ${message}`)
}

test('a path that does not exist says so and points to the docs, whoever asks and however', async () => {
  const paths = [
    '/',
    '/docs/',
    '/v1',
    '/v1/',
    '/v1/message',
    '/v1/messages/',
    `/v1/messages/${newId()}/nothing`,
    '/v2/messages',
  ]
  const odd = ['//v1/messages', '/v1/messages/%zz', '/v1/blobs/', '/.env', '/docs/style']
  for (const path of [...paths, ...odd]) {
    for (const method of ['GET', 'POST', 'DELETE']) {
      for (const with_ of [{}, { key }]) {
        const { status, body } = await call(url, method, path, with_)
        assert.deepEqual([status, body.code], [404, 'not_found'], `${method} ${path}`)
        assert.match(body.message, /path does not exist.*\/docs/, `${method} ${path}`)
        assert.doesNotMatch(body.message, /credential|key/i, `${method} ${path}`)
      }
    }
  }
})

test('an id that is longer than any is at no path', async () => {
  const { status, body } = await call(url, 'GET', `/v1/messages/${'a'.repeat(600)}`)
  assert.deepEqual([status, body.message], [404, 'This path does not exist. See /docs for those that do.'])
})

test('pages that are not there say where those are that are', async () => {
  for (const [path, list] of [
    ['/docs/guides/nothing', '/docs/guides'],
    ['/docs/errors/nothing', '/docs/errors'],
  ] as const) {
    const { status, body } = await call(url, 'GET', path)
    assert.equal(status, 404)
    assert(body.message.includes(list), body.message)
  }
})

test('another method than a path takes is refused with those that it takes, in words too', async () => {
  const { status, headers, body } = await call(url, 'DELETE', `/v1/messages/${newId()}`)
  assert.deepEqual([status, body.code, headers.get('allow')], [405, 'method_not_allowed', 'GET, HEAD, PATCH'])
  assert.equal(body.message, 'This path takes GET, HEAD, PATCH, and not DELETE.')
})

test('a change of a message names one of what can be changed, or is told them', async () => {
  const none = ' required: must have at least one of isRead, isStarred, folder'
  assert.deepEqual(faultsIn(await patch({ mailboxId })), [none])
  assert.deepEqual(faultsIn(await patch({ mailboxId, colour: 'red' })), [
    none,
    'colour unknown_field: is not known here',
  ])
  assert.deepEqual(faultsIn(await patch({})), [none, 'mailboxId required: must be given'])
  assert.deepEqual(faultsIn(await patch({ mailboxId, folder: 'Inbox' })), [
    'folder not_allowed: must be one of inbox, sent, archive, spam, trash',
  ])
  assert.deepEqual(faultsIn(await patch({ mailboxId, folder: 7 })), [
    'folder not_allowed: must be one of inbox, sent, archive, spam, trash',
  ])
  for (const change of [{ isRead: true }, { isStarred: false }, { folder: 'trash' }]) {
    assert.equal((await patch({ mailboxId, ...change })).status, 404, 'there is only no such message')
  }
  const endpoint = await call(url, 'PATCH', `/v1/webhook-endpoints/${newId()}`, { key, body: {} })
  assert.deepEqual(faultsIn(endpoint), [' required: must have at least one of url, description, eventTypes, enabled'])
})

test('a field that is like one of ours, or that others have, is told which was meant', async () => {
  for (const [change, hint] of [
    [
      { from: 'a@example.test' },
      'from unknown_field: is not known here; did you mean fromMailboxId? It takes the id of a mailbox.',
    ],
    [
      { reply_to: 'a@example.test' },
      'reply_to unknown_field: is not known here; did you mean fromMailboxId? Replies go to the address of that mailbox.',
    ],
    [
      { attachments: [] },
      'attachments unknown_field: is not known here; did you mean attachmentIds? Upload each file first, then name its id.',
    ],
    [{ attachment_ids: [] }, 'attachment_ids unknown_field: is not known here; did you mean attachmentIds?'],
    [{ Subject: 'x' }, 'Subject unknown_field: is not known here; did you mean subject?'],
    [{ subjcet: 'x' }, 'subjcet unknown_field: is not known here; did you mean subject?'],
    [{ tenantId: newId() }, 'tenantId unknown_field: is not known here'],
  ] as const) {
    assert.deepEqual(faultsIn(await send(url, key, mail(change))), [hint])
  }
  assert.deepEqual(faultsIn(await patch({ mailboxId, is_read: true, isStarred: true })), [
    'is_read unknown_field: is not known here; did you mean isRead?',
  ])
})

test('one mistake is one fault, whatever the shape that it breaks', async () => {
  const file = { mailboxId, filename: 'a.txt', mediaType: 'text/plain', sizeBytes: 3, sha256: '0'.repeat(64) }
  for (const [path, body, ...faults] of [
    ['/v1/messages', mail({ text: 5 }), 'text wrong_type: must be a string or null'],
    ['/v1/messages', mail({ html: {} }), 'html wrong_type: must be a string or null'],
    ['/v1/messages', mail({ text: '\0'.repeat(1_000_001) }), 'text too_long: must have at most 1000000 characters'],
    ['/v1/messages', mail({ to: null }), 'to wrong_type: must be a list'],
    ['/v1/messages', mail({ to: 'a@example.test' }), 'to wrong_type: must be a list'],
    ['/v1/messages', mail({ to: [7] }), 'to[0] wrong_type: must be a string'],
    ['/v1/messages', mail({ to: [{ email: 'a@example.test' }] }), 'to[0] wrong_type: must be a string'],
    [
      '/v1/messages',
      mail({ attachmentIds: ['x', 'x'] }),
      'attachmentIds[0] invalid_uuid: must be a UUID',
      'attachmentIds[1] invalid_uuid: must be a UUID',
    ],
    ['/v1/messages', [], ' wrong_type: must be an object'],
    ['/v1/messages', 'x', ' wrong_type: must be an object'],
    ['/v1/attachments/uploads', { ...file, sizeBytes: 0.5 }, 'sizeBytes wrong_type: must be a whole number'],
    ['/v1/attachments/uploads', { ...file, sizeBytes: '3' }, 'sizeBytes wrong_type: must be a whole number'],
    ['/v1/attachments/uploads', { ...file, sizeBytes: 0 }, 'sizeBytes too_small: must be at least 1'],
    ['/v1/attachments/uploads', { ...file, mediaType: '' }, 'mediaType too_short: must have at least 1 character'],
    [
      '/v1/attachments/uploads',
      { ...file, mediaType: 'pdf' },
      'mediaType invalid_media_type: must be a media type such as application/pdf',
    ],
    [
      '/v1/attachments/uploads',
      { ...file, sha256: 'A'.repeat(64) },
      'sha256 invalid_sha256: must be a SHA-256 as 64 hexadecimal digits in lower case',
    ],
    ['/v1/attachments/uploads', { ...file, filename: '' }, 'filename too_short: must have at least 1 character'],
    [
      '/v1/webhook-endpoints',
      { url: 'https://example.com/', eventTypes: ['message.read'] },
      /^eventTypes\[0\] not_allowed: must be one of message\.received, /,
    ],
    ['/v1/webhook-endpoints', { url: '', eventTypes: ['*'] }, 'url too_short: must have at least 1 character'],
    [
      '/v1/webhook-endpoints',
      { url: 7, eventTypes: '*' },
      'url wrong_type: must be a string',
      'eventTypes wrong_type: must be a list',
    ],
    [
      '/v1/webhook-endpoints',
      { url: 'https://example.com/', eventTypes: ['*'], description: 7 },
      'description wrong_type: must be a string or null',
    ],
  ] as [string, unknown, ...(string | RegExp)[]][]) {
    const found = faultsIn(await post(path, typeof body === 'string' ? JSON.stringify(body) : body))
    assert.equal(found.length, faults.length, `${found}`)
    for (const [i, fault] of faults.entries()) {
      if (typeof fault === 'string') assert.equal(found[i], fault)
      else assert.match(found[i] as string, fault)
    }
  }
  assert.deepEqual(faultsIn(await call(url, 'GET', '/v1/messages?limit=5&limit=6', { key })), [
    'limit duplicate: must be given once',
  ])
  for (const [recipient, says] of [
    ['a+b@example.test', 'must not have a blank; a plus is written %2B in a URL'],
    ['+a@example.test', 'must be an email address such as name@example.com, without a display name'],
    ['A+<a@example.test>', 'must be an email address such as name@example.com, without a display name'],
  ]) {
    const sought = await call(url, 'GET', `/v1/messages?recipient=${recipient}`, { key })
    assert.deepEqual(faultsIn(sought), [`recipient invalid_email: ${says}`])
  }
  const queried = await call(url, 'GET', '/v1/messages?limit=many&mailboxId=x', { key })
  assert.deepEqual(faultsIn(queried), [
    'limit wrong_type: must be a whole number',
    'mailboxId invalid_uuid: must be a UUID',
  ])
})

test('a body that is no JSON is told where', async () => {
  for (const [body, says] of [
    ['', 'The request body is empty.'],
    ['{"to": [', 'The request body is not valid JSON: it ends too soon.'],
    ["{'to': 1}", 'The request body is not valid JSON: look at line 1, column 2.'],
    ['{\n  "to": ["a@example.test"],\n}', 'The request body is not valid JSON: look at line 3, column 1.'],
    ['{"to": [1,]}', 'The request body is not valid JSON.'],
    ['{"a": 1, "a": 2}', 'An object in the request body has two members of the same name.'],
  ] as const) {
    const answer = await post('/v1/messages', body)
    assert.deepEqual([answer.status, answer.body.code, answer.body.message], [400, 'invalid_json', says])
  }
})
