// Writes the client's types from openapi.yaml. The generator wants an older TypeScript than ours, so it runs from a
// package cache of its own and is no dependency.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const target = `${root}sdk/src/openapi.ts`
const packages = ['--package=openapi-typescript@7.13.0', '--package=typescript@5.9.3']
const command = ['openapi-typescript', 'openapi.yaml', '--default-non-nullable=false', '-o', target]
execFileSync('npm', ['exec', '--yes', ...packages, '--', ...command], { cwd: root, stdio: 'inherit' })

const digest = createHash('sha256')
  .update(await readFile(`${root}openapi.yaml`))
  .digest('hex')
const types = (await readFile(target, 'utf8')).replace(/^\/\*\*[\s\S]*?\*\/\s*/, '')
await writeFile(target, `// Made from openapi.yaml with sha256 ${digest} by npm run openapi.\n\n${types}`)
execFileSync(`${root}node_modules/.bin/biome`, ['check', '--write', target], { cwd: root, stdio: 'ignore' })
