// Relay reports over HTTP, for relays that report by webhook instead of by mail: JSON of our own, signed. For operators;
// docs/operate.md describes it.
import type { IncomingHttpHeaders } from 'node:http'
import { problem } from '../../access/problem.ts'
import { databaseTime } from '../../lib/database-clock.ts'
import type { Secret } from '../../lib/secret.ts'
import { applyReports, type ReportDeps } from '../../messages/apply-reports.ts'
import { defineOperation } from './operation.ts'
import { parseOctets } from './signed/json-octets.ts'
import {
  AppliedReports,
  isRecentReport,
  isSignedReport,
  type ReportSignature,
  readReportSignature,
  readReports,
} from './signed/signed-reports.ts'

interface Deps extends ReportDeps {
  /** What they are signed with; undefined: there are none. */
  reportSecret: Secret | undefined
}

export default defineOperation(
  {
    name: 'relayReports',
    method: 'POST',
    path: '/v1/relay-reports',
    auth: 'signed',
    outsideIpGuard: 'report',
    // A thousand reports of a kilobyte each.
    bodyLimitBytes: 1024 * 1024,
    body: 'octets',
    answers: { 200: AppliedReports },
  },
  ({ reportSecret, ...deps }: Deps) =>
    reportSecret && {
      // Before any of its body is let in.
      onRequest: async ({ headers }) => void signatureIn(headers),
      async handler({ headers, body = Buffer.alloc(0) }) {
        const signature = signatureIn(headers)
        if (!isSignedReport(signature, body, reportSecret)) throw problem('invalid_signature')
        const now = await databaseTime(deps.database)
        if (!isRecentReport(signature, now.getTime())) throw problem('invalid_signature')
        return applyReports(deps, readReports(parseOctets(body)))
      },
    },
)

/** @throws Problem invalid_signature when it is missing or malformed */
function signatureIn(headers: IncomingHttpHeaders): ReportSignature {
  const signature = readReportSignature(headers)
  if (!signature) throw problem('invalid_signature')
  return signature
}
