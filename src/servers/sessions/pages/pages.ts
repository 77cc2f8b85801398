// The pages by which users come in and go: plain HTML and forms, which work without script. What they refuse they say in
// HTML too. Forms are read here and nowhere else: data is JSON.
import { readFileSync } from 'node:fs'
import type { FastifyError, FastifyRequest } from 'fastify'
import { problem } from '../../../access/problem.ts'
import { createContent, sendContent } from '../../http/content.ts'
import { beginRefusal } from '../../http/error-answers.ts'
import type { Server } from '../../http/server.ts'
import { statusOf } from '../../http/status-codes.ts'
import { enterRoutes } from './enter-page.ts'
import { alert } from './fields.ts'
import { forgottenRoutes } from './forgotten.ts'
import { readForm } from './form.ts'
import { type Send, sendFramed } from './frame.ts'
import { html } from './html.ts'
import { OPEN, type PagesDeps } from './page-deps.ts'
import { signInRoutes } from './sign-in-page.ts'
import { signOutRoutes } from './sign-out-page.ts'

/** More than the longest password, spelled at its longest, twice, beside a passkey's answer. */
const FORM_LIMIT_BYTES = 16 * 1024
/** To somebody who reads no headers. */
const AWAY = 'The service is unavailable at the moment. Try again in a few seconds.'

/** Adds the pages that are none of these, which refuse in HTML too. */
export type MorePages = (pages: Server, send: Send) => void

export function signInPages(app: Server, deps: PagesDeps, more: MorePages): void {
  const script = createContent(
    'text/javascript; charset=utf-8',
    readFileSync(new URL('./passkey.js', import.meta.url), 'utf8'),
  )
  const scriptPath = `/assets/passkey.${script.hash}.js`
  const send: Send = (reply, content) =>
    sendFramed(reply, { siteName: deps.site.name, head: deps.head(), script: scriptPath }, content)

  app.register(async (pages: Server) => {
    readForms(pages)
    refuseInHtml(pages, send)
    signInRoutes(pages, deps, send)
    enterRoutes(pages, deps, send)
    forgottenRoutes(pages, deps, send)
    signOutRoutes(pages, deps, send)
    more(pages, send)
    pages.get(scriptPath, OPEN, async (request, reply) =>
      sendContent(request, reply.header('cache-control', 'public, max-age=31536000, immutable'), script),
    )
  })
}

/** As a browser sends them, and nothing else; nothing at all is a form without fields. */
function readForms(pages: Server): void {
  pages.removeAllContentTypeParsers()
  const limits = { parseAs: 'buffer', bodyLimit: FORM_LIMIT_BYTES } as const
  pages.addContentTypeParser(
    'application/x-www-form-urlencoded',
    limits,
    async ({ headers }: FastifyRequest, body: Buffer) => {
      if (headers['content-encoding'] !== undefined) throw noForm()
      return readForm(body)
    },
  )
  pages.addContentTypeParser('*', limits, async (_request: FastifyRequest, body: Buffer) => {
    if (body.length > 0) throw noForm()
  })
  pages.addHook('preHandler', async (request) => {
    request.body ??= new Map()
  })
}

function noForm() {
  return problem('unsupported_media_type', {
    message: 'What is sent to this page is application/x-www-form-urlencoded, and not compressed.',
  })
}

function refuseInHtml(pages: Server, send: Send): void {
  pages.setErrorHandler<FastifyError>((error, request, reply) => {
    const { code, message } = beginRefusal(error, request, reply)
    return send(reply, {
      title: 'That did not work',
      status: statusOf(code),
      content: html`${alert(code === 'service_unavailable' ? AWAY : message)}
<p><a href="/sign-in">To the sign-in</a></p>
<p><small>Request ${request.id}</small></p>`,
    })
  })
}
