// Relay reports of Amazon SES, by way of SNS. For operators; docs/operate.md describes it.
import type { FastifyRequest } from 'fastify'
import { problem } from '../../access/problem.ts'
import { readSesNotification } from '../../mail/reports/ses-notification.ts'
import { readSnsMessage, type SnsVerifier } from '../../mail/reports/sns-message.ts'
import { applyReports, type ReportDeps } from '../../messages/apply-reports.ts'
import { defineOperation } from './operation.ts'
import { parseOctets } from './signed/json-octets.ts'
import { AppliedReports } from './signed/signed-reports.ts'

interface Deps extends ReportDeps {
  /** The topic they come from; undefined: there are none. */
  sesTopic: string | undefined
  sns: SnsVerifier
}

export default defineOperation(
  {
    name: 'sesReports',
    method: 'POST',
    path: '/v1/relay-reports/ses',
    auth: 'signed',
    outsideIpGuard: 'report',
    // SNS sends a quarter of it at most.
    bodyLimitBytes: 1024 * 1024,
    body: 'octets',
    answers: { 200: AppliedReports },
  },
  ({ sesTopic, sns, ...deps }: Deps) =>
    sesTopic === undefined
      ? undefined
      : async (request) => {
          const message = readSnsMessage(parseOctets(request.body ?? Buffer.alloc(0)))
          const isOurs = message?.TopicArn === sesTopic && (await sns.isGenuine(message).catch(askAgain(request)))
          if (!isOurs) throw problem('invalid_signature')
          if (message.Type === 'SubscriptionConfirmation') await sns.confirm(message).catch(askAgain(request))
          if (message.Type !== 'Notification') return { applied: 0, ignored: 0 }
          return applyReports(deps, readSesNotification(message.Message, deps.returnPath))
        },
)

/** What Amazon itself does not give at the moment: SNS repeats what is answered 5xx. */
function askAgain(request: Pick<FastifyRequest, 'log'>) {
  return (cause: unknown): never => {
    request.log.warn({ err: cause }, 'Amazon could not be asked')
    throw problem('service_unavailable', { retryAfterSeconds: 20 })
  }
}
