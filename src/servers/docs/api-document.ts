// What the pages read of the contract, an OpenAPI 3.1 document. Knows nothing of how they look.

export interface ApiDocument {
  info: { description: string }
  tags: readonly { name: string; description: string }[]
  paths: Readonly<Record<string, Readonly<Record<string, ApiOperation>>>>
  webhooks: Readonly<Record<string, { post: ApiOperation }>>
  components: { headers: Readonly<Record<string, Header>>; schemas: Schemas }
}

export type Schemas = Readonly<Record<string, ApiSchema>>

export interface ApiOperation {
  operationId: string
  tags: readonly string[]
  summary: string
  /** Markdown, like every description. */
  description: string
  parameters?: readonly Parameter[]
  requestBody?: { content: ApiContent }
  responses: Readonly<Record<string, ApiAnswer>>
  'x-extension'?: true
  /** Empty when no key is needed. */
  security: readonly object[]
}

export interface Parameter {
  name: string
  in: 'path' | 'query' | 'header'
  required: boolean
  description?: string
  schema: ApiSchema
  example?: string
}

export interface ApiAnswer {
  description: string
  headers?: Readonly<Record<string, { $ref: string }>>
  content?: ApiContent
}

export type ApiContent = Readonly<Record<string, { schema: ApiSchema; example?: unknown }>>

interface Header {
  description: string
  schema: ApiSchema
}

export interface ApiSchema {
  $ref?: string
  type?: string | readonly string[]
  format?: string
  description?: string
  const?: unknown
  enum?: readonly unknown[]
  default?: unknown
  anyOf?: readonly ApiSchema[]
  items?: ApiSchema
  properties?: Readonly<Record<string, ApiSchema>>
  required?: readonly string[]
  minLength?: number
  maxLength?: number
  minItems?: number
  maxItems?: number
  minimum?: number
  maximum?: number
}

/** What the reference has a page of. */
export interface Entry extends ApiOperation {
  method: string
  /** With parameters in braces; undefined for a request that the service makes to an address of somebody else's. */
  path: string | undefined
}

/** The operations, and then the requests to webhooks. */
export function entriesOf({ paths, webhooks }: ApiDocument): Entry[] {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ ...operation, method: method.toUpperCase(), path })),
  )
  const posted = Object.values(webhooks).map(({ post }) => ({ ...post, method: 'POST', path: undefined }))
  return [...operations, ...posted]
}

/** Where its page is. */
export function addressOf({ operationId }: Entry): string {
  return `/docs/reference/${operationId}`
}
