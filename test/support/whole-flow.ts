// One integration from end to end: every operation of the contract once at least, each in a way that succeeds.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { newId } from '../../src/lib/uuid.ts'
import { type Answer, call } from './api.ts'
import type { ContractService } from './contract-service.ts'
import { until } from './until.ts'

/** One answer and what it was asked with. */
export interface Exchange extends Answer {
  method: string
  path: string
}

/**
 * Does it all with the sandbox key of a service, over `url`: the service's own, or that of a proxy before it.
 * @throws AssertionError when an answer is not the success it should be
 */
export async function useEverything(url: string, { tenant, receiver }: ContractService): Promise<Exchange[]> {
  const exchanges: Exchange[] = []
  const ask = async (method: string, path: string, expected: number, body?: unknown) => {
    // Whoever takes none of it does not look at it.
    const headers = { 'idempotency-key': `flow-${newId()}` }
    const answer = await call(url, method, path, { key: tenant.key, body, headers })
    assert.equal(answer.status, expected, `${method} ${path}: ${JSON.stringify(answer.body)}`)
    exchanges.push({ method, path, ...answer })
    return answer.body
  }

  /** Without a key, and straight to where the URL leads. */
  const fetchSigned = async (
    method: string,
    signed: string,
    expected: number,
    options: { headers?: Record<string, string>; body?: Uint8Array } = {},
  ) => {
    const { origin, pathname: path } = new URL(signed)
    const answer = await call(origin, method, path, options)
    assert.equal(answer.status, expected, `${method} ${path}: ${JSON.stringify(answer.body)}`)
    exchanges.push({ method, path, ...answer })
    return answer.body
  }

  const { items: mailboxes } = await ask('GET', '/v1/mailboxes', 200)
  const mailboxId = mailboxes[0].id
  await ask('GET', '/v1/domains', 200)
  const hook = { url: receiver.url, description: 'Everything', eventTypes: ['*'] }
  const { endpoint } = await ask('POST', '/v1/webhook-endpoints', 201, hook)
  await ask('GET', '/v1/webhook-endpoints', 200)
  await ask('GET', `/v1/webhook-endpoints/${endpoint.id}`, 200)

  const bytes = Buffer.from('Bytes of an invoice')
  const { uploadId, upload } = await ask('POST', '/v1/attachments/uploads', 201, {
    mailboxId,
    filename: 'invoice.txt',
    mediaType: 'text/plain',
    sizeBytes: bytes.length,
    sha256: createHash('sha256').update(bytes).digest('hex'),
  })
  await fetchSigned('PUT', upload.url, 200, { headers: upload.headers, body: bytes })
  const { attachment } = await ask('POST', `/v1/attachments/uploads/${uploadId}/complete`, 200)
  await ask('GET', `/v1/attachments/${attachment.id}`, 200)
  const { url: download } = await ask('GET', `/v1/attachments/${attachment.id}/download-url`, 200)
  assert.equal(await fetchSigned('GET', download, 200), bytes.toString())
  assert.equal(await fetchSigned('GET', download, 206, { headers: { range: 'bytes=0-4' } }), 'Bytes')
  const small = { mailboxId, filename: 'note.txt', mediaType: 'text/plain', contentBase64: bytes.toString('base64') }
  const { attachment: note } = await ask('POST', '/v1/attachments', 201, small)
  await ask('GET', `/v1/attachments/${note.id}/download`, 200)

  const { id } = await ask('POST', '/v1/messages', 202, {
    fromMailboxId: mailboxId,
    to: ['somebody@example.net', 'bounced@example.net'],
    cc: ['another@example.net'],
    bcc: ['secret@example.net'],
    subject: 'Your order',
    text: 'Thank you',
    html: `<p>Thank you</p><img src="cid:${note.id}">`,
    attachmentIds: [attachment.id, note.id],
  })
  await until('the message has come to its end', async () => {
    const { body } = await call(url, 'GET', `/v1/messages/${id}`, { key: tenant.key })
    return body.message.status === 'bounced'
  })
  await ask('GET', `/v1/messages/${id}`, 200)
  await ask('GET', `/v1/messages/${id}/raw`, 200)
  await ask('PATCH', `/v1/messages/${id}`, 200, { mailboxId, isRead: true, isStarred: true, folder: 'archive' })
  await ask('GET', `/v1/messages?limit=1&mailboxId=${mailboxId}&cursor=2100-01-01T00:00:00Z`, 200)

  const filters =
    'status=bounced&direction=outbound&folder=archive&recipient=SECRET@example.net&since=2026-01-01T00:00:00Z'
  const { items: found } = await ask('GET', `/v1/messages?${filters}&until=2100-01-01T00:00:00Z`, 200)
  assert.deepEqual(
    found.map((message: { id: string }) => message.id),
    [id],
  )

  await until('the feed has the change', async () => {
    const { body } = await call(url, 'GET', '/v1/events?limit=100', { key: tenant.key })
    return body.items.some(({ type }: { type: string }) => type === 'message.updated')
  })
  const { nextCursor } = await ask('GET', '/v1/events?limit=2', 200)
  await ask('GET', `/v1/events?limit=100&cursor=${encodeURIComponent(nextCursor)}`, 200)
  const { items: about } = await ask('GET', `/v1/events?type=message.bounced&resourceId=${id}`, 200)
  await ask('GET', `/v1/events/${about[0].id}`, 200)
  await until('the receiver has heard of it', () => receiver.delivered.length > 0)
  const { items: deliveries } = await ask('GET', `/v1/webhook-deliveries?limit=5&endpointId=${endpoint.id}`, 200)
  const { eventId, status } = deliveries[0]
  const same = `eventId=${eventId}&status=${status}&since=2026-01-01T00:00:00Z`
  await ask('GET', `/v1/webhook-deliveries?${same}`, 200)
  await ask('GET', `/v1/webhook-deliveries/${deliveries[0].id}`, 200)
  await ask('GET', `/v1/webhook-deliveries/${deliveries[0].id}/attempts`, 200)
  await ask('POST', `/v1/webhook-deliveries/${deliveries[0].id}/replay`, 202)
  const since = { since: '2026-01-01T00:00:00Z' }
  const replay = await ask('POST', `/v1/webhook-endpoints/${endpoint.id}/replay`, 202, since)
  await ask('GET', `/v1/webhook-replays/${replay.id}`, 200)
  await ask('POST', `/v1/webhook-replays/${replay.id}/stop`, 200)
  await ask('POST', `/v1/webhook-endpoints/${endpoint.id}/test`, 200)
  await ask('POST', `/v1/webhook-endpoints/${endpoint.id}/rotate-secret`, 200)
  await ask('PATCH', `/v1/webhook-endpoints/${endpoint.id}`, 200, { description: null, enabled: false })
  await ask('DELETE', `/v1/webhook-endpoints/${endpoint.id}`, 204)
  return exchanges
}
