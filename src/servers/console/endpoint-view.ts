// An endpoint as the console shows it.
import type { Static } from 'typebox'
import type { Uuid } from '../../lib/uuid.ts'
import { MAX_CONSECUTIVE_FAILURES } from '../../webhooks/delivery-state.ts'
import type { KnownEndpoint } from '../../webhooks/find-endpoint.ts'
import type { ShownEndpoint } from './webhook-schemas.ts'

/** `apps`: those of its environment. */
export function endpointView(
  endpoint: KnownEndpoint,
  apps: readonly { id: Uuid; name: string }[],
): Static<typeof ShownEndpoint> {
  const appName = apps.find(({ id }) => id === endpoint.appId)?.name ?? ''
  return { ...endpoint, appName, failureLimit: MAX_CONSECUTIVE_FAILURES }
}
