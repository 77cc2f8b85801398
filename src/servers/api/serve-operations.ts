// Makes routes of operations: what each declares says what the server does before and after its code.
import type { FastifyError, FastifySchema } from 'fastify'
import { type FieldFault, invalidFields, problem } from '../../access/problem.ts'
import { onePerField, validationFaults } from '../../access/schema-faults.ts'
import type { Server } from '../http/server.ts'
import type { Operation } from './operation.ts'

/** What the code of these operations needs, all together. */
export type DepsOf<O> = (O extends { serve(deps: infer Deps): unknown } ? (deps: Deps) => void : never) extends (
  deps: infer All,
) => void
  ? All
  : never

/** Adds the operations to a server, but for those that the service does not offer. */
export function serveOperations<O extends Operation>(app: Server, operations: readonly O[], deps: DepsOf<O>): void {
  for (const operation of operations) {
    const served = operation.serve(deps as never)
    if (!served) continue
    const route = { ...routeOf(operation), ...(typeof served === 'function' ? { handler: served } : served) }
    const { body } = operation
    if (typeof body === 'string') addUnparsed(app, body, route)
    else app.route(route)
  }
}

type Route = Parameters<Server['route']>[0]

function routeOf(operation: Operation): Omit<Route, 'handler'> {
  const { method, path, answersHead = false, bodyLimitBytes, tooLarge, faultsOf } = operation
  return {
    method: answersHead ? [method, 'HEAD'] : method,
    url: path,
    config: configOf(operation),
    schema: schemaOf(operation),
    ...(bodyLimitBytes === undefined ? {} : { bodyLimit: bodyLimitBytes }),
    ...(tooLarge === undefined ? {} : { errorHandler: sayHowElse(tooLarge) }),
    ...(faultsOf ? { attachValidation: true, preHandler: refuseFaults(faultsOf) } : {}),
  }
}

function configOf(operation: Operation): Route['config'] {
  const { body } = operation
  const streamed = body === 'stream' ? { streamsBody: true } : {}
  if (operation.auth === 'signed') {
    return { auth: operation.auth, outsideIpGuard: operation.outsideIpGuard, ...streamed }
  }
  const { auth, scope, idempotent = false } = operation
  return { auth, scope, idempotent, ...streamed }
}

/** With what is declared and no more: the framework complains of a schema that is named and not there. */
function schemaOf({ params, query, body, answers }: Operation): FastifySchema {
  const shapes = Object.entries(answers).filter(([, answer]) => answer !== null && !('mediaType' in answer))
  return {
    ...(params ? { params } : {}),
    ...(query ? { querystring: query } : {}),
    ...(typeof body === 'object' ? { body } : {}),
    ...(shapes.length > 0 ? { response: Object.fromEntries(shapes) } : {}),
  }
}

/** Refuses a body with all that is wrong with it. */
function refuseFaults(faultsOf: (body: unknown) => FieldFault[]): NonNullable<Route['preHandler']> {
  return (request, _reply, done) => {
    const found = request.validationError?.validation as Parameters<typeof validationFaults>[0] | undefined
    const faults = onePerField([...validationFaults(found ?? []), ...faultsOf(request.body)])
    if (found || faults.length > 0) return done(invalidFields(faults) as unknown as FastifyError)
    done()
  }
}

/** However much too large a body is, the other way to send it is named. */
function sayHowElse(message: string): NonNullable<Route['errorHandler']> {
  return (error) => {
    const isTooLarge = error.code === 'FST_ERR_CTP_BODY_TOO_LARGE'
    throw isTooLarge ? problem('payload_too_large', { message }) : error
  }
}

/** In a scope of its own, in which bodies are left as they come. */
function addUnparsed(app: Server, body: string, route: Route): void {
  void app.register(async (plugin) => {
    const scope = plugin as unknown as Server
    scope.removeAllContentTypeParsers()
    if (body === 'stream') scope.addContentTypeParser('*', (_request, _payload, done) => done(null))
    else {
      // JSON all of it, which some send as text.
      const types = ['application/json', 'text/plain']
      scope.addContentTypeParser(types, { parseAs: 'buffer' }, (_request, octets, done) => done(null, octets))
    }
    scope.route(route)
  })
}
