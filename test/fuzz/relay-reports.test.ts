// Throws at the relay's door what a relay that holds the secret might send, and what anybody might: the reports' own form,
// which the contract does not show.
import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { newId } from '../../src/lib/uuid.ts'
import { call, send } from '../support/api.ts'
import { REPORT_SECRET, startContractService } from '../support/contract-service.ts'
import { hold, REQUESTS, SEED } from './property.ts'
import { spoiltOctets } from './spoilt-octets.ts'
import { spoilt } from './spoilt-values.ts'

const RUNS = REQUESTS / 40

const service = await startContractService()
const { tenant } = service
const message = { fromMailboxId: tenant.mailboxId, to: ['silent@example.net'], text: 'x' }
const { id } = (await send(service.url, tenant.key, message)).body

const report = {
  messageId: id,
  recipient: 'silent@example.net',
  outcome: 'bounced',
  enhancedCode: '5.1.1',
  smtpCode: 550,
}
const reports = { reports: [report, { ...report, messageId: newId(), diagnostic: 'no such user' }] }
const notification = {
  Type: 'Notification',
  MessageId: newId(),
  TopicArn: 'arn:aws:sns:eu-west-1:123456789012:ses',
  Message: JSON.stringify({ notificationType: 'Bounce', bounce: { bounceType: 'Permanent' } }),
  Timestamp: '2026-01-05T10:00:00.000Z',
  SignatureVersion: '2',
  Signature: 'AAAA',
  SigningCertURL: 'https://sns.eu-west-1.amazonaws.com.example.net/cert.pem',
}

test(`a signed report is taken or refused, whatever it says (FUZZ_SEED=${SEED})`, async () => {
  await hold(0, spoilt(reports), RUNS, (value) => tell('/v1/relay-reports', Buffer.from(JSON.stringify(value) ?? '')))
  await hold(1, spoiltOctets(JSON.stringify(reports)), RUNS, ({ octets, headers }) =>
    tell('/v1/relay-reports', octets, headers),
  )
})

test(`a notification that nobody signed is refused, whatever it says (FUZZ_SEED=${SEED})`, async () => {
  const texts = fc.oneof(
    spoilt(notification).map((value) => JSON.stringify(value) ?? ''),
    spoiltOctets(JSON.stringify(notification)).map(({ octets }) => octets.toString()),
  )
  await hold(2, texts, RUNS, async (text) => {
    const answer = await call(service.url, 'POST', '/v1/relay-reports/ses', { body: text })
    assert([400, 401].includes(answer.status), `${answer.status} ${JSON.stringify(answer.body)}`)
  })
})

async function tell(path: string, body: Buffer<ArrayBuffer>, more: Record<string, string> = {}): Promise<void> {
  const timestamp = String(Math.floor(Date.now() / 1000))
  const digest = createHmac('sha256', REPORT_SECRET).update(`${timestamp}.`).update(body).digest('hex')
  const headers = { 'relay-report-timestamp': timestamp, 'relay-report-signature': `v1=${digest}`, ...more }
  const answer = await call(service.url, 'POST', path, { body, headers })
  assert([200, 400, 415].includes(answer.status), `${answer.status} ${JSON.stringify(answer.body)}`)
}
