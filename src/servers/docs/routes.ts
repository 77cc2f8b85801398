// The contract for whoever integrates: the OpenAPI document, its reference page, and the guides beside it. Open to
// everybody; served from this package alone.
import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { FastifyReply } from 'fastify'
import { problem } from '../../access/problem.ts'
import type { Server } from '../http/server.ts'
import { errorList, errorPages } from './error-pages.ts'
import { passagesOf, readGuides } from './guides.ts'
import { guidePage, REFERENCE_PAGE, REFERENCE_SCRIPT, STYLE, searchPage, sidePage } from './pages.ts'
import { createSearch, type DescribedOperation, operationPassages } from './search.ts'

const DOCUMENT = new URL('../../../openapi.yaml', import.meta.url)
/** The viewer's own bundle; the path is part of the pinned package. */
const VIEWER = fileURLToPath(new URL('browser/standalone.js', import.meta.resolve('@scalar/api-reference')))
/** What anybody would type; the rest is cut. */
const MOST_QUERY_CHARACTERS = 100

/** Nothing from elsewhere, and no script. */
const POLICY = [
  "default-src 'none'",
  "style-src 'self'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
]
/** The viewer is a script that asks for the document, calls the API when told to, and writes styles of its own. */
const REFERENCE_POLICY = [
  ...POLICY.filter((directive) => !directive.startsWith('style-src')),
  "style-src 'self' 'unsafe-inline'",
  "script-src 'self'",
  "font-src 'self' data:",
  "connect-src 'self'",
]

/** Takes the operations that the search is to find. */
export function docsRoutes(app: Server, operations: readonly DescribedOperation[]): void {
  const config = { auth: 'open' } as const

  app.get('/openapi.yaml', { config }, async (_request, reply) =>
    reply.type('application/yaml; charset=utf-8').send(await readFile(DOCUMENT, 'utf8')),
  )

  app.get('/docs', { config }, async (_request, reply) => sendPage(reply, REFERENCE_PAGE, REFERENCE_POLICY))
  app.get('/docs/reference.js', { config }, async (_request, reply) =>
    reply.type('text/javascript; charset=utf-8').send(REFERENCE_SCRIPT),
  )
  app.get('/docs/viewer.js', { config }, async (_request, reply) =>
    reply
      .type('text/javascript; charset=utf-8')
      .header('cache-control', 'public, max-age=86400')
      .send(createReadStream(VIEWER)),
  )
  app.get('/docs/style.css', { config }, async (_request, reply) => reply.type('text/css; charset=utf-8').send(STYLE))

  const library = once(() => openLibrary(operations))
  app.get('/docs/guides', { config }, async (_request, reply) => reply.redirect('/docs/guides/quick-start'))
  app.get<{ Params: { name: string } }>('/docs/guides/:name', { config }, async (request, reply) => {
    const { guides } = await library()
    const guide = guides.find(({ name }) => name === request.params.name)
    if (!guide) throw problem('not_found', { message: 'There is no such guide. See /docs/guides for those there are.' })
    return sendPage(reply, guidePage(guide, guides))
  })
  app.get('/docs/errors', { config }, async (_request, reply) => {
    const { guides, list } = await library()
    return sendPage(reply, sidePage(list, guides))
  })
  app.get<{ Params: { code: string } }>('/docs/errors/:code', { config }, async (request, reply) => {
    const { guides, errors } = await library()
    const error = errors.find(({ name }) => name === request.params.code)
    if (!error) throw problem('not_found', { message: 'There is no such code. See /docs/errors for those there are.' })
    return sendPage(reply, sidePage(error, guides))
  })
  app.get<{ Querystring: { q?: unknown } }>('/docs/search', { config }, async (request, reply) => {
    const { guides, search } = await library()
    const query = typeof request.query.q === 'string' ? request.query.q.slice(0, MOST_QUERY_CHARACTERS).trim() : ''
    return sendPage(reply, searchPage(query, search(query), guides))
  })
}

function sendPage(reply: FastifyReply, html: string, policy = POLICY): FastifyReply {
  return reply.type('text/html; charset=utf-8').header('content-security-policy', policy.join('; ')).send(html)
}

/** Read when the first page is asked for: most processes never show one. */
async function openLibrary(operations: readonly DescribedOperation[]) {
  const guides = await readGuides()
  const errors = errorPages()
  const passages = [
    ...guides.flatMap((guide) => passagesOf(guide)),
    ...errors.flatMap((error) => passagesOf(error, `/docs/errors/${error.name}`)),
    ...operationPassages(operations),
  ]
  return { guides, errors, list: errorList(), search: createSearch(passages) }
}

/** What is made once is kept; a failure is not. */
function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined
  return () => {
    made ??= make().catch((error: unknown) => {
      made = undefined
      throw error
    })
    return made
  }
}
