// The webhook operations over HTTP.

import { notFoundField } from '../../access/problem.ts'
import { recordAct } from '../../audit/record.ts'
import { answerOnce } from '../../idempotency/answer-once.ts'
import { IdParams } from '../../lib/schemas.ts'
import { endDeliveries } from '../../webhooks/end-deliveries.ts'
import { findEndpoint, listEndpoints } from '../../webhooks/endpoint-store.ts'
import { listDeliveries } from '../../webhooks/list-deliveries.ts'
import {
  act,
  createEndpoint,
  deleteEndpoint,
  type EndpointDeps,
  rotateSecret,
  testEndpoint,
  updateEndpoint,
} from '../../webhooks/manage-endpoints.ts'
import { replayDelivery } from '../../webhooks/replay.ts'
import {
  CreateWebhookEndpointInput,
  NewWebhookEndpoint,
  ReplayedDelivery,
  UpdateWebhookEndpointInput,
  WebhookDeliveriesQuery,
  WebhookDeliveryList,
  WebhookEndpointAnswer,
  WebhookEndpointList,
  WebhookTestResult,
} from '../../webhooks/schemas.ts'
import { originOf } from '../http/request-origin.ts'
import type { Server } from '../http/server.ts'

export interface WebhookDeps extends EndpointDeps {
  idempotencyTtlSeconds: number
  /** Called after a commit that made deliveries due. */
  onDue(): void
}

export function webhookRoutes(app: Server, deps: WebhookDeps): void {
  const { database } = deps
  const params = IdParams('endpointId')

  app.get(
    '/v1/webhook-endpoints',
    {
      config: { operation: 'listWebhookEndpoints' },
      schema: { response: { 200: WebhookEndpointList } },
    },
    async ({ principal }) => ({ items: await listEndpoints(database, principal) }),
  )

  app.post(
    '/v1/webhook-endpoints',
    {
      config: { operation: 'createWebhookEndpoint' },
      schema: { body: CreateWebhookEndpointInput, response: { 201: NewWebhookEndpoint } },
    },
    async (request, reply) => {
      const { endpoint, secret } = await createEndpoint(deps, request.principal, request.body, originOf(request))
      return reply.code(201).send({ endpoint, secret: secret.reveal() })
    },
  )

  app.patch(
    '/v1/webhook-endpoints/:endpointId',
    {
      config: { operation: 'updateWebhookEndpoint' },
      schema: { params, body: UpdateWebhookEndpointInput, response: { 200: WebhookEndpointAnswer } },
    },
    async (request) => {
      const { principal } = request
      const endpoint = await updateEndpoint(deps, principal, request.params.endpointId, request.body, originOf(request))
      if (endpoint.enabled) deps.onDue()
      else await endDeliveries(database, { tenantId: principal.tenantId, id: endpoint.id })
      return { endpoint }
    },
  )

  app.delete(
    '/v1/webhook-endpoints/:endpointId',
    { config: { operation: 'deleteWebhookEndpoint' }, schema: { params } },
    async (request, reply) => {
      await deleteEndpoint(deps, request.principal, request.params.endpointId, originOf(request))
      return reply.code(204).send()
    },
  )

  app.post(
    '/v1/webhook-endpoints/:endpointId/rotate-secret',
    {
      config: { operation: 'rotateWebhookEndpointSecret' },
      schema: { params, response: { 200: NewWebhookEndpoint } },
    },
    async (request) => {
      const { principal, params } = request
      const { endpoint, secret } = await rotateSecret(deps, principal, params.endpointId, (tx) =>
        recordAct(tx, principal, originOf(request), act('rotateWebhookEndpointSecret', params.endpointId)),
      )
      return { endpoint, secret: secret.reveal() }
    },
  )

  app.post(
    '/v1/webhook-endpoints/:endpointId/test',
    {
      config: { operation: 'testWebhookEndpoint' },
      schema: { params, response: { 200: WebhookTestResult } },
    },
    async (request) => {
      const { principal, params } = request
      const result = await testEndpoint(deps, principal, params.endpointId)
      await database.transaction((tx) =>
        recordAct(tx, principal, originOf(request), act('testWebhookEndpoint', params.endpointId)),
      )
      return result
    },
  )

  app.get(
    '/v1/webhook-deliveries',
    {
      config: { operation: 'listWebhookDeliveries' },
      schema: { querystring: WebhookDeliveriesQuery, response: { 200: WebhookDeliveryList } },
    },
    async ({ principal, query: { limit, endpointId } }) => {
      if (endpointId !== undefined && !(await findEndpoint(database, principal, endpointId))) {
        throw notFoundField('endpointId')
      }
      return { items: await listDeliveries(database, principal, endpointId, limit) }
    },
  )

  app.post(
    '/v1/webhook-deliveries/:deliveryId/replay',
    {
      config: { operation: 'replayWebhookDelivery', idempotent: true },
      schema: { params: IdParams('deliveryId'), response: { 202: ReplayedDelivery } },
    },
    async (request, reply) => {
      const { principal, idempotencyKey: key } = request
      const target = request.params.deliveryId
      const keyed = { key, operation: 'replayWebhookDelivery', target, input: null }
      const { body, replayed } = await database.transaction((tx) =>
        answerOnce(tx, principal, keyed, deps.idempotencyTtlSeconds, async () => {
          const delivery = await replayDelivery(tx, principal, target)
          const what = { operation: keyed.operation, resourceType: 'webhook_delivery', resourceId: target }
          await recordAct(tx, principal, originOf(request), what)
          return { status: 202, resourceId: target, body: delivery }
        }),
      )
      if (replayed) reply.header('idempotent-replayed', 'true')
      else deps.onDue()
      return reply.code(202).send(body)
    },
  )
}
