// The contract of the API as this version builds it. Nothing is started and nothing is asked.
import pino from 'pino'
import { buildServer, type Operation } from '../http/server.ts'
import { type ApiDeps, apiRoutes } from './api.ts'
import { openApiDocument } from './contract/document.ts'
import { NAMED_SCHEMAS } from './contract/named-schemas.ts'
import { OPERATIONS, pathTemplate } from './contract/operations.ts'

/** The OpenAPI document as an object. */
export function describeApi(): Record<string, unknown> {
  const log = pino({ level: 'silent' })
  const app = buildServer({ log, verifyKey: async () => undefined, onAnswer: () => {} })
  // Routes are declared without touching what they will need.
  apiRoutes(app, { attachments: {}, webhooks: {}, reports: {} } as unknown as ApiDeps)
  return openApiDocument(app.operations, NAMED_SCHEMAS)
}

/** What the contract says in words of each operation. */
export function describeOperations(operations: readonly Operation[]) {
  return operations.flatMap(({ operation, method, url, scope = '' }) => {
    const docs = OPERATIONS[operation]
    return docs ? [{ ...docs, operation, method, path: pathTemplate(url), scope }] : []
  })
}
