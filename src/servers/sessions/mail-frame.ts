// The frame in which a site shows the HTML of mail: a page without an origin, that may fetch nothing and run one script of ours.
// What strangers wrote never passes through here. docs/adr/0055-frame-for-mail.md
import { basename } from 'node:path'
import type { BuildOptions } from 'esbuild'
import type { Content } from '../http/content.ts'
import type { Server } from '../http/server.ts'
import { ASSETS_PATH, type Bundle, type Bundled, bundledContent, openBundle } from './bundle.ts'
import { sourcesOf } from './front-end.ts'
import type { Site } from './site.ts'

const ENTRY = 'mail/frame.ts'

export interface MailFrame {
  /** Of its script, as `/assets/frame-5K2Q7A3B.js`. */
  address: string
  /** By name. */
  assets: ReadonlyMap<string, Content>
}

/** One file: the policy names it, and lets nothing else run. @throws Error of the bundler, when a source is wrong */
export function openMailFrame({ watch }: { watch: boolean }): Promise<Bundle<MailFrame>> {
  const sources = sourcesOf('ui')
  const options: BuildOptions = {
    absWorkingDir: sources,
    entryPoints: [{ in: ENTRY, out: 'frame' }],
    outdir: sources,
    entryNames: '[name]-[hash]',
    // Modules are fetched by the rules of CORS, which a page without an origin never meets.
    format: 'iife',
  }
  return openBundle(options, { watch }, mailFrameOf)
}

function mailFrameOf({ outputFiles, metafile }: Bundled): MailFrame {
  const [script = ''] = Object.entries(metafile.outputs).find(([, { entryPoint }]) => entryPoint) ?? []
  return {
    address: `${ASSETS_PATH}${basename(script)}`,
    assets: new Map(outputFiles.map((file) => [basename(file.path), bundledContent(file)])),
  }
}

/** `origin`: of the site whose pages show it. `script`: the address of its one script. `images`: below which it has images. */
function policyOf(origin: string, script: string, images: readonly string[]): string {
  return [
    'sandbox allow-scripts allow-popups allow-popups-to-escape-sandbox',
    "default-src 'none'",
    `script-src ${origin}${script}`,
    "style-src 'unsafe-inline'",
    ['img-src data:', ...images.map((place) => `${origin}${place}`)].join(' '),
    "base-uri 'none'",
    "form-action 'none'",
    `frame-ancestors ${origin}`,
  ].join('; ')
}

/**
 * There is nothing of anybody's in it: whoever asks may have it. `images`: the paths below which the site has images for it,
 * as `/inline/`; it loads no others but those that are in the HTML.
 */
export function mailFrameRoutes(app: Server, frame: Bundle<MailFrame>, site: Site, images: readonly string[]): void {
  app.get('/frame', { config: { auth: 'open' } }, (_request, reply) => {
    const { address } = frame.current()
    return reply
      .headers({
        'content-security-policy': policyOf(site.origin(), address, images),
        'x-frame-options': 'SAMEORIGIN',
        'content-type': 'text/html; charset=utf-8',
      })
      .send(frameOf(`${site.origin()}${address}`))
  })
}

function frameOf(script: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Message</title>
<script src="${script}" defer></script>
</head>
<body></body>
</html>
`
}
