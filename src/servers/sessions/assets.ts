// The page that the console or the webmail is, and the files it loads. Knows nothing of who may see it.
import { problem } from '../../access/problem.ts'
import { sendContent } from '../http/content.ts'
import type { Server } from '../http/server.ts'
import { ASSETS_PATH, type Bundle } from './bundle.ts'
import type { FrontEnd } from './front-end.ts'
import type { PdfScripts } from './pdf-frame.ts'

/** An asset's address changes whenever the asset does. */
const FOR_EVER = 'public, max-age=31536000, immutable'

/** An envelope on a square, in the one colour that looks right on tabs of both schemes. */
const ICON = `data:image/svg+xml,${encodeURIComponent(
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#2450c8"/>
  <path d="M7 10.5h18v11H7zm0 .5 9 7 9-7" fill="none" stroke="#fff" stroke-width="2.2" stroke-linejoin="round"/></svg>`,
)}`

type Assets = Pick<FrontEnd, 'assets'>

/**
 * Whoever has the name of an asset may have it: there is nothing of anybody's in it. `framed`: those of a page that has no
 * origin, to which everybody's are another's; `pdf`: those that are bundled when they are first asked for, likewise.
 */
export function assetRoutes(app: Server, frontEnd: Bundle<Assets>, framed?: Bundle<Assets>, pdf?: PdfScripts): void {
  app.get<{ Params: { name: string } }>(`${ASSETS_PATH}:name`, { config: { auth: 'open' } }, async (request, reply) => {
    const { name } = request.params
    const forFrame = framed?.current().assets.get(name) ?? (await pdf?.find(name))
    if (forFrame) reply.header('cross-origin-resource-policy', 'cross-origin')
    const asset = forFrame ?? frontEnd.current().assets.get(name)
    if (!asset) throw problem('not_found')
    return sendContent(request, reply.header('cache-control', FOR_EVER), asset)
  })
}

/** Light or dark, or as the device is. */
export type Theme = 'system' | 'light' | 'dark'

/** What stands in the head of every page, with the script or without one: icon, style sheet. */
export function headOf({ addresses }: FrontEnd, theme: Theme = 'system'): string {
  return `<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="${theme === 'system' ? 'light dark' : theme}">
<link rel="icon" href="${ICON}">
<link rel="stylesheet" href="${addresses.style}">`
}

/** The page in which the script shows everything. `title`: until it has. */
export function shellOf(frontEnd: FrontEnd, title: string, theme: Theme = 'system'): string {
  const { addresses, preloads } = frontEnd
  return `<!doctype html>
<html lang="en"${theme === 'system' ? '' : ` data-theme="${theme}"`}>
<head>
${headOf(frontEnd, theme)}
<title>${title}</title>
${preloads.map((address) => `<link rel="modulepreload" href="${address}">\n`).join('')}<script type="module" src="${addresses.script}"></script>
</head>
<body>
<div id="app"></div>
<noscript><main class="alone"><p class="alert">${title} needs JavaScript.</p></main></noscript>
</body>
</html>
`
}
