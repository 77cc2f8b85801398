// What the bundler makes of sources, in memory: once, or again on every change.
import { type FSWatcher, watch } from 'node:fs'
import { dirname, resolve } from 'node:path'
import type { BuildOptions, BuildResult, OutputFile } from 'esbuild'
import { type Content, createContent } from '../http/content.ts'

/** Where what is bundled is served. */
export const ASSETS_PATH = '/assets/'

const TYPES: Record<string, string> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  map: 'application/json; charset=utf-8',
}

/** Of every bundle. */
const COMMON = {
  bundle: true,
  // What light-dark(), nesting and popovers need.
  target: ['chrome123', 'firefox128', 'safari17.5'],
  legalComments: 'none',
  metafile: true,
  write: false,
  logLevel: 'silent',
} as const satisfies BuildOptions

export type Bundled = BuildResult<{ metafile: true; write: false }>

export interface Bundle<T> {
  /** As it is now: with `watch` it changes whenever a source does. */
  current(): T
  stop(): Promise<void>
}

/** How many bundles of this process need the one bundler that it has. */
let bundling = 0

/**
 * Bundles what the options name, and gives what is made of the result. With `watch` again on every change, readable and with
 * source maps.
 * @throws Error of the bundler, when a source is wrong
 */
export async function openBundle<T>(
  own: BuildOptions,
  { watch: isWatched }: { watch: boolean },
  made: (bundled: Bundled) => T,
): Promise<Bundle<T>> {
  // Roles that show no page do not load it.
  const esbuild = await import('esbuild')
  const options = { ...COMMON, minify: !isWatched, sourcemap: isWatched ? 'linked' : false, ...own } as const
  bundling++
  /** Else the bundler stays beside the service, as a process of its own. */
  const endBundler = async () => {
    if (--bundling === 0) await esbuild.stop()
  }
  if (!isWatched) {
    const result = made((await esbuild.build(options).finally(endBundler)) as Bundled)
    return { current: () => result, stop: async () => {} }
  }
  const context = await esbuild.context({ ...options, logLevel: 'warning' })
  const endContext = async () => {
    await context.dispose()
    await endBundler()
  }
  const bundled = (await context.rebuild().catch(async (error) => {
    await endContext()
    throw error
  })) as Bundled
  let latest = made(bundled)
  // Not by the bundler's own watch, which goes on when this process was killed.
  const sources = followSources(foldersOf(bundled, own), async () => {
    const next = (await context.rebuild()) as Bundled
    latest = made(next)
    return foldersOf(next, own)
  })
  return {
    current: () => latest,
    async stop() {
      await sources.stop()
      await endContext()
    },
  }
}

/** Where the sources of a bundle are, those apart that others wrote. */
function foldersOf({ metafile }: Bundled, { absWorkingDir = '' }: BuildOptions): Set<string> {
  const files = Object.keys(metafile.inputs).filter((file) => !file.includes('node_modules'))
  return new Set(files.map((file) => dirname(resolve(absWorkingDir, file))))
}

/** `again`: called whenever something has changed in the folders, once at a time. Gives the folders from then on. */
function followSources(first: Set<string>, again: () => Promise<Set<string>>): { stop(): Promise<void> } {
  const watchers = new Map<string, FSWatcher>()
  let isStale = false
  let following: Promise<void> | undefined
  const follow = (folders: Set<string>) => {
    for (const [folder, watcher] of watchers) {
      if (folders.has(folder)) continue
      watcher.close()
      watchers.delete(folder)
    }
    for (const folder of folders) if (!watchers.has(folder)) watchers.set(folder, watchFolder(folder))
  }
  const watchFolder = (folder: string) =>
    watch(folder, () => {
      isStale = true
      following ??= catchUp().finally(() => {
        following = undefined
      })
    })
  const catchUp = async () => {
    while (isStale) {
      isStale = false
      // A source that is wrong meanwhile leaves what was there; the bundler has said what is wrong.
      await again()
        .then(follow)
        .catch(() => {})
    }
  }
  follow(first)
  return {
    async stop() {
      for (const watcher of watchers.values()) watcher.close()
      isStale = false
      await following
      for (const watcher of watchers.values()) watcher.close()
    },
  }
}

export function bundledContent({ path, text }: OutputFile): Content {
  return createContent(TYPES[path.slice(path.lastIndexOf('.') + 1)] ?? 'application/octet-stream', text)
}
