// Asks for all deliveries to be replayed that died at or after an instant: of an endpoint, or of all endpoints of an
// application. What it finds, a worker replays batch by batch (advance-replay.ts). specification.md#replay
import type { Application, TenantActor } from '../../access/actor.ts'
import { assertMay } from '../../access/permissions.ts'
import { invalidField, problem } from '../../access/problem.ts'
import { recordAct } from '../../audit/record.ts'
import { answerOnce, type Replayable } from '../../idempotency/answer-once.ts'
import { parseInstant } from '../../lib/instant.ts'
import { enqueueJobs } from '../../lib/queue/enqueue-jobs.ts'
import { sql, type Tx } from '../../lib/sql.ts'
import { newId, type Uuid } from '../../lib/uuid.ts'
import { endpointReach } from '../endpoint-reach.ts'
import { requireEndpoint } from '../find-endpoint.ts'
import type { ReplayDeps } from '../replay-delivery.ts'
import { requireApp } from '../require-app.ts'
import type { ReplaySinceInput, WebhookReplay } from '../schemas.ts'
import { requireReplay } from './find-replays.ts'
import { REPLAY_QUEUE, type ReplayScope } from './replay.ts'

const OPERATION = 'replayWebhookEndpoint'

/** Once for each idempotency key. @throws Problem those of startReplay, and those of the key */
export function startReplayOnce(
  { database, idempotencyTtlSeconds }: ReplayDeps,
  actor: Application,
  key: string,
  endpointId: Uuid,
  input: ReplaySinceInput,
): Promise<Replayable<WebhookReplay>> {
  const keyed = { key, operation: OPERATION, target: endpointId, input }
  return database.transaction((tx) =>
    answerOnce(tx, actor, keyed, idempotencyTtlSeconds, async () => {
      const body = await startReplay(tx, actor, { endpointId }, input)
      return { status: 202, resourceId: body.id, body }
    }),
  )
}

/**
 * Of an application, those of its endpoints that are enabled.
 * @throws Problem not_found, validation_error when `since` is no instant or lies ahead, endpoint_disabled, also where all
 *   endpoints of an application are; replay_running while there is one of the same scope
 */
export async function startReplay(
  tx: Tx,
  actor: TenantActor,
  scope: ReplayScope,
  { since }: ReplaySinceInput,
): Promise<WebhookReplay> {
  assertMay(actor, 'replayDeliveries')
  const sinceMicros = parseInstant(since)
  if (sinceMicros === undefined) throw invalidField('since', 'must be an ISO 8601 date or instant')
  const target = await targetOf(tx, actor, scope)
  const id = await insertReplay(tx, actor, target, sinceMicros)
  const { tenantId } = actor
  const lane = target.endpointId ?? target.appId
  await enqueueJobs(tx, [{ tenantId, queue: REPLAY_QUEUE, lane, subjectId: id }])
  const ofEndpoint = actor.kind === 'application' ? OPERATION : 'endpoint.replay'
  const operation = target.endpointId ? ofEndpoint : 'app.replay'
  await recordAct(tx, actor, { operation, resourceType: 'webhook_replay', resourceId: id })
  return requireReplay(tx, actor, id)
}

interface Target {
  appId: Uuid
  /** Null: all of the application. */
  endpointId: Uuid | null
  /** Those that are enabled. */
  endpointIds: Uuid[]
}

/** @throws Problem not_found, endpoint_disabled */
async function targetOf(tx: Tx, actor: TenantActor, scope: ReplayScope): Promise<Target> {
  if ('endpointId' in scope) {
    const { id, appId, enabled } = await requireEndpoint(tx, actor, scope.endpointId)
    if (!enabled) throw problem('endpoint_disabled')
    return { appId, endpointId: id, endpointIds: [id] }
  }
  const { appId } = scope
  await requireApp(tx, actor, appId)
  const { tenantId, environmentId } = endpointReach(actor)
  const endpoints = await tx.rows(sql<{ id: Uuid; enabled: boolean }>`
    select id, enabled from webhook_endpoints
    where tenant_id = ${tenantId} and environment_id = ${environmentId} and app_id = ${appId} and deleted_at is null`)
  const enabled = endpoints.filter((endpoint) => endpoint.enabled)
  if (enabled.length === 0 && endpoints.length > 0) {
    throw problem('endpoint_disabled', { message: 'All webhook endpoints of the application are disabled.' })
  }
  return { appId, endpointId: null, endpointIds: enabled.map(({ id }) => id) }
}

/** @throws Problem validation_error, replay_running */
async function insertReplay(tx: Tx, actor: TenantActor, target: Target, sinceMicros: number): Promise<Uuid> {
  const { tenantId, environmentId } = actor
  const { appId, endpointId, endpointIds } = target
  for (;;) {
    const replay = await tx.first(sql<{ id: Uuid; isAhead: boolean }>`
      insert into webhook_replays (tenant_id, id, environment_id, app_id, endpoint_id, since, until, asked_by)
      values (${tenantId}, ${newId()}, ${environmentId}, ${appId}, ${endpointId},
        to_timestamp(0) + ${sinceMicros}::bigint * interval '1 microsecond', clock_timestamp(), ${actor.kind})
      on conflict (tenant_id, (coalesce(endpoint_id, app_id))) where status = 'running' do nothing
      returning id, since > until as "isAhead"`)
    if (replay?.isAhead) throw invalidField('since', 'must not lie in the future')
    if (replay) {
      await tx.rows(sql`
        insert into webhook_replay_places (tenant_id, replay_id, endpoint_id, dead_at)
        select r.tenant_id, r.id, e.id, r.since
        from webhook_replays r cross join unnest(${endpointIds}::uuid[]) as e (id)
        where r.tenant_id = ${tenantId} and r.id = ${replay.id}`)
      return replay.id
    }
    const running = await tx.first(sql<{ id: Uuid }>`
      select id from webhook_replays
      where tenant_id = ${tenantId} and coalesce(endpoint_id, app_id) = ${endpointId ?? appId} and status = 'running'`)
    // Else it has ended in between.
    if (running) throw problem('replay_running', { details: { replayId: running.id } })
  }
}
