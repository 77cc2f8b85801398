// The webhooks role: delivers events to the endpoints that hear them, and replays what died.
import { EVENTS_TOPIC } from '../events/append.ts'
import { createPublicFetch } from '../lib/public-fetch.ts'
import { startWorker } from '../lib/queue/worker.ts'
import { createSecretBox } from '../lib/secret-box.ts'
import { MAX_CONSECUTIVE_FAILURES, MAX_RECEPTIONS, WEBHOOK_QUEUE } from '../webhooks/delivery-state.ts'
import type { ReplayPace } from '../webhooks/replays/advance-replay.ts'
import { REPLAY_QUEUE } from '../webhooks/replays/replay.ts'
import { createSigningKeyring } from '../webhooks/signing-keys.ts'
import { createDeliverer } from '../workers/webhooks/deliver.ts'
import { createReplayer, REPLAY_RECEPTIONS } from '../workers/webhooks/replay.ts'
import { DRAIN_MS, type Parts } from './parts.ts'

/** Deliveries of this process under way at once: claimed, posted, or waiting to be recorded. */
const CONCURRENCY = 1_024
/** How many of them one endpoint may have, over all processes. */
export const ENDPOINT_CAP = 128
/** How many one tenant, so that its hanging endpoints leave room for the others'. */
export const TENANT_CAP = 256
/** Replays of this process under way at once, and those of a tenant over all processes: each is a batch after another. */
const REPLAY_CONCURRENCY = 4
const REPLAY_TENANT_CAP = 2

/** Gives what stops it. Only a bench has another limit of failures, and only a test another pace of replays. */
export function startWebhooks(
  parts: Omit<Parts, 'store' | 's3'>,
  { failureLimit = MAX_CONSECUTIVE_FAILURES, replayPace }: { failureLimit?: number; replayPace?: ReplayPace } = {},
): () => Promise<void> {
  const { config, log, metrics, database, wakeUps } = parts
  const publicFetch = createPublicFetch({
    allow: config.webhooks.allow,
    dnsServers: config.dnsServers ?? [],
    timeoutMs: config.webhooks.timeoutMs,
  })
  const worker = startWorker({
    queue: WEBHOOK_QUEUE,
    database,
    wakeUps,
    wokenBy: [EVENTS_TOPIC],
    handle: createDeliverer({
      database,
      publicFetch,
      keyring: createSigningKeyring(createSecretBox(parts.secretKeys)),
      backoff: config.webhooks.backoffSeconds,
      failureLimit,
      random: Math.random,
      onAttempt: metrics.onDelivery,
      onDisabled: (endpoint) => log.warn({ endpointId: endpoint.id }, 'a webhook endpoint was disabled'),
      onOutOfTime: (error, deliveryId) =>
        log.error({ err: error, deliveryId }, 'the database takes too long with a delivery, which waits'),
    }),
    concurrency: CONCURRENCY,
    laneCap: ENDPOINT_CAP,
    tenantCap: TENANT_CAP,
    receptionBudget: MAX_RECEPTIONS,
    leaseMs: config.leaseMs,
    pollMs: config.pollMs,
    onError: (error, job) => log.error({ err: error, deliveryId: job?.subjectId }, 'webhook work failed'),
  })
  const replays = startWorker({
    queue: REPLAY_QUEUE,
    database,
    wakeUps,
    handle: createReplayer(database, replayPace),
    concurrency: REPLAY_CONCURRENCY,
    laneCap: 1,
    tenantCap: REPLAY_TENANT_CAP,
    receptionBudget: REPLAY_RECEPTIONS,
    leaseMs: config.leaseMs,
    pollMs: config.pollMs,
    onError: (error, job) => log.error({ err: error, replayId: job?.subjectId }, 'a replay failed'),
  })
  return async () => {
    await Promise.all([worker.stop(DRAIN_MS), replays.stop(DRAIN_MS)])
    await publicFetch.close()
  }
}
