// Messages of Amazon SNS: what they hold, whether Amazon signed them, and how a subscription is confirmed. Every URL
// in them is visited only where Amazon itself answers.
// https://docs.aws.amazon.com/sns/latest/dg/sns-verify-signature-of-message.html
import { verify, X509Certificate } from 'node:crypto'

export interface SnsMessage {
  Type: 'Notification' | 'SubscriptionConfirmation' | 'UnsubscribeConfirmation'
  MessageId: string
  TopicArn: string
  Message: string
  Timestamp: string
  SignatureVersion: '1' | '2'
  Signature: string
  SigningCertURL: string
  Subject?: string
  SubscribeURL?: string
  Token?: string
}

const TYPES = ['Notification', 'SubscriptionConfirmation', 'UnsubscribeConfirmation']
const TEXTS = ['MessageId', 'TopicArn', 'Message', 'Timestamp', 'Signature', 'SigningCertURL'] as const

/** Undefined when it has not the form of one. */
export function readSnsMessage(input: unknown): SnsMessage | undefined {
  if (typeof input !== 'object' || input === null) return undefined
  const message = input as Record<string, unknown>
  const isWhole = TEXTS.every((name) => typeof message[name] === 'string')
  const optional = ['Subject', 'SubscribeURL', 'Token'].every((name) =>
    ['string', 'undefined'].includes(typeof message[name]),
  )
  if (!isWhole || !optional || !TYPES.includes(message.Type as string)) return undefined
  return ['1', '2'].includes(message.SignatureVersion as string) ? (message as unknown as SnsMessage) : undefined
}

export interface SnsVerifier {
  /** @throws what reading Amazon's certificate throws */
  isGenuine(message: SnsMessage): Promise<boolean>
  /** Visits the confirmation's URL, if it is Amazon's. */
  confirm(message: SnsMessage): Promise<void>
}

const HOST = /^sns\.[a-z0-9-]{3,30}\.amazonaws\.com(?:\.cn)?$/
const MOST_CERTIFICATES = 16

/** `read` gives the text that an https URL answers with. */
export function createSnsVerifier(read: (url: URL) => Promise<string>): SnsVerifier {
  const certificates = new Map<string, X509Certificate>()

  async function certificateAt(url: URL): Promise<X509Certificate> {
    const known = certificates.get(url.href)
    if (known) return known
    const certificate = new X509Certificate(await read(url))
    if (certificates.size >= MOST_CERTIFICATES) certificates.clear()
    certificates.set(url.href, certificate)
    return certificate
  }

  return {
    async isGenuine(message) {
      const url = amazonUrl(message.SigningCertURL)
      if (!url?.pathname.endsWith('.pem')) return false
      const { publicKey } = await certificateAt(url)
      const algorithm = message.SignatureVersion === '1' ? 'RSA-SHA1' : 'RSA-SHA256'
      return verify(algorithm, Buffer.from(signedText(message)), publicKey, Buffer.from(message.Signature, 'base64'))
    },
    async confirm({ SubscribeURL }) {
      const url = SubscribeURL === undefined ? undefined : amazonUrl(SubscribeURL)
      if (url) await read(url)
    },
  }
}

function amazonUrl(text: string): URL | undefined {
  if (!URL.canParse(text)) return undefined
  const url = new URL(text)
  const isPlain = url.protocol === 'https:' && url.port === '' && url.username === '' && url.password === ''
  return isPlain && HOST.test(url.hostname) ? url : undefined
}

/** The fields that are signed, each name and value on a line of its own, in this order. */
function signedText(message: SnsMessage): string {
  const names: (keyof SnsMessage)[] =
    message.Type === 'Notification'
      ? [
          'Message',
          'MessageId',
          ...(message.Subject === undefined ? [] : (['Subject'] as const)),
          'Timestamp',
          'TopicArn',
          'Type',
        ]
      : ['Message', 'MessageId', 'SubscribeURL', 'Timestamp', 'Token', 'TopicArn', 'Type']
  return names.map((name) => `${name}\n${message[name]}\n`).join('')
}
