// What a data operation of the console or the webmail is: JSON in, JSON out, for whoever is signed in. One file an operation,
// which declares it and asks a feature; what is well-formed, who asks and how a refusal looks has been seen to.
import type { ServerResponse } from 'node:http'
import type { FastifyRequest } from 'fastify'
import type { Static, TSchema } from 'typebox'
import type { RequestOrigin } from '../../access/request-origin.ts'
import type { FoundSession, NewSession } from '../../users/sessions.ts'
import { originOf } from '../http/request-origin.ts'
import type { Server } from '../http/server.ts'
import { FILE, type SentFile, sendFile } from './sent-file.ts'
import { keepSession, type Site } from './site.ts'

type Shape = TSchema | undefined
/** `stream`: octets of whatever kind, handed on as they come. */
type BodyShape = Shape | 'stream'
type AnswerShape = TSchema | typeof FILE | null

interface Declaration<Params extends Shape, Query extends Shape, Body extends BodyShape, Answer extends AnswerShape> {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** `/data/people/:personId`; what stands for itself is an id. */
  path: `/data/${string}`
  params?: Params
  query?: Query
  body?: Body
  /** The JSON of its answer; `FILE`: a file; null: none, status 204. */
  answer: Answer
  /** It is about the user's own account, whoever the user is an actor as: also for who must add a second factor first. */
  ownAccount?: true
  /** 200 unless it says otherwise. */
  status?: 200 | 201 | 202
  /** What its body may have at most, where that is more than of others. */
  bodyLimitBytes?: number
  /** It is not to be asked by HEAD, which would do all of it for nothing. */
  withoutHead?: true
}

type Read<S> = S extends 'stream' ? StreamedBody : S extends TSchema ? Static<S> : undefined
type Answered<S> = S extends TSchema ? Static<S> : S extends typeof FILE ? SentFile : never

/** Octets that have begun to come. */
export interface StreamedBody {
  mediaType: string | undefined
  /** As the browser says; undefined when it does not. */
  sizeBytes: number | undefined
  bytes: AsyncIterable<Uint8Array>
}

/** `Actor`: whoever is signed in, about to act where the page is; undefined for an operation on the own account. */
export interface DataRequest<Actor, Params = unknown, Query = unknown, Body = unknown> {
  actor: Actor
  session: FoundSession
  origin: RequestOrigin
  params: Params
  query: Query
  body: Body
  /** Whoever asks has gone away. */
  gone: AbortSignal
  /** Has the browser keep a new pair, or forget the one it has. */
  keepSession(session: NewSession | null): void
}

export interface DataOperation<Actor, Deps = never> extends Declaration<Shape, Shape, BodyShape, AnswerShape> {
  serve(deps: Deps): (request: DataRequest<Actor>) => Promise<unknown>
}

/** Gives what defines the operations of a site, whose actor is known. */
export function dataFor<Actor>() {
  return <
    Deps,
    Params extends Shape = undefined,
    Query extends Shape = undefined,
    Body extends BodyShape = undefined,
    Answer extends AnswerShape = null,
  >(
    declaration: Declaration<Params, Query, Body, Answer>,
    serve: (
      deps: Deps,
    ) => (
      request: DataRequest<Actor, Read<Params>, Read<Query>, Read<Body>>,
    ) => Promise<Answer extends null ? void : Answered<Answer>>,
  ): DataOperation<Actor, Deps> => ({ ...declaration, serve: serve as DataOperation<Actor, Deps>['serve'] })
}

/** What the code of these operations needs, all together. */
export type DataDepsOf<O> = (O extends { serve(deps: infer Deps): unknown } ? (deps: Deps) => void : never) extends (
  deps: infer All,
) => void
  ? All
  : never

/** Whoever is signed in, as an actor. `environment`: as the page's URL has it. @throws Problem not_found */
export type ActorOf<Actor> = (
  session: FoundSession,
  origin: RequestOrigin,
  environment: string | undefined,
) => Promise<Actor>

/** By which a site knows who asks, and for what. */
export interface DataDoors<Actor> {
  site: Site
  actorOf: ActorOf<Actor>
}

/** Adds operations to a site's server. */
export function serveData<Actor, O extends DataOperation<Actor>>(
  app: Server,
  operations: readonly O[],
  deps: DataDepsOf<O>,
  { site, actorOf }: DataDoors<Actor>,
): void {
  for (const {
    method,
    path,
    params,
    query,
    body,
    answer,
    ownAccount,
    status = 200,
    bodyLimitBytes,
    withoutHead,
    serve,
  } of operations) {
    const handle = serve(deps as never)
    const isStreamed = body === 'stream'
    addRoute(app, isStreamed, {
      method,
      url: path,
      ...(bodyLimitBytes === undefined ? {} : { bodyLimit: bodyLimitBytes }),
      ...(withoutHead ? { exposeHeadRoute: false } : {}),
      config: { auth: 'session', ...(isStreamed ? { streamsBody: true } : {}) },
      schema: {
        ...(params ? { params } : {}),
        querystring: withEnvironment(query),
        ...(typeof body === 'object' ? { body } : {}),
        ...(answer && answer !== FILE ? { response: { [status]: answer } } : {}),
      },
      handler: async (request, reply) => {
        const { environment, ...asked } = request.query as { environment?: string }
        const origin = originOf(request)
        const given = await handle({
          actor: ownAccount ? (undefined as Actor) : await actorOf(request.session, origin, environment),
          session: request.session,
          origin,
          params: request.params,
          query: asked,
          body: isStreamed ? streamOf(request) : request.body,
          gone: goneOf(reply.raw),
          keepSession: (session) => keepSession(reply, site, session),
        })
        if (answer === FILE) return sendFile(reply, given as SentFile)
        return answer ? reply.code(status).send(given) : reply.code(204).send()
      },
    })
  }
}

/** One whose body is left as it comes has a scope of its own. */
function addRoute(app: Server, isStreamed: boolean, route: Parameters<Server['route']>[0]): void {
  if (!isStreamed) {
    app.route(route)
    return
  }
  void app.register(async (plugin) => {
    const scope = plugin as unknown as Server
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null))
    scope.route(route)
  })
}

function streamOf({ headers, raw }: Pick<FastifyRequest, 'headers' | 'raw'>): StreamedBody {
  const length = headers['content-length']
  return {
    mediaType: headers['content-type'],
    sizeBytes: length === undefined ? undefined : Number(length),
    // What is refused before its end is still read to it, so that the refusal arrives.
    bytes: raw.iterator({ destroyOnReturn: false }),
  }
}

function goneOf(response: ServerResponse): AbortSignal {
  const gone = new AbortController()
  response.once('close', () => gone.abort())
  if (response.destroyed) gone.abort()
  return gone.signal
}

const ENVIRONMENT = {
  type: 'string',
  pattern: '^(production|sandbox:[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12})$',
}

/** Every page says in which environment it is. */
export function withEnvironment(query: Shape): TSchema {
  const { properties, ...rest } = { type: 'object', ...query } as { properties?: object }
  return { ...rest, properties: { ...properties, environment: ENVIRONMENT } } as unknown as TSchema
}
