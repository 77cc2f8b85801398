// What a browser loads of the console or the webmail: bundled in memory when the role starts, so that nothing is built before
// and nothing can drift. Each file's name carries the hash of its content.
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { BuildOptions } from 'esbuild'
import type { Content } from '../http/content.ts'
import { ASSETS_PATH, type Bundle, type Bundled, bundledContent, openBundle } from './bundle.ts'

/** What a page may ask for by name; whatever these share, or load later, are files beside them. */
const ENTRIES = { script: 'main.tsx', style: 'style.css' } as const
export type FrontEndEntry = keyof typeof ENTRIES

const WEB = new URL('../../../web/', import.meta.url)

export interface FrontEnd {
  /** Where each entry is, as `/assets/script.5K2Q7A3B.js`. */
  addresses: Readonly<Record<FrontEndEntry, string>>
  /** What the script imports from the start, to be fetched with it and not after it. */
  preloads: readonly string[]
  /** By name. */
  assets: ReadonlyMap<string, Content>
}

export type OpenFrontEnd = Bundle<FrontEnd>

/** Of a site, of the console with what `mdk dev` adds to it, or of what sites share. */
export type SourcesName = 'console' | 'console-dev' | 'webmail' | 'ui'

/** Where sources are. */
export function sourcesOf(name: SourcesName): string {
  return fileURLToPath(new URL(`${name}/`, WEB))
}

/**
 * Bundles the sources in a folder. With `watch` again on every change, readable and with source maps.
 * @throws Error of the bundler, when a source is wrong
 */
export function openFrontEnd(sources: string, { watch }: { watch: boolean }): Promise<OpenFrontEnd> {
  return openBundle(optionsOf(sources), { watch }, frontEndOf)
}

function optionsOf(sources: string): BuildOptions {
  return {
    absWorkingDir: sources,
    entryPoints: Object.entries(ENTRIES).map(([out, file]) => ({ in: file, out })),
    outdir: sources,
    entryNames: '[name].[hash]',
    chunkNames: '[name].[hash]',
    splitting: true,
    format: 'esm',
    jsx: 'automatic',
    jsxImportSource: 'preact',
  }
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
    assets: new Map(outputFiles.map((file) => [basename(file.path), bundledContent(file)])),
  }
}
