// Tries whether an endpoint takes what it is sent.
import type { TenantActor } from '../access/actor.ts'
import { assertMay } from '../access/permissions.ts'
import { problem } from '../access/problem.ts'
import { recordAct } from '../audit/record.ts'
import { databaseTime, unixSeconds } from '../lib/database-clock.ts'
import type { PublicFetch } from '../lib/public-fetch.ts'
import { type Database, type Db, sql } from '../lib/sql.ts'
import { newId, type Uuid } from '../lib/uuid.ts'
import { answerText } from './answer-text.ts'
import { API_VERSION, DELIVERY_HEADERS, deliveryBody, TEST_TYPE } from './delivery-body.ts'
import { type AttemptError, attemptFrom } from './delivery-state.ts'
import { requireEndpoint } from './find-endpoint.ts'
import { signatureHeaders } from './signature.ts'
import type { SealedSecrets, SigningKeyring } from './signing-keys.ts'

export interface TestEndpointDeps {
  database: Database
  keyring: SigningKeyring
  publicFetch: Pick<PublicFetch, 'post'>
}

export interface TestResult {
  eventId: Uuid
  delivered: boolean
  statusCode: number | null
  error: AttemptError | null
  /** The beginning of what it answered instead of accepting. */
  answer: string | null
  durationMs: number
}

/** Sends one signed request that is no event, now and once, and gives the result. @throws Problem not_found */
export async function testEndpoint(deps: TestEndpointDeps, actor: TenantActor, id: Uuid): Promise<TestResult> {
  assertMay(actor, 'writeWebhooks')
  const endpoint = await requireEndpoint(deps.database, actor, id)
  const sealed = await readSecrets(deps.database, actor.tenantId, id)
  if (!sealed) throw problem('not_found')
  const eventId = newId()
  const now = await databaseTime(deps.database)
  const body = deliveryBody({
    id: eventId,
    type: TEST_TYPE,
    apiVersion: API_VERSION,
    occurredAt: now.toISOString(),
    data: JSON.stringify({ object: 'webhook_endpoint', id, test: true }),
  })
  const timestamp = unixSeconds(now)
  const signed = signatureHeaders({ id: eventId, timestamp, body }, deps.keyring.keysOf(sealed))
  const outcome = await deps.publicFetch.post(endpoint.url, { headers: { ...DELIVERY_HEADERS, ...signed }, body })
  const act = { operation: 'testWebhookEndpoint', resourceType: 'webhook_endpoint', resourceId: id } as const
  await deps.database.transaction((tx) => recordAct(tx, actor, act))
  const statusCode = 'status' in outcome ? outcome.status : null
  const attempt = attemptFrom(outcome)
  const error = attempt.kind === 'failed' ? attempt.error : null
  const answer = error === null ? null : answerText(outcome)
  return { eventId, delivered: error === null, statusCode, error, durationMs: outcome.durationMs, answer }
}

function readSecrets(db: Db, tenantId: Uuid, id: Uuid): Promise<SealedSecrets | undefined> {
  return db.first(sql<SealedSecrets>`
    select tenant_id, id, secret,
      case when previous_secret_until > clock_timestamp() then previous_secret end as previous_secret
    from webhook_endpoints
    where tenant_id = ${tenantId} and id = ${id} and deleted_at is null`)
}
