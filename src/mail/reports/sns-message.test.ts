import assert from 'node:assert/strict'
import { createPrivateKey, sign } from 'node:crypto'
import { test } from 'node:test'
import { generate } from 'selfsigned'
import { createSnsVerifier, type SnsMessage } from './sns-message.ts'

const amazon = await generate([{ name: 'commonName', value: 'sns.amazonaws.com' }], { keySize: 2048 })

function notification(file: number): SnsMessage {
  const fields = {
    Message: 'words',
    MessageId: '1',
    Timestamp: '2026-01-01T00:00:00.000Z',
    TopicArn: 'arn:aws:sns:us-east-1:123456789012:reports',
    Type: 'Notification' as const,
  }
  const text = Object.entries(fields).map(([name, value]) => `${name}\n${value}\n`)
  const signature = sign('RSA-SHA256', Buffer.from(text.join('')), createPrivateKey(amazon.private))
  return {
    ...fields,
    SignatureVersion: '2',
    Signature: signature.toString('base64'),
    SigningCertURL: `https://sns.us-east-1.amazonaws.com/SimpleNotificationService-${file.toString(16)}.pem`,
  }
}

test('one certificate is read once, however many messages wait for it', async () => {
  const answer = Promise.withResolvers<string>()
  const asked: string[] = []
  const verifier = createSnsVerifier((url) => {
    asked.push(url.href)
    return answer.promise
  })
  const judged = Promise.all(Array.from({ length: 50 }, () => verifier.isGenuine(notification(1))))
  answer.resolve(amazon.cert)
  assert.deepEqual(new Set(await judged), new Set([true]))
  assert.equal(await verifier.isGenuine(notification(1)), true)
  assert.equal(asked.length, 1)
})

test('four certificates are read at once and no fifth, and one that could not be read is asked for again', async () => {
  const answers: PromiseWithResolvers<string>[] = []
  const verifier = createSnsVerifier(() => {
    const answer = Promise.withResolvers<string>()
    answers.push(answer)
    return answer.promise
  })
  const four = [1, 2, 3, 4].map((file) => verifier.isGenuine(notification(file)))
  await assert.rejects(verifier.isGenuine(notification(5)), /too many certificates/)
  assert.equal(answers.length, 4)
  for (const answer of answers) answer.reject(new Error('not there'))
  for (const judged of four) await assert.rejects(judged, /not there/)

  const again = verifier.isGenuine(notification(1))
  answers[4]?.resolve(amazon.cert)
  assert.equal(await again, true)
})

test('a known certificate is believed while strangers have others asked for', async () => {
  const verifier = createSnsVerifier((url) =>
    url.pathname.endsWith('-1.pem') ? Promise.resolve(amazon.cert) : new Promise(() => {}),
  )
  assert.equal(await verifier.isGenuine(notification(1)), true)
  for (const file of [2, 3, 4, 5]) void verifier.isGenuine(notification(file))
  await assert.rejects(verifier.isGenuine(notification(6)), /too many certificates/)
  assert.equal(await verifier.isGenuine(notification(1)), true)
})

test('what is no topic has no host, not even one that is called so', async () => {
  const verifier = createSnsVerifier(() => assert.fail('nothing is read'))
  const SigningCertURL = 'https://undefined/SimpleNotificationService-1.pem'
  assert.equal(await verifier.isGenuine({ ...notification(1), TopicArn: 'x', SigningCertURL }), false)
})
