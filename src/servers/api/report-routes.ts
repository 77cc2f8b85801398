// Relay reports over HTTP, for relays that report by webhook instead of by mail: signed JSON of our own, and Amazon
// SES by way of SNS. For operators; docs/operate.md describes both. Off unless configured.
import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyRequest } from 'fastify'
import { invalidFields, problem } from '../../access/problem.ts'
import { databaseTime } from '../../lib/database-clock.ts'
import type { ObjectStore } from '../../lib/object-store.ts'
import type { Secret } from '../../lib/secret.ts'
import type { Database } from '../../lib/sql.ts'
import { isUuid, type Uuid } from '../../lib/uuid.ts'
import type { RelayReport, ReportedRecipient } from '../../mail/reports/relay-report.ts'
import { readSesNotification } from '../../mail/reports/ses-notification.ts'
import { readSnsMessage, type SnsVerifier } from '../../mail/reports/sns-message.ts'
import { applyReport } from '../../messages/apply-report.ts'
import { findSentMessage } from '../../messages/receive/find-sent-message.ts'
import type { Server } from '../http/server.ts'
import {
  isRecentReport,
  isSignedReport,
  type ReportSignature,
  readReportSignature,
  readReports,
} from './signed-reports.ts'

export interface ReportDeps {
  database: Database
  store: ObjectStore
  /** Signs the JSON reports; absent: they are off. */
  secret: Secret | undefined
  /** The SNS topic of SES; absent: its reports are off. */
  sesTopic: string | undefined
  sns: SnsVerifier
  /** The message a return path was signed for; undefined when it is none of ours. */
  returnPath(address: string): { messageId: Uuid } | undefined
  /** Called after a commit that appended events. */
  onEvents(): void
}

/** A thousand reports of a kilobyte each. */
const BODY_LIMIT_BYTES = 1024 * 1024

export function reportRoutes(app: Server, deps: ReportDeps): void {
  // A scope of its own, in which bodies stay the octets that were signed. SNS sends JSON as text/plain.
  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser(['application/json', 'text/plain'], { parseAs: 'buffer' }, (_request, body, done) =>
      done(null, body),
    )
    const { secret, sesTopic } = deps

    if (secret) {
      scope.post(
        '/v1/relay-reports',
        {
          config: { operation: 'relayReports', outsideIpGuard: 'report' },
          bodyLimit: BODY_LIMIT_BYTES,
          // Before any of its body is let in.
          onRequest: async ({ headers }) => void signatureIn(headers),
        },
        async (request) => {
          const body = bodyOf(request)
          const signature = signatureIn(request.headers)
          if (!isSignedReport(signature, body, secret)) throw problem('invalid_signature')
          const now = await databaseTime(deps.database)
          if (!isRecentReport(signature, now.getTime())) throw problem('invalid_signature')
          return applyAll(deps, readReports(parse(body)))
        },
      )
    }
    if (sesTopic !== undefined) {
      scope.post(
        '/v1/relay-reports/ses',
        { config: { operation: 'sesReports', outsideIpGuard: 'report' }, bodyLimit: BODY_LIMIT_BYTES },
        async (request) => {
          const message = readSnsMessage(parse(bodyOf(request)))
          if (
            !message ||
            message.TopicArn !== sesTopic ||
            !(await deps.sns.isGenuine(message).catch(askAgain(request)))
          ) {
            throw problem('invalid_signature')
          }
          if (message.Type === 'SubscriptionConfirmation') await deps.sns.confirm(message).catch(askAgain(request))
          if (message.Type !== 'Notification') return { applied: 0, ignored: 0 }
          return applyAll(deps, readSesNotification(message.Message, deps.returnPath))
        },
      )
    }
  })
}

/** @throws Problem invalid_signature when it is missing or malformed */
function signatureIn(headers: IncomingHttpHeaders): ReportSignature {
  const signature = readReportSignature(headers)
  if (!signature) throw problem('invalid_signature')
  return signature
}

function bodyOf(request: FastifyRequest): Buffer {
  return Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
}

/** What Amazon itself does not give at the moment: SNS repeats what is answered 5xx. */
function askAgain(request: FastifyRequest) {
  return (cause: unknown): never => {
    request.log.warn({ err: cause }, 'Amazon could not be asked')
    throw problem('service_unavailable', { retryAfterSeconds: 20 })
  }
}

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
  } catch {
    throw problem('invalid_json')
  }
}

/** Reports of messages we do not have, or no longer, are ignored: asking again would not help. */
async function applyAll(
  deps: ReportDeps,
  reports: readonly RelayReport[],
): Promise<{ applied: number; ignored: number }> {
  const byMessage = new Map<Uuid, ReportedRecipient[]>()
  let applied = 0
  for (const [i, report] of reports.entries()) {
    const id = report.messageId ?? (report.returnPath && deps.returnPath(report.returnPath)?.messageId)
    if (report.messageId !== undefined && !isUuid(report.messageId)) {
      throw invalidFields([{ path: `reports[${i}].messageId`, code: 'invalid_uuid', message: 'must be a UUID' }])
    }
    if (id) byMessage.set(id.toLowerCase(), [...(byMessage.get(id.toLowerCase()) ?? []), report.recipient])
  }
  for (const [id, recipients] of byMessage) {
    const owner = await findSentMessage(deps.database, id)
    if (owner) applied += await applyReport(deps, { ...owner, id }, recipients, 'any_recipient')
  }
  if (applied > 0) deps.onEvents()
  return { applied, ignored: reports.length - applied }
}
