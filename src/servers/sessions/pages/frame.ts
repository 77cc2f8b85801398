// What stands around every page that works without script.
import type { FastifyReply } from 'fastify'
import { sendPage } from '../page-policy.ts'
import type { SiteName } from '../site.ts'
import { Html, html } from './html.ts'

export interface Frame {
  siteName: SiteName
  /** What every page has in its head: the style sheet. */
  head: string
  /** Address of the script by which passkeys work. */
  script: string
}

const NAMES: Record<SiteName, string> = { console: 'Console', webmail: 'Webmail' }

export interface PageContent {
  title: string
  /** What is below the title. */
  content: Html
  /** 200 unless it says otherwise. */
  status?: number
  /** Loads this by itself, at once. */
  goesTo?: string
}

/** Answers with a page. */
export type Send = (reply: FastifyReply, content: PageContent) => FastifyReply

/** Has the browser ask for another page of ours, from here. */
export function onwardPage(path: string): PageContent {
  return { title: 'One moment', goesTo: path, content: html`<p><a href="${path}">Go on</a></p>` }
}

export function sendFramed(
  reply: FastifyReply,
  frame: Frame,
  { title, content, status = 200, goesTo }: PageContent,
): FastifyReply {
  const page = html`<!doctype html>
<html lang="en">
<head>
${new Html(frame.head)}
<title>${title}: ${NAMES[frame.siteName]}</title>
${goesTo !== undefined && html`<meta http-equiv="refresh" content="0; url=${goesTo}">`}
<script type="module" src="${frame.script}"></script>
</head>
<body>
<main class="alone">
<p class="brand">Mail Developer API <span class="soft">${NAMES[frame.siteName]}</span></p>
<div class="card stack">
<h1>${title}</h1>
${content}
</div>
</main>
</body>
</html>
`
  return sendPage(reply, page.text, { status })
}
