// What a browser loads of the console or the webmail: bundled in memory when the role starts, so that nothing is built before
// and nothing can drift. Each file's name carries the hash of its content.
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { BuildOptions, BuildResult, OutputFile, Plugin } from 'esbuild'
import { type Content, createContent } from '../http/content.ts'

/** What a page may ask for by name; whatever these share, or load later, are files beside them. */
const ENTRIES = { script: 'main.tsx', style: 'style.css' } as const
export type FrontEndEntry = keyof typeof ENTRIES

/** Where they are served. */
export const ASSETS_PATH = '/assets/'

const WEB = new URL('../../../web/', import.meta.url)
const TYPES: Record<string, string> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  map: 'application/json; charset=utf-8',
}

/** Of this process, by the one bundler that it has. */
let building = 0

export interface FrontEnd {
  /** Where each entry is, as `/assets/script.5K2Q7A3B.js`. */
  addresses: Readonly<Record<FrontEndEntry, string>>
  /** What the script imports from the start, to be fetched with it and not after it. */
  preloads: readonly string[]
  /** By name. */
  assets: ReadonlyMap<string, Content>
}

export interface OpenFrontEnd {
  /** As it is now: with `watch` it changes whenever a source does. */
  current(): FrontEnd
  stop(): Promise<void>
}

/** Where the sources of a site are. */
export function sourcesOf(name: 'console' | 'webmail'): string {
  return fileURLToPath(new URL(`${name}/`, WEB))
}

/**
 * Bundles the sources in a folder. With `watch` again on every change, readable and with source maps.
 * @throws Error of the bundler, when a source is wrong
 */
export async function openFrontEnd(sources: string, { watch }: { watch: boolean }): Promise<OpenFrontEnd> {
  // Roles that show no page do not load it.
  const esbuild = await import('esbuild')
  const options = optionsOf(sources, watch)
  if (!watch) {
    building++
    const made = frontEndOf(await esbuild.build(options).finally(() => building--))
    // Else the bundler stays beside the service, as a process of its own.
    if (building === 0) await esbuild.stop()
    return { current: () => made, stop: async () => {} }
  }
  let made: FrontEnd | undefined
  const keep: Plugin = {
    name: 'keep',
    setup: ({ onEnd }) =>
      onEnd((result) => {
        // A source that is wrong meanwhile leaves what was there; the bundler says what is wrong.
        if (result.errors.length === 0) made = frontEndOf(result as Bundled)
      }),
  }
  const context = await esbuild.context({ ...options, logLevel: 'warning', plugins: [keep] })
  await context.rebuild()
  await context.watch()
  return {
    current() {
      if (!made) throw new Error(`${sources} was never bundled`)
      return made
    },
    stop: () => context.dispose(),
  }
}

type Bundled = BuildResult<{ metafile: true; write: false }>

function optionsOf(sources: string, watch: boolean) {
  return {
    absWorkingDir: sources,
    entryPoints: Object.entries(ENTRIES).map(([out, file]) => ({ in: file, out })),
    outdir: sources,
    entryNames: '[name].[hash]',
    chunkNames: '[name].[hash]',
    bundle: true,
    splitting: true,
    format: 'esm',
    // What light-dark(), nesting and popovers need.
    target: ['chrome123', 'firefox128', 'safari17.5'],
    jsx: 'automatic',
    jsxImportSource: 'preact',
    legalComments: 'none',
    minify: !watch,
    sourcemap: watch ? 'linked' : false,
    metafile: true,
    write: false,
    logLevel: 'silent',
  } as const satisfies BuildOptions
}

function frontEndOf({ outputFiles, metafile }: Bundled): FrontEnd {
  const outputs = Object.entries(metafile.outputs)
  const addressOf = (entry: FrontEndEntry) => {
    const [path] = outputs.find(([path, { entryPoint }]) => entryPoint && basename(path).startsWith(`${entry}.`)) ?? [
      '',
    ]
    return `${ASSETS_PATH}${basename(path)}`
  }
  const addresses = { script: addressOf('script'), style: addressOf('style') }
  const [, script] = outputs.find(([path]) => addresses.script.endsWith(basename(path))) ?? []
  const atOnce = script?.imports.filter(({ kind, external }) => kind === 'import-statement' && !external) ?? []
  return {
    addresses,
    preloads: atOnce.map(({ path }) => `${ASSETS_PATH}${basename(path)}`),
    assets: new Map(outputFiles.map((file) => [basename(file.path), contentOf(file)])),
  }
}

function contentOf({ path, text }: OutputFile): Content {
  return createContent(TYPES[path.slice(path.lastIndexOf('.') + 1)] ?? 'application/octet-stream', text)
}
