// The api role: answers the HTTP API.
import { createCredentials } from '../apps/credentials.ts'
import { createRateCounts } from '../apps/rate-counts.ts'
import { createBlobLinks, createLocalTransfers } from '../attachments/local-transfers.ts'
import { createS3Transfers } from '../attachments/s3-transfers.ts'
import { createCursorCodec } from '../events/cursor.ts'
import { createKeyHolder } from '../idempotency/hold-key.ts'
import { createPublicFetch } from '../lib/public-fetch.ts'
import { createRateLimiter } from '../lib/rate-limiter/rate-limiter.ts'
import { Secret } from '../lib/secret.ts'
import { createSecretBox } from '../lib/secret-box.ts'
import { createSnsVerifier } from '../mail/reports/sns-message.ts'
import { readReturnPath, returnPathSettings } from '../mail/return-path.ts'
import { createSender } from '../messages/send-message.ts'
import { keepRefusedRequests } from '../requests/keep-refused-requests.ts'
import type { DocsDeps } from '../servers/docs/routes.ts'
import { createGate } from '../servers/http/gate.ts'
import { createSigningKeyring } from '../webhooks/signing-keys.ts'
import { buildApi } from './build-api.ts'
import { explainListenFault } from './listen-fault.ts'
import type { Parts } from './parts.ts'

export interface RunningApi {
  url: string
  stop(): Promise<void>
}

interface ApiOptions {
  /** How many sends one statement writes at most; what measured best unless given. */
  groupRows?: number
  /** The key that the reference offers to whoever sends a request. */
  keyFor?: DocsDeps['keyFor']
  /** Reads what Amazon has at an address: of its certificates, or to confirm a subscription. */
  readFromAmazon?: (url: URL) => Promise<string>
}

/** @throws what keeps it from listening */
export async function startApi(parts: Parts, options: ApiOptions = {}): Promise<RunningApi> {
  const { config, log, metrics, database } = parts
  const credentials = createCredentials(database, parts.hashTurns.keys, (error) => {
    log.warn({ err: error }, 'last use was not recorded')
  })
  const idempotencyTtlSeconds = config.idempotencyTtlMs / 1000
  const publicFetch = createPublicFetch({
    allow: config.webhooks.allow,
    dnsServers: config.dnsServers ?? [],
    timeoutMs: config.webhooks.timeoutMs,
  })
  const box = createSecretBox(parts.secretKeys)
  const returnPath = config.returnPathDomain ? returnPathSettings(config.returnPathDomain, parts.secretKeys) : undefined
  const blobLinks = createBlobLinks(box)
  // Known once it listens, unless a proxy stands before it.
  let publicUrl = config.http.publicUrl?.replace(/\/+$/, '') ?? ''
  const limiter = createRateLimiter(createRateCounts(database), (error) => {
    log.warn({ err: error }, 'requests are counted by this process alone')
  })
  const sender = createSender({
    database,
    idempotencyTtlSeconds,
    onGroup: metrics.onGroup,
    ...(options.groupRows === undefined ? {} : { groupRows: options.groupRows }),
  })
  const heldKeys = createKeyHolder(database, (error) => {
    log.warn({ err: error }, 'leases of idempotency keys were not renewed')
  })
  const refused = keepRefusedRequests(database, metrics.onRefusedNotKept)
  const app = buildApi({
    log,
    database,
    store: parts.store,
    sender,
    cursors: createCursorCodec(parts.secretKeys),
    verifyKey: credentials.verify,
    gate: createGate({ limiter, ipPerMinute: config.ipPerMinute, ipAllow: config.ipAllow }),
    trustedProxies: config.trustedProxies,
    ipAllow: config.ipAllow,
    certificate: parts.certificate,
    idempotencyTtlSeconds,
    heldKeys,
    transfers: parts.s3 ? createS3Transfers(parts.s3) : createLocalTransfers(blobLinks, parts.store, () => publicUrl),
    uploadTtlSeconds: config.uploadTtlMs / 1000,
    downloadTtlSeconds: config.downloadTtlMs / 1000,
    blobLinks: parts.s3 ? undefined : blobLinks,
    reportSecret: config.relayReports.secret === undefined ? undefined : new Secret(config.relayReports.secret),
    sesTopic: config.relayReports.sesTopic,
    sns: createSnsVerifier(options.readFromAmazon ?? readFromAmazon),
    returnPath: (address) => returnPath && readReturnPath(address, returnPath),
    publicFetch,
    webhookAllow: config.webhooks.allow,
    box,
    keyring: createSigningKeyring(box),
    onAnswer: metrics.onAnswer,
    onRefused: refused.keep,
    keyFor: options.keyFor,
  })
  const stop = async () => {
    // Both at once: during a stop, what takes the database too long is not written again.
    await Promise.all([app.close(), sender.drain()])
    heldKeys.stop()
    await sender.drain()
    await refused.stop()
    await credentials.stop()
    await limiter.stop()
    await publicFetch.close()
  }
  try {
    const { host, port } = config.http
    const url = await app.listen({ host, port }).catch(explainListenFault('MDK', config.http))
    publicUrl ||= url
    return { url, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

const AMAZON_TIMEOUT_MS = 5_000

async function readFromAmazon(url: URL): Promise<string> {
  const response = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(AMAZON_TIMEOUT_MS) })
  if (!response.ok) {
    await response.body?.cancel()
    throw new Error(`${url.hostname} answered ${response.status}`)
  }
  return response.text()
}
