// The contract of the API as this version builds it.
import { OPERATIONS } from '../operations.ts'
import { openApiDocument } from './document.ts'
import { NAMED_SCHEMAS } from './named-schemas.ts'

/** The OpenAPI document as an object. */
export function describeApi(): Record<string, unknown> {
  return openApiDocument(OPERATIONS, NAMED_SCHEMAS)
}
