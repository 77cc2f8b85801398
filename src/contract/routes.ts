// The contract for whoever integrates: the OpenAPI document, its reference page, and the guides beside it. Open to
// everybody; served from this package alone.
import { createReadStream } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { Marked } from 'marked'
import { problem } from '../http/problem.ts'
import type { Server } from '../http/server.ts'
import { guidePage, REFERENCE_PAGE, REFERENCE_SCRIPT, STYLE } from './pages.ts'

const DOCUMENT = new URL('../../openapi.yaml', import.meta.url)
const GUIDES = new URL('../../docs/guides/', import.meta.url)
/** The viewer's own bundle; the path is part of the pinned package. */
const VIEWER = fileURLToPath(new URL('browser/standalone.js', import.meta.resolve('@scalar/api-reference')))

/** Nothing from elsewhere; the viewer writes styles of its own. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

export function contractRoutes(app: Server): void {
  const config = { operation: 'docs' } as const
  const html = 'text/html; charset=utf-8'

  app.get('/openapi.yaml', { config: { operation: 'openapi' } }, async (_request, reply) =>
    reply.type('application/yaml; charset=utf-8').send(await readFile(DOCUMENT, 'utf8')),
  )

  app.get('/docs', { config }, async (_request, reply) =>
    reply.type(html).header('content-security-policy', POLICY).send(REFERENCE_PAGE),
  )
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

  app.get('/docs/guides', { config }, async (_request, reply) => reply.redirect('/docs/guides/quick-start'))
  app.get<{ Params: { name: string } }>('/docs/guides/:name', { config }, async (request, reply) => {
    const guides = await readGuides()
    const guide = guides.find(({ name }) => name === request.params.name)
    if (!guide) throw problem('not_found')
    return reply.type(html).header('content-security-policy', POLICY).send(guidePage(guide, guides))
  })
}

export interface Guide {
  name: string
  title: string
  html: string
}

/** The guides in their order: the number in front of a file's name says it. */
async function readGuides(): Promise<Guide[]> {
  const marked = new Marked()
  const files = (await readdir(GUIDES)).filter((name) => name.endsWith('.md')).sort()
  return Promise.all(
    files.map(async (file) => {
      const text = await readFile(new URL(file, GUIDES), 'utf8')
      const title = /^# (.+)$/m.exec(text)?.[1] ?? file
      // In the repository the guides refer to each other as files.
      const html = (await marked.parse(text)).replace(/href="\d+-([a-z-]+)\.md"/g, 'href="/docs/guides/$1"')
      return { name: file.replace(/^\d+-|\.md$/g, ''), title, html }
    }),
  )
}
