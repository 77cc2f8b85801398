// The frame in which a site shows PDF files: a page without an origin, that may fetch nothing, and run one script of ours and
// what that hands to a thread. What strangers wrote never passes through here. docs/adr/0069-images-and-files-of-messages.md
import { basename } from 'node:path'
import type { BuildOptions } from 'esbuild'
import { once } from '../../lib/once.ts'
import type { Content } from '../http/content.ts'
import type { Server } from '../http/server.ts'
import { ASSETS_PATH, type Bundle, type Bundled, bundledContent, openBundle } from './bundle.ts'
import { sourcesOf } from './front-end.ts'
import type { Site } from './site.ts'

/** By the names of their assets, so that these are known before they are there. */
const ENTRIES = { 'pdf-frame': 'pdf/frame.ts', 'pdf-reader': 'pdf/reader.ts' } as const

interface PdfAssets {
  /** As `/assets/pdf-frame-5K2Q7A3B.js`. */
  addresses: Readonly<Record<keyof typeof ENTRIES, string>>
  /** By name. */
  assets: ReadonlyMap<string, Content>
}

/** Bundled when somebody first looks at a PDF file: most processes never do. */
export interface PdfScripts {
  /** @throws Error of the bundler, when a source is wrong */
  current(): Promise<PdfAssets>
  /** Undefined when it is none of these. */
  find(name: string): Promise<Content | undefined>
  stop(): Promise<void>
}

export function pdfScripts({ watch }: { watch: boolean }): PdfScripts {
  let opening: Promise<Bundle<PdfAssets>> | undefined
  const open = once(() => {
    opening = openBundle(optionsOf(sourcesOf('ui')), { watch }, assetsOf)
    return opening
  })
  return {
    async current() {
      return (await open()).current()
    },
    async find(name) {
      const isOurs = Object.keys(ENTRIES).some((entry) => name.startsWith(`${entry}-`))
      return isOurs ? (await open()).current().assets.get(name) : undefined
    },
    async stop() {
      const bundle = await opening?.catch(() => undefined)
      await bundle?.stop()
    },
  }
}

function optionsOf(sources: string): BuildOptions {
  return {
    absWorkingDir: sources,
    entryPoints: Object.entries(ENTRIES).map(([out, file]) => ({ in: file, out })),
    outdir: sources,
    entryNames: '[name]-[hash]',
    // Modules are fetched by the rules of CORS, which a page without an origin never meets; threads of blobs have none.
    format: 'iife',
    // pdf.js asks for it on Node.js alone.
    logOverride: { 'empty-import-meta': 'silent' },
  }
}

function assetsOf({ outputFiles, metafile }: Bundled): PdfAssets {
  const scripts = Object.entries(metafile.outputs).filter(([, { entryPoint }]) => entryPoint)
  const addressOf = (entry: keyof typeof ENTRIES) => {
    const [path = ''] = scripts.find(([path]) => basename(path).startsWith(`${entry}-`)) ?? []
    return `${ASSETS_PATH}${basename(path)}`
  }
  return {
    addresses: { 'pdf-frame': addressOf('pdf-frame'), 'pdf-reader': addressOf('pdf-reader') },
    assets: new Map(outputFiles.map((file) => [basename(file.path), bundledContent(file)])),
  }
}

/** `origin`: of the site whose pages show it. `script`: the address of its one script. */
function policyOf(origin: string, script: string): string {
  return [
    'sandbox allow-scripts',
    "default-src 'none'",
    `script-src ${origin}${script}`,
    // The thread has the same policy; nobody makes a blob but a script that runs already.
    'worker-src blob:',
    "base-uri 'none'",
    "form-action 'none'",
    `frame-ancestors ${origin}`,
  ].join('; ')
}

/**
 * There is nothing of anybody's in it: whoever asks may have it. `/pdf-reader` leads to the script of the thread, which the
 * page fetches and hands in, as a browser keeps nothing for a page without an origin.
 */
export function pdfFrameRoutes(app: Server, scripts: PdfScripts, site: Site): void {
  app.get('/pdf-frame', { config: { auth: 'open' } }, async (_request, reply) => {
    const script = (await scripts.current()).addresses['pdf-frame']
    return reply
      .headers({
        'content-security-policy': policyOf(site.origin(), script),
        'x-frame-options': 'SAMEORIGIN',
        'content-type': 'text/html; charset=utf-8',
      })
      .send(frameOf(`${site.origin()}${script}`))
  })
  app.get('/pdf-reader', { config: { auth: 'open' } }, async (_request, reply) =>
    reply.redirect((await scripts.current()).addresses['pdf-reader'], 303),
  )
}

function frameOf(script: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>PDF</title>
<script src="${script}" defer></script>
</head>
<body></body>
</html>
`
}
