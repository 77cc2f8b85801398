// What the bundler makes of sources, in memory: once, or again on every change.
import type { BuildOptions, BuildResult, OutputFile, Plugin } from 'esbuild'
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

/** Of this process, by the one bundler that it has. */
let building = 0
/** Bundles that follow their sources. */
let watching = 0

/**
 * Bundles what the options name, and gives what is made of the result. With `watch` again on every change, readable and with
 * source maps.
 * @throws Error of the bundler, when a source is wrong
 */
export async function openBundle<T>(
  own: BuildOptions,
  { watch }: { watch: boolean },
  made: (bundled: Bundled) => T,
): Promise<Bundle<T>> {
  // Roles that show no page do not load it.
  const esbuild = await import('esbuild')
  const options = { ...COMMON, minify: !watch, sourcemap: watch ? 'linked' : false, ...own } as const
  if (!watch) {
    building++
    const result = made((await esbuild.build(options).finally(() => building--)) as Bundled)
    // Else the bundler stays beside the service, as a process of its own.
    if (building === 0) await esbuild.stop()
    return { current: () => result, stop: async () => {} }
  }
  let latest: T | undefined
  const keep: Plugin = {
    name: 'keep',
    setup: ({ onEnd }) =>
      onEnd((result) => {
        // A source that is wrong meanwhile leaves what was there; the bundler says what is wrong.
        if (result.errors.length === 0) latest = made(result as Bundled)
      }),
  }
  watching++
  const context = await esbuild.context({ ...options, logLevel: 'warning', plugins: [keep] })
  await context.rebuild()
  await context.watch()
  return {
    current() {
      if (!latest) throw new Error('a front end was never bundled')
      return latest
    },
    async stop() {
      await context.dispose()
      // Else the bundler may outlive this process, and hold what it was given as standard error.
      if (--watching === 0) await esbuild.stop()
    },
  }
}

export function bundledContent({ path, text }: OutputFile): Content {
  return createContent(TYPES[path.slice(path.lastIndexOf('.') + 1)] ?? 'application/octet-stream', text)
}
