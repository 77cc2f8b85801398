// The contract of the API as this version builds it.
import type { Operation } from '../operation.ts'
import { OPERATIONS } from '../operations.ts'
import { isInContract, openApiDocument } from './document.ts'
import { NAMED_SCHEMAS } from './named-schemas.ts'
import { pathTemplate } from './path-template.ts'

/** The OpenAPI document as an object. */
export function describeApi(): Record<string, unknown> {
  return openApiDocument(OPERATIONS, NAMED_SCHEMAS)
}

/** What the contract says in words of each operation. */
export function describeOperations() {
  return OPERATIONS.flatMap((operation: Operation) => {
    if (!isInContract(operation)) return []
    const { name, method, path, scope, words } = operation
    return [{ ...words, operation: name, method, path: pathTemplate(path), scope }]
  })
}
