// Sends mail that something happened to on its way: all of it is taken, and shows as the contract says, with its
// attachments and its octets. Bad or odd MIME is kept, never refused: specification.md#limits-of-a-received-message
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, test } from 'node:test'
import fc from 'fast-check'
import nodemailer from 'nodemailer'
import { SMALL_ODD_MAIL } from '../corpus/odd-mail.ts'
import { type Answer, call } from '../support/api.ts'
import { startContractService } from '../support/contract-service.ts'
import { changed } from './broken-text.ts'
import { hold, REQUESTS, SEED } from './property.ts'

const RUNS = REQUESTS / 40

const service = await startContractService('production')
const { tenant } = service
const relay = nodemailer.createTransport({
  url: service.logs.find(({ smtpUrl }) => smtpUrl)?.smtpUrl as string,
  ignoreTLS: true,
  pool: true,
})
after(() => relay.close())

const MAILS = SMALL_ODD_MAIL.map(({ raw }) => raw.toString('latin1'))

test(`mail is taken and shown, whatever happened to it (FUZZ_SEED=${SEED})`, async () => {
  let latest: string | undefined
  await hold(0, changed(fc.constantFrom(...MAILS), ODD), RUNS, async (text) => {
    const raw = Buffer.from(text, 'latin1')
    await relay.sendMail({ envelope: { from: 'somebody@example.net', to: [tenant.address] }, raw })
    const { items } = (await get('/v1/messages?limit=1')).body
    // The same once more is taken, and makes no other message.
    if (items[0].id === latest) return
    latest = items[0].id
    await look(items[0].id)
  })
  const faults = service.logs.filter(({ level }) => level === 'error' || level === 'fatal')
  assert.deepEqual(faults, [])
  assert.deepEqual(await service.brokenInvariants(), [])
})

/** Takes the message as the API has it, all of it. */
async function look(id: string): Promise<void> {
  const { message } = (await get(`/v1/messages/${id}`)).body
  const raw = (await get(`/v1/messages/${id}/raw`)).body
  assert.equal(typeof raw, 'string')
  for (const attachment of message.attachments) {
    const { contentBase64 } = (await get(`/v1/attachments/${attachment.id}/download`)).body
    const octets = Buffer.from(contentBase64, 'base64')
    assert.deepEqual(
      [octets.length, createHash('sha256').update(octets).digest('hex')],
      [attachment.sizeBytes, attachment.sha256],
    )
  }
}

async function get(path: string): Promise<Answer> {
  const answer = await call(service.url, 'GET', path, { key: tenant.key })
  assert.equal(answer.status, 200, `${path} ${JSON.stringify(answer.body)}`)
  return answer
}

const ODD = [
  ...[
    '\0',
    '\r',
    '\n',
    '\r\n',
    '\r\n\r\n',
    ' ',
    '\t',
    ':',
    ';',
    '=',
    '"',
    '<',
    '>',
    '@',
    ',',
    '(',
    '\\',
    '\x80',
    '\xff',
    '=?',
    '?=',
  ],
  ...[
    '=?utf-8?B?//79?=',
    '=?utf-8?Q?=00?=',
    '=?x-none?Q?a?=',
    '=ED=A0=80',
    '--b1\r\n',
    '--b1--\r\n',
    '\r\n.\r\n',
    '%00',
    "*0*=utf-8''%ff",
  ],
  ...[
    'Content-Type: multipart/mixed; boundary=b1\r\n',
    'Content-Transfer-Encoding: base64\r\n',
    'Content-Type: message/rfc822\r\n\r\n',
  ],
  ...[
    'Date: Fri, 99 Nov 99999 99:99:99 +9999\r\n',
    `Subject: ${'s'.repeat(2_000)}\r\n`,
    'Message-ID: <>\r\n',
    'a'.repeat(1_200),
  ],
  ...[
    'From: a@b, c@d\r\n',
    `To: ${'x@y.z, '.repeat(200)}\r\n`,
    'References: <a> <b\r\n',
    'Content-Disposition: attachment; filename="../..\\0"\r\n',
  ],
]
