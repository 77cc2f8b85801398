// The contract of the API as this version builds it. Nothing is started and nothing is asked.
import pino from 'pino'
import { type ApiDeps, buildApi } from './api.ts'
import { openApiDocument } from './contract/document.ts'
import { NAMED_SCHEMAS } from './contract/named-schemas.ts'

/** The OpenAPI document as an object. */
export function describeApi(): Record<string, unknown> {
  // Routes are declared without touching what they will need.
  const deps = { log: pino({ level: 'silent' }), attachments: {}, webhooks: {}, reports: {} } as unknown as ApiDeps
  return openApiDocument(buildApi(deps).operations, NAMED_SCHEMAS)
}
