// The contract of the API as this version builds it.
import { OPERATIONS } from '../operations.ts'
import { openApiDocument } from './document.ts'
import { NAMED_SCHEMAS } from './named-schemas.ts'
import { pathTemplate } from './path-template.ts'

/** The OpenAPI document as an object. */
export function describeApi(): Record<string, unknown> {
  return openApiDocument(OPERATIONS, NAMED_SCHEMAS)
}

/** What the contract says in words of each operation. */
export function describeOperations() {
  return OPERATIONS.flatMap((operation) => {
    if (operation.auth !== 'key') return []
    const { name, method, path, scope, words } = operation
    return [{ ...words, operation: name, method, path: pathTemplate(path), scope }]
  })
}
