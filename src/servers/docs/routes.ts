// The contract for whoever integrates: the OpenAPI document, the reference made of it, and the guides beside it. Open to
// everybody; served from this package alone.
import { readFile } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { problem } from '../../access/problem.ts'
import { once } from '../../lib/once.ts'
import { createContent, sendContent } from '../http/content.ts'
import type { Server } from '../http/server.ts'
import type { ApiDocument } from './api-document.ts'
import { openLibrary } from './library.ts'
import { KEY_ADDRESS } from './try-form.ts'

const CONTRACT = new URL('../../../openapi.yaml', import.meta.url)
/** What anybody would type; the rest is cut. */
const MOST_QUERY_CHARACTERS = 100
/** An asset's address changes whenever the asset does. */
const FOR_EVER = 'public, max-age=31536000, immutable'

/** Nothing from elsewhere, and no script. */
const POLICY = [
  "default-src 'none'",
  "style-src 'self'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
]
/** The form that calls the service is run by a script of ours. */
const SCRIPT_POLICY = [...POLICY, "script-src 'self'", "connect-src 'self'"]

export interface DocsDeps {
  /** The contract as an object. */
  describe(): ApiDocument
  /** The key with which whoever sends this request may try the service; undefined for strangers. Absent: nobody gets one. */
  keyFor?: ((request: IncomingMessage) => string | undefined) | undefined
}

export function docsRoutes(app: Server, { describe, keyFor }: DocsDeps): void {
  const config = { auth: 'open' } as const
  // Read when the first page is asked for: most processes never show one.
  const library = once(() => openLibrary(describe(), keyFor !== undefined))
  const contract = once(async () => createContent('application/yaml; charset=utf-8', await readFile(CONTRACT, 'utf8')))

  async function sendPage(request: FastifyRequest, reply: FastifyReply, address: string): Promise<FastifyReply> {
    const page = await (await library()).page(address)
    if (!page) {
      const list = address.slice(0, address.lastIndexOf('/'))
      throw problem('not_found', { message: `There is no such page. See ${list} for those there are.` })
    }
    return sendContent(request, withPolicy(reply, page.hasScript ? SCRIPT_POLICY : POLICY), page.content)
  }

  type Named = { Params: { name: string } }
  app.get('/openapi.yaml', { config }, async (request, reply) => sendContent(request, reply, await contract()))
  app.get('/docs', { config }, (request, reply) => sendPage(request, reply, '/docs'))
  app.get('/docs/errors', { config }, (request, reply) => sendPage(request, reply, '/docs/errors'))
  app.get('/docs/reference', { config }, async (_request, reply) => reply.redirect('/docs'))
  app.get('/docs/guides', { config }, async (_request, reply) => reply.redirect('/docs/guides/quick-start'))
  for (const kind of ['reference', 'guides', 'errors']) {
    app.get<Named>(`/docs/${kind}/:name`, { config }, (request, reply) =>
      sendPage(request, reply, `/docs/${kind}/${request.params.name}`),
    )
  }
  app.get<{ Querystring: { q?: unknown } }>('/docs/search', { config }, async (request, reply) => {
    const { q } = request.query
    const query = typeof q === 'string' ? q.slice(0, MOST_QUERY_CHARACTERS).trim() : ''
    const page = (await library()).search(query)
    return withPolicy(reply, POLICY).type('text/html; charset=utf-8').send(page)
  })
  app.get<Named>('/docs/assets/:name', { config }, async (request, reply) => {
    const asset = (await library()).assets.get(request.params.name)
    if (!asset) throw problem('not_found')
    return sendContent(request, reply.header('cache-control', FOR_EVER), asset)
  })
  if (keyFor) {
    app.get(KEY_ADDRESS, { config }, async (request, reply) => reply.send({ key: keyFor(request.raw) ?? null }))
  }
}

function withPolicy(reply: FastifyReply, policy: readonly string[]): FastifyReply {
  return reply.header('content-security-policy', policy.join('; '))
}
