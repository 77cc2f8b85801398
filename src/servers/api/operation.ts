// What an operation of the API is: a declaration, which says to the server and to the contract all that is not code, and the
// code that answers it. Each file of this folder that is named after an operation declares it, in words too, and is its
// default export; operations.ts lists them.
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import type {
  ContextConfigDefault,
  FastifySchema,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerDefault,
  RouteGenericInterface,
  RouteOptions,
} from 'fastify'
import type { Logger } from 'pino'
import type { TSchema, TUnsafe } from 'typebox'
import type { Scope } from '../../access/permissions.ts'
import type { FieldFault, ProblemCode } from '../../access/problem.ts'
import type { OutsideIpGuard } from '../http/gate.ts'
import type { Tag } from './contract/tags.ts'

/**
 * An operation: what it declares, and the code that answers it, made once from what that code needs. Its code parses, calls
 * a feature and replies; who may ask, what is well-formed and how a refusal looks has been seen to.
 */
export function defineOperation<
  const Name extends string,
  Deps,
  Params extends TSchema | undefined = undefined,
  Query extends TSchema | undefined = undefined,
  Taken extends Body | undefined = undefined,
  Given extends Answers = Answers,
>(
  declaration: Declaration<Name, Params, Query, Taken, Given>,
  serve: (deps: Deps) => Code<Schema<Params, Query, Taken, Given>> | undefined,
): Operation<Deps, Name> {
  return { ...declaration, serve: serve as (deps: Deps) => Served | undefined }
}

/** A declaration and the code for it. `Deps`: what that code needs. */
export type Operation<Deps = never, Name = string> = Declaration<Name> & {
  /** Undefined when the service does not offer it: it lacks the configuration for it. */
  serve(deps: Deps): Served | undefined
}

/** What an operation says of itself. */
type Declaration<
  Name = string,
  Params = TSchema | undefined,
  Query = TSchema | undefined,
  Taken = Body | undefined,
  Given = Answers,
> = Access & {
  /** The name it has in the contract, in records and in lists. */
  name: Name
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** `/v1/messages/:messageId` */
  path: `/v1/${string}`
  /** The ids in the path. */
  params?: Params
  query?: Query
  body?: Taken
  /** The largest body, where it is not that of most operations. */
  bodyLimitBytes?: number
  /** What is said of a larger one, where it is not what is said of most. */
  tooLarge?: string
  /** What is wrong with a body beyond what its shape says; reported together with what the shape finds. */
  faultsOf?(body: unknown): FieldFault[]
  answers: Given
  /** The headers of its answer that are its own. */
  answerHeaders?: readonly 'Mdk-Resume-Cursor'[]
  /** True when its code answers HEAD too: the framework would make the whole answer to GET and throw it away. */
  answersHead?: true
}

/** Who may ask for it, and what the server does about it before any of the operation's code runs. */
type Access =
  | {
      /** Whoever has an API key with the scope. */
      auth: 'key'
      /** specification.md#scopes */
      scope: Scope
      /** True when it needs an Idempotency-Key, which the request has then. */
      idempotent?: true
      words: Words
    }
  | {
      /** Whoever has a URL or a secret that the operation itself checks. */
      auth: 'signed'
      /** The bound that counts it instead of the IP guard. */
      outsideIpGuard: OutsideIpGuard
      scope?: never
      idempotent?: never
      /** Without words the contract leaves it out: it is for operators. */
      words?: Words
    }

/** What the contract says of it beside its shapes. */
export interface Words {
  tag: Tag
  summary: string
  description: string
  /** True for what goes beyond version 1 of the specification. */
  extension?: true
  /** The codes that it may answer with beside those that follow from the declaration. */
  errors?: ProblemCode[]
  /** An example of its body, and of its successful answer. */
  examples?: { request?: unknown; answer?: unknown }
}

/** JSON of a shape; or the octets as they came, whole or as a stream, of whatever type the operation takes. */
type Body = TSchema | 'octets' | 'stream'

/** By status: the shape of the JSON, octets, or null where there is no body. */
export type Answers = Readonly<Record<number, TSchema | Octets | null>>

/** What it answers where that is no JSON. */
interface Octets {
  /** `*\/*`: whatever type the octets have. */
  mediaType: string
  description: string
  /** The headers that are this answer's own. */
  headers?: readonly ('Content-Disposition' | 'Content-Range' | 'ETag')[]
}

export type Served = Code<FastifySchema>

/** Code that answers, whose request and reply follow from the shapes. */
type Code<S extends FastifySchema> = Route<S>['handler'] | Route<S>

/** A handler and the hooks that some operations have before their body comes and after their answer goes. */
type Route<S extends FastifySchema> = Pick<
  RouteOptions<
    RawServerDefault,
    RawRequestDefaultExpression,
    RawReplyDefaultExpression,
    RouteGenericInterface,
    ContextConfigDefault,
    S,
    TypeBoxTypeProvider,
    Logger
  >,
  'handler' | 'onRequest' | 'preParsing' | 'onSend' | 'onResponse'
>

type Schema<Params, Query, Taken, Given> = {
  params: Params
  querystring: Query
  // None at all where none came.
  body: Taken extends 'octets' ? TUnsafe<Buffer | undefined> : Taken extends TSchema ? Taken : undefined
  response: { [Status in keyof Given as Given[Status] extends TSchema ? Status : never]: Given[Status] }
}
