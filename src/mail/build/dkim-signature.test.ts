import assert from 'node:assert/strict'
import { createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { dkimVerify } from 'mailauth'
import { buildMime } from './build-mime.ts'
import { dkimSignature } from './dkim-signature.ts'
import type { OutgoingMessage } from './layout.ts'

const { privateKey, publicKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  publicKeyEncoding: { type: 'spki', format: 'der' },
})
const signer = { domain: 'shop.test', selector: 'mdk-1', privateKey: createPrivateKey(privateKey) as KeyObject }

const MESSAGE: OutgoingMessage = {
  messageId: '<0192f0a0-0000-7000-8000-000000000001@shop.test>',
  date: new Date('2026-01-05T10:00:00Z'),
  from: { address: 'sender@shop.test', name: 'Sénder' },
  to: [{ address: 'one@example.net', name: null }],
  cc: [],
  subject: 'Hello',
  text: 'Hello\n',
  html: null,
}

/** What mailauth, which shares no code with the signer, makes of a message. */
async function verdict(message: Buffer): Promise<string | undefined> {
  const resolver = async (name: string, type: string) => {
    assert.deepEqual([name, type], ['mdk-1._domainkey.shop.test', 'TXT'])
    return [[`v=DKIM1; k=rsa; p=${publicKey.toString('base64')}`]]
  }
  const { results } = await dkimVerify(message, { resolver })
  assert.equal(results.length, 1)
  return results[0]?.status.result
}

const signed = async (message: Buffer) => Buffer.concat([await dkimSignature([message], signer), message])

test('another implementation accepts the signature of whatever we build', async () => {
  const line = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.constantFrom('', ' ', '\t', ' x ', '.', 'x  y', 'Zoë '.repeat(40)),
  )
  const body = fc.array(line, { maxLength: 8 }).map((lines) => lines.join('\n').replaceAll('\0', '').toWellFormed())
  await fc.assert(
    fc.asyncProperty(body, fc.option(body), line, async (text, html, subject) => {
      const wellFormed = subject.replaceAll('\0', '').toWellFormed()
      const { bytes } = await buildMime({ ...MESSAGE, text, html, subject: wellFormed })
      assert.equal(await verdict(await signed(bytes)), 'pass')
    }),
    { numRuns: 100 },
  )
})

test('line ends at the end of the body count as one, wherever the pieces are cut', async () => {
  const header = 'From: a@shop.test\r\nSubject: a\r\n folded\t subject \r\nX-Same: 1\r\nX-Same: 2\r\n\r\n'
  for (const body of [
    '',
    '\r\n',
    '\r\n\r\n\r\n',
    'x',
    'x\r\n',
    'x\r\n\r\n\r\n',
    '\r\n\r\nx\r\n\r\ny\r\n\r\n',
    'x \r\n\t\r\n',
  ]) {
    const message = Buffer.from(header + body)
    const whole = await dkimSignature([message], signer)
    assert.equal(await verdict(Buffer.concat([whole, message])), 'pass', JSON.stringify(body))
    for (let cut = 0; cut <= message.length; cut++) {
      const pieces = [message.subarray(0, cut), message.subarray(cut)]
      assert.equal(String(await dkimSignature(pieces, signer)), String(whole), JSON.stringify([body, cut]))
    }
  }
})

test('a changed body, a changed field and a second From are noticed', async () => {
  const { bytes } = await buildMime(MESSAGE)
  const message = (await signed(bytes)).toString()
  for (const changed of [
    message.replace('Hello\r\n\r\n', 'Hullo\r\n\r\n').replace(/Hello\r\n$/, 'Hullo\r\n'),
    message.replace('Subject: Hello', 'Subject: Hullo'),
    message.replace('To: one@', 'To: two@'),
    `From: other@shop.test\r\n${message}`,
  ]) {
    assert.notEqual(changed, message)
    assert.notEqual(await verdict(Buffer.from(changed)), 'pass', changed)
  }
})

test('the same message and key give the same field, no line of it longer than 78 octets', async () => {
  const { bytes } = await buildMime(MESSAGE)
  const field = (await dkimSignature([bytes], signer)).toString()
  assert.equal((await dkimSignature([bytes], signer)).toString(), field)
  assert(field.endsWith('\r\n') && !field.endsWith('\r\n\r\n'))
  for (const line of field.split('\r\n')) assert(line.length <= 78, line)
})
