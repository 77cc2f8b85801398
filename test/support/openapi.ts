// openapi.yaml as it is committed, and where things are in it. Knows nothing of the code that it was made from.
import { readFileSync } from 'node:fs'

export interface Document {
  paths: Record<string, Record<string, DocumentedOperation>>
  webhooks: Record<string, { post: DocumentedOperation }>
  components: { schemas: Record<string, object> }
}

export interface DocumentedOperation {
  operationId: string
  parameters?: Parameter[]
  requestBody?: { content: Record<string, { schema: object; example?: unknown }> }
  responses: Record<string, DocumentedAnswer>
}

export interface Parameter {
  name: string
  in: 'path' | 'query' | 'header'
  required: boolean
  description?: string
  schema: object
}

export interface DocumentedAnswer {
  description: string
  headers?: Record<string, object>
  content?: Record<string, { schema: object; example?: unknown; examples?: Record<string, { value: unknown }> }>
}

export const DOCUMENT: Document = await readContract()

/** `npm test` has read it for all, and names it as JSON by MDK_TEST_CONTRACT. */
async function readContract(): Promise<Document> {
  const json = process.env.MDK_TEST_CONTRACT
  if (json) return JSON.parse(readFileSync(json, 'utf8'))
  const { parse } = await import('yaml')
  return parse(readFileSync(new URL('../../openapi.yaml', import.meta.url), 'utf8'))
}

/** The operation that a method and a path, with or without a query, come to; undefined when there is none. */
export function operationAt(method: string, path: string): DocumentedOperation | undefined {
  const parts = (path.split('?')[0] as string).split('/')
  for (const [pattern, operations] of Object.entries(DOCUMENT.paths)) {
    const names = pattern.split('/')
    const fits = names.length === parts.length && names.every((name, i) => name.startsWith('{') || name === parts[i])
    const operation = fits ? operations[method.toLowerCase()] : undefined
    if (operation) return operation
  }
  return undefined
}

/** A schema of the document for a validator that knows the document as `name`: its references lead there. */
export function within(name: string, schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map((each) => within(name, each))
  if (typeof schema !== 'object' || schema === null) return schema
  return Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [key, key === '$ref' ? `${name}${value}` : within(name, value)]),
  )
}
