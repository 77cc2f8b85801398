// Makes dist/ of src/: ES modules for import and CommonJS for require, each with its types. `npm pack` runs it, in the
// repository or in this folder alone, wherever that lies.
import { execFileSync } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const FOLDER = fileURLToPath(new URL('.', import.meta.url))
const DIST = join(FOLDER, 'dist')
const require = createRequire(import.meta.url)

// In the repository they are those of the service.
if (!isThere('typescript') || !isThere('@types/node')) {
  execFileSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: FOLDER, stdio: ['ignore', 2, 2] })
}
rmSync(DIST, { recursive: true, force: true })
compile('esm')
compile('cjs', '--module', 'commonjs', '--moduleResolution', 'bundler', '--verbatimModuleSyntax', 'false')
writeFileSync(join(DIST, 'cjs/package.json'), '{ "type": "commonjs" }\n')

/** What the compiler prints is for people: the standard output is that of `npm pack --json`. */
function compile(folder, ...options) {
  const compiler = join(dirname(require.resolve('typescript/package.json')), 'bin/tsc')
  const project = ['-p', join(FOLDER, 'tsconfig.json'), '--outDir', join(DIST, folder)]
  execFileSync(process.execPath, [compiler, ...project, ...options], { stdio: ['ignore', 2, 2] })
}

function isThere(name) {
  try {
    require.resolve(`${name}/package.json`)
    return true
  } catch {
    return false
  }
}
