// The api role: answers the HTTP API.
import { buildApi } from '../api.ts'
import { createCredentials } from '../apps/credentials.ts'
import { createCursorCodec } from '../events/cursor.ts'
import { createSender } from '../messages/send-message.ts'
import { OUTBOUND_QUEUE } from '../outbound/submit-message.ts'
import type { Parts } from './parts.ts'

export interface RunningApi {
  url: string
  stop(): Promise<void>
}

/** @throws what keeps it from listening */
export async function startApi(parts: Parts): Promise<RunningApi> {
  const { config, log, metrics, database, wakeUps } = parts
  const credentials = createCredentials(database, (error) => log.warn({ err: error }, 'last use was not recorded'))
  const sender = createSender({
    db: database,
    idempotencyTtlSeconds: config.idempotencyTtlMs / 1000,
    wakeOutbound: () => wakeUps.wake(OUTBOUND_QUEUE),
    onGroup: metrics.onGroup,
  })
  const app = buildApi({
    log,
    database,
    store: parts.store,
    sender,
    cursors: createCursorCodec(parts.secretKeys),
    verifyKey: credentials.verify,
    onEvents: () => wakeUps.wake('webhooks'),
    onAnswer: metrics.onAnswer,
  })
  const stop = async () => {
    await app.close()
    await sender.drain()
    await credentials.stop()
  }
  try {
    return { url: await app.listen({ host: config.http.host, port: config.http.port }), stop }
  } catch (error) {
    await stop()
    throw error
  }
}
