// The outbound role: sends drafts that are due, and submits accepted messages and notices to the relay.
import { startWorker } from '../lib/queue/worker.ts'
import { createSecretBox } from '../lib/secret-box.ts'
import { signEnvelopeId } from '../mail/envelope-id.ts'
import { returnPathSettings, signReturnPath } from '../mail/return-path.ts'
import { createRelay } from '../mail/smtp/relay.ts'
import { createDkimKeyring } from '../mailboxes/dkim-keyring.ts'
import { OUTBOUND_QUEUE } from '../messages/accept-messages.ts'
import { logAttempt } from '../workers/outbound/attempt-report.ts'
import { startResumer } from '../workers/outbound/resume-waiting.ts'
import { createSubmitter, OUTBOUND_RECEPTIONS } from '../workers/outbound/submit-message.ts'
import { startDraftWorker } from './draft-worker.ts'
import { startNoticeWorker } from './notice-worker.ts'
import { DRAIN_MS, type Parts } from './parts.ts'
import type { SiteUrls } from './site-urls.ts'

/** Messages of this process on their way at once, for each connection to the relay: one is sent, the next prepared. */
const MESSAGES_PER_CONNECTION = 8
/** How much of it one tenant may take up, over all processes. */
const OUTBOUND_LANE_CAP = 500

/** Gives what stops it. The configuration names a relay and a return path: serve.ts has checked. */
export function startOutbound(parts: Omit<Parts, 's3'>, siteUrls: SiteUrls): () => Promise<void> {
  const { config, log, metrics, database, wakeUps } = parts
  const relay = createRelay({
    url: config.relay.url as string,
    connections: config.relay.connections,
    ratePerSecond: config.relay.ratePerSecond,
    log,
  })
  const returnPath = returnPathSettings(config.returnPathDomain as string, parts.secretKeys)
  const worker = startWorker({
    queue: OUTBOUND_QUEUE,
    database,
    wakeUps,
    handle: createSubmitter({
      database,
      store: parts.store,
      relay,
      returnPathOf: (messageId) => signReturnPath(messageId, returnPath),
      envelopeIdOf: (messageId) => signEnvelopeId(messageId, returnPath),
      dkimKeys: createDkimKeyring(createSecretBox(parts.secretKeys)),
      backoff: config.outboundBackoff,
      giveUpMs: config.outboundGiveUpMs,
      random: Math.random,
      onResult: metrics.onRelayResult,
      onAttempt: (report) => logAttempt(log, report),
      onTrouble: (error, messageId) => log.error({ err: error, messageId }, 'a message cannot be signed, and waits'),
      onOutOfTime: (error, messageId) =>
        log.error({ err: error, messageId }, 'the database takes too long with a message, which waits'),
    }),
    concurrency: config.relay.connections * MESSAGES_PER_CONNECTION,
    laneCap: OUTBOUND_LANE_CAP,
    receptionBudget: OUTBOUND_RECEPTIONS,
    leaseMs: config.leaseMs,
    pollMs: config.pollMs,
    onError: (error, job) => log.error({ err: error, messageId: job?.subjectId }, 'outbound work failed'),
  })
  const resumer = startResumer({
    database,
    relay,
    queue: OUTBOUND_QUEUE,
    firstWaitMs: config.outboundBackoff.firstMs,
    pollMs: config.pollMs,
    onError: (error) => log.error({ err: error }, 'what waits for the relay cannot be looked for'),
  })
  const drafts = startDraftWorker(parts)
  const notices = startNoticeWorker(parts, { relay, returnPath, siteUrls })
  return async () => {
    // The relay takes nothing new at once, and has ended before what is left is given back to other workers.
    const workers = [drafts.stop(DRAIN_MS), worker.stop(DRAIN_MS), notices.stop(DRAIN_MS)]
    await Promise.all([resumer.stop(), ...workers, relay.close(DRAIN_MS - 1_000)])
  }
}
