// Our own form of relay reports over HTTP: what they say, and how they are signed. Pure. docs/operate.md describes it.
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { Ajv, type ValidateFunction } from 'ajv'
import type { Static } from 'typebox'
import { validationProblem } from '../../../access/schema-faults.ts'
import { addFormats } from '../../../lib/formats.ts'
import { Type } from '../../../lib/schema-types.ts'
import { Closed, Nullable } from '../../../lib/schemas.ts'
import type { Secret } from '../../../lib/secret.ts'
import type { RelayReport, ReportedRecipient } from '../../../mail/reports/relay-report.ts'

/** What a request says of its signature: when it was signed, in the sender's digits, and the digest. */
export interface ReportSignature {
  timestamp: string
  digest: Buffer
}

const TOLERANCE_MS = 300_000

/**
 * `relay-report-timestamp` in Unix seconds, and `relay-report-signature`: `v1=` and the hex HMAC-SHA-256 under the
 * shared secret over the timestamp, a dot and the body's octets. Undefined when either is missing or malformed.
 */
export function readReportSignature(headers: IncomingHttpHeaders): ReportSignature | undefined {
  const timestamp = String(headers['relay-report-timestamp'] ?? '')
  const [, digits] = /^v1=([0-9a-f]{64})$/.exec(String(headers['relay-report-signature'] ?? '')) ?? []
  if (!/^\d{1,12}$/.test(timestamp) || digits === undefined) return undefined
  return { timestamp, digest: Buffer.from(digits, 'hex') }
}

/** True for a body that the secret's holder has signed, whenever that was. */
export function isSignedReport({ timestamp, digest }: ReportSignature, body: Buffer, secret: Secret): boolean {
  const expected = createHmac('sha256', secret.reveal()).update(`${timestamp}.`).update(body).digest()
  return timingSafeEqual(expected, digest)
}

/** True within five minutes of when it was signed. */
export function isRecentReport({ timestamp }: ReportSignature, nowMs: number): boolean {
  return Math.abs(nowMs - Number(timestamp) * 1000) <= TOLERANCE_MS
}

const Text = (maxLength: number) => Type.String({ format: 'text', maxLength })

const ReportsInput = Closed({
  reports: Type.Array(
    Closed({
      messageId: Type.Optional(Type.String({ format: 'uuid' })),
      returnPath: Type.Optional(Text(254)),
      recipient: Text(254),
      outcome: Type.Unsafe<ReportedRecipient['outcome']>({ type: 'string', enum: ['delivered', 'bounced', 'failed'] }),
      smtpCode: Type.Optional(Nullable(Type.Integer({ minimum: 200, maximum: 599 }))),
      enhancedCode: Type.Optional(Nullable(Type.String({ pattern: '^[245]\\.\\d{1,3}\\.\\d{1,3}$' }))),
      diagnostic: Type.Optional(Nullable(Text(1_000))),
    }),
    { minItems: 1, maxItems: 1_000 },
  ),
})

/** Made when reports first come. */
let isValid: ValidateFunction<Static<typeof ReportsInput>> | undefined

/** @throws Problem validation_error */
export function readReports(input: unknown): RelayReport[] {
  isValid ??= addFormats(new Ajv({ allErrors: true, verbose: true, validateSchema: false })).compile(ReportsInput)
  if (!isValid(input)) throw validationProblem(isValid.errors ?? [])
  return input.reports.map(({ messageId, returnPath, recipient, outcome, ...words }) => ({
    messageId,
    returnPath,
    recipient: {
      addresses: [recipient],
      outcome,
      smtpCode: words.smtpCode ?? null,
      enhancedCode: words.enhancedCode ?? null,
      diagnostic: words.diagnostic ?? null,
    },
  }))
}

/** How many reports changed a message of ours, and how many spoke of none. */
export const AppliedReports = Closed({ applied: Type.Integer(), ignored: Type.Integer() })
