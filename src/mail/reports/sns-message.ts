// Messages of Amazon SNS: what they hold, whether Amazon signed them, and how a subscription is confirmed. A URL in
// them is visited only at the host of the topic's region, so ask about messages of one's own topic only.
// https://docs.aws.amazon.com/sns/latest/dg/sns-verify-signature-of-message.html
import { verify, X509Certificate } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { snsHostOf } from './sns-topic.ts'

export interface SnsMessage {
  Type: 'Notification' | 'SubscriptionConfirmation' | 'UnsubscribeConfirmation'
  MessageId: string
  TopicArn: string
  Message: string
  Timestamp: string
  /** Version 1 signs a SHA-1, which is not believed. */
  SignatureVersion: '2'
  Signature: string
  SigningCertURL: string
  Subject?: string
  SubscribeURL?: string
  Token?: string
}

const TYPES = ['Notification', 'SubscriptionConfirmation', 'UnsubscribeConfirmation']
const TEXTS = ['MessageId', 'TopicArn', 'Message', 'Timestamp', 'Signature', 'SigningCertURL'] as const

/** Undefined when it has not the form of one, signed by version 2. */
export function readSnsMessage(input: unknown): SnsMessage | undefined {
  if (typeof input !== 'object' || input === null) return undefined
  const message = input as Record<string, unknown>
  const isWhole = TEXTS.every((name) => typeof message[name] === 'string')
  const optional = ['Subject', 'SubscribeURL', 'Token'].every((name) =>
    ['string', 'undefined'].includes(typeof message[name]),
  )
  if (!isWhole || !optional || !TYPES.includes(message.Type as string)) return undefined
  return message.SignatureVersion === '2' ? (message as unknown as SnsMessage) : undefined
}

export interface SnsVerifier {
  /** @throws what reading Amazon's certificate throws, and Error when too many are being read */
  isGenuine(message: SnsMessage): Promise<boolean>
  /** Visits the confirmation's URL, if it is Amazon's. @throws what visiting it throws */
  confirm(message: SnsMessage): Promise<void>
}

/** Amazon changes its certificate about once a year. */
const MOST_CERTIFICATES = 16
/** A stranger who knows the topic can have files asked for that are not there, and so no more of them at once. */
const MOST_READ_AT_ONCE = 4

/** `read` gives the text that an https URL answers with. */
export function createSnsVerifier(read: (url: URL) => Promise<string>): SnsVerifier {
  const certificates = new LRUCache<string, X509Certificate>({ max: MOST_CERTIFICATES })
  const reading = new Map<string, Promise<X509Certificate>>()

  async function readCertificate(url: string): Promise<X509Certificate> {
    const certificate = new X509Certificate(await read(new URL(url)))
    certificates.set(url, certificate)
    return certificate
  }

  async function certificateAt(url: string): Promise<X509Certificate> {
    const known = certificates.get(url) ?? reading.get(url)
    if (known) return known
    if (reading.size >= MOST_READ_AT_ONCE) throw new Error('too many certificates are being read')
    const promise = readCertificate(url).finally(() => reading.delete(url))
    reading.set(url, promise)
    return promise
  }

  return {
    async isGenuine(message) {
      if (!isCertificateUrl(message)) return false
      const { publicKey } = await certificateAt(message.SigningCertURL)
      const signature = Buffer.from(message.Signature, 'base64')
      return verify('RSA-SHA256', Buffer.from(signedText(message)), publicKey, signature)
    },
    async confirm(message) {
      const url = confirmationUrl(message)
      if (url) await read(url)
    },
  }
}

const CERTIFICATE = /^\/SimpleNotificationService-[0-9a-f]{1,64}\.pem$/

/** As text and not as a URL: there is one spelling, with no port, user, query or dots in its path. */
function isCertificateUrl({ SigningCertURL, TopicArn }: SnsMessage): boolean {
  const path = pathAtHost(SigningCertURL, snsHostOf(TopicArn))
  return path !== undefined && CERTIFICATE.test(path)
}

function confirmationUrl({ SubscribeURL = '', TopicArn }: SnsMessage): URL | undefined {
  const path = pathAtHost(SubscribeURL, snsHostOf(TopicArn))
  if (!path?.startsWith('/?') || !URL.canParse(SubscribeURL)) return undefined
  const url = new URL(SubscribeURL)
  return url.searchParams.get('Action') === 'ConfirmSubscription' ? url : undefined
}

function pathAtHost(url: string, host: string | undefined): string | undefined {
  const origin = `https://${host}`
  return host !== undefined && url.startsWith(`${origin}/`) ? url.slice(origin.length) : undefined
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
