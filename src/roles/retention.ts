// The retention role: removes what has expired, and does what else comes round by the clock.
import { sweepCounts, sweepMailboxSpans, sweepSpans } from '../activity/sweep-activity.ts'
import { sweepRateCounts } from '../apps/rate-counts.ts'
import { sweepKeyUse } from '../apps/record-key-use.ts'
import { sweepUnattached, sweepUploads } from '../attachments/sweep-attachments.ts'
import { AUDIT_KEPT_DAYS, sweepAudit } from '../audit/sweep-audit.ts'
import { forgetSenders } from '../events/forget-senders.ts'
import { sweepIdempotencyKeys } from '../idempotency/sweep-keys.ts'
import { sweepRemovals } from '../lib/object-removals.ts'
import { sweepIncoming } from '../lib/object-store/sweep-incoming.ts'
import { expireDeadLetters } from '../lib/queue/dead-letters.ts'
import { createDnsResolver } from '../lib/resolver.ts'
import { createSecretBox } from '../lib/secret-box.ts'
import { checkDueDomains } from '../mailboxes/check-due-domains.ts'
import { resealDkimKeys } from '../mailboxes/reseal-dkim-keys.ts'
import { sweepEndedDrafts } from '../messages/drafts/sweep-drafts.ts'
import { sweepReceipts } from '../messages/receive/receipts.ts'
import { sweepUnreadReports } from '../messages/receive/unread-reports.ts'
import { sweepExpired, sweepTrash } from '../messages/sweep-messages.ts'
import { tellOfPlanUsage } from '../messages/tell-plan-usage.ts'
import { giveUpNotices, sweepNotices } from '../notices/sweep-notices.ts'
import { resealClientSecrets } from '../people/single-sign-on/reseal-client-secrets.ts'
import { sweepRefusedRequests } from '../requests/write-refused-requests.ts'
import { sweepBouncedAddresses, sweepBounces } from '../suppressions/sweep-bounces.ts'
import { sweepDevices } from '../users/known-devices.ts'
import { sweepLinkRequests } from '../users/link-requests.ts'
import { sweepLinks } from '../users/links.ts'
import { sweepChallenges } from '../users/passkey-challenge.ts'
import { resealTotpKeys } from '../users/reseal-totp-keys.ts'
import { sweepSessions } from '../users/sessions.ts'
import { sweepSignInFailures } from '../users/sign-in-delay.ts'
import { sweepReplays } from '../webhooks/replays/sweep-replays.ts'
import { resealSecrets, sweepDeletedEndpoints, sweepOldDeliveries } from '../webhooks/sweep-webhooks.ts'
import { tellOfFailingEndpoints } from '../webhooks/tell-failing-endpoints.ts'
import { startSweeper } from '../workers/retention/sweeper.ts'
import type { Parts } from './parts.ts'

/** Gives what stops it. */
export function startRetention(parts: Parts): () => Promise<void> {
  const { config, log, metrics, database, store } = parts
  const secretBox = createSecretBox(parts.secretKeys)
  const keyVersion = parts.secretKeys[0].version
  const folder = config.objectStore.startsWith('file:') ? config.objectStore.slice('file:'.length) : undefined
  const onError = (error: unknown, sweep: string) => log.error({ err: error, sweep }, 'a sweep failed')
  const sweeper = startSweeper({
    everyMs: config.sweepMs,
    sweeps: [
      { name: 'objects', run: (limit) => sweepRemovals(database, store, limit) },
      { name: 'inbound_receipts', run: (limit) => sweepReceipts(database, limit) },
      { name: 'unread_reports', run: (limit) => sweepUnreadReports(database, limit) },
      { name: 'trash', run: (limit) => sweepTrash(database, config.trashTtlMs, limit) },
      { name: 'expired_messages', run: (limit) => sweepExpired(database, limit) },
      { name: 'ended_drafts', run: (limit) => sweepEndedDrafts(database, limit) },
      { name: 'idempotency_keys', run: (limit) => sweepIdempotencyKeys(database, limit) },
      { name: 'dead_letters', run: (limit) => expireDeadLetters(database, config.deadLetterTtlMs, limit) },
      { name: 'audit', run: (limit) => sweepAudit(database, limit) },
      { name: 'senders', run: (limit) => forgetSenders(database, AUDIT_KEPT_DAYS, limit) },
      ...(folder ? [{ name: 'incoming', run: (limit: number) => sweepIncoming(folder, limit) }] : []),
      { name: 'activity_counts', run: (limit) => sweepCounts(database, limit) },
      { name: 'search_spans', run: (limit) => sweepSpans(database, limit) },
      { name: 'mailbox_spans', run: (limit) => sweepMailboxSpans(database, limit) },
      { name: 'bounces', run: (limit) => sweepBounces(database, limit) },
      { name: 'bounced_addresses', run: (limit) => sweepBouncedAddresses(database, limit) },
      { name: 'rate_counts', run: (limit) => sweepRateCounts(database, limit) },
      { name: 'key_use', run: (limit) => sweepKeyUse(database, limit) },
      { name: 'refused_requests', run: (limit) => sweepRefusedRequests(database, limit) },
      { name: 'sessions', run: (limit) => sweepSessions(database, limit) },
      { name: 'user_links', run: (limit) => sweepLinks(database, limit) },
      { name: 'passkey_challenges', run: (limit) => sweepChallenges(database, limit) },
      { name: 'link_requests', run: (limit) => sweepLinkRequests(database, limit) },
      { name: 'sign_in_failures', run: (limit) => sweepSignInFailures(database, limit) },
      { name: 'uploads', run: (limit) => sweepUploads(database, limit) },
      { name: 'unattached', run: (limit) => sweepUnattached(database, limit) },
      { name: 'webhook_endpoints', run: (limit) => sweepDeletedEndpoints(database, limit) },
      { name: 'webhook_deliveries', run: (limit) => sweepOldDeliveries(database, limit) },
      { name: 'webhook_replays', run: (limit) => sweepReplays(database, limit) },
      { name: 'notices', run: (limit) => sweepNotices(database, limit) },
      { name: 'known_devices', run: (limit) => sweepDevices(database, limit) },
      { name: 'dkim_keys', run: (limit) => resealDkimKeys(database, secretBox, keyVersion, limit) },
      { name: 'webhook_secrets', run: (limit) => resealSecrets(database, secretBox, keyVersion, limit) },
      { name: 'totp_keys', run: (limit) => resealTotpKeys(database, secretBox, keyVersion, limit) },
      { name: 'client_secrets', run: (limit) => resealClientSecrets(database, secretBox, keyVersion, limit) },
    ],
    onSwept: metrics.onSwept,
    onError,
  })

  // Apart from the others, which must not wait for the DNS.
  const resolver = createDnsResolver(config.dnsServers)
  const stopping = new AbortController()
  const checks = {
    database,
    resolver,
    secretBox,
    stopping: stopping.signal,
    onFailure: (err: unknown, domain: string) => log.error({ err, domain }, 'the check of a domain failed'),
  }
  const domains = startSweeper({
    everyMs: config.sweepMs,
    sweeps: [{ name: 'domain_checks', run: (limit) => checkDueDomains(checks, limit) }],
    onSwept: (_sweep, count) => log.debug({ count }, 'domains were checked'),
    onError,
  })

  // What ripens without anybody doing anything.
  const notices = startSweeper({
    everyMs: config.sweepMs,
    sweeps: [
      {
        name: 'late_notices',
        run: async (limit) => {
          const late = await giveUpNotices(database, limit)
          for (const { id: noticeId } of late) log.warn({ noticeId, result: 'expired' }, 'a notice was given up')
          return late.length
        },
      },
      { name: 'failing_endpoints', run: (limit) => tellOfFailingEndpoints(database, limit) },
      { name: 'plan_usage', run: (limit) => tellOfPlanUsage(database, limit) },
    ],
    onSwept: (sweep, count) => log.debug({ sweep, count }, 'notices were looked for'),
    onError,
  })
  return async () => {
    stopping.abort()
    resolver.close()
    await Promise.all([sweeper.stop(), domains.stop(), notices.stop()])
  }
}
