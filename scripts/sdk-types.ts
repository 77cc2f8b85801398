// Writes the client's types from openapi.yaml: the second half of `npm run openapi`.
import { execFileSync } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { installContractTools, runContractTool } from './install-contract-tools.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const TYPES = join(ROOT, 'sdk/src/openapi.ts')

/**
 * Gives the module that `openapi.yaml` comes to, formatted as it is committed. Needs the contract tools, whose generator
 * wants an older TypeScript than ours.
 */
export async function clientTypes(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'mdk-client-types-'))
  try {
    const file = join(folder, 'openapi.ts')
    const options = ['--default-non-nullable=false', '-o', file]
    const { status, output } = await runContractTool('openapi-typescript', join(ROOT, 'openapi.yaml'), ...options)
    if (status !== 0) throw new Error(`The generator failed: ${output}`)
    const generated = (await readFile(file, 'utf8')).replace(/^\/\*\*[\s\S]*?\*\/\s*/, '')
    return execFileSync(join(ROOT, 'node_modules/.bin/biome'), ['check', '--write', `--stdin-file-path=${TYPES}`], {
      cwd: ROOT,
      input: `// Made from openapi.yaml by npm run openapi.\n\n${generated}`,
      encoding: 'utf8',
      maxBuffer: 16 * 1024 * 1024,
    })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

if (import.meta.main) {
  installContractTools()
  await writeFile(TYPES, await clientTypes())
}
