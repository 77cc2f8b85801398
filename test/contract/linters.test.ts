// What others think of the document: the linters that integrators run find nothing to say.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { runContractTool, skipWithoutContractTools } from '../../scripts/install-contract-tools.ts'

const DOCUMENT = fileURLToPath(new URL('../../openapi.yaml', import.meta.url))
const skip = skipWithoutContractTools()

test('Redocly’s recommended rules find no error and no warning', { skip }, async () => {
  const { status, output } = await runContractTool('redocly', 'lint', '--format=json', DOCUMENT)
  const { totals } = JSON.parse(output.slice(output.indexOf('{'), output.lastIndexOf('}') + 1))
  assert.deepEqual([status, totals], [0, { errors: 0, warnings: 0, ignored: 0 }], output)
})

test('Spectral’s OpenAPI rules find nothing, not even a hint', { skip }, async () => {
  const { status, output } = await runContractTool(
    'spectral',
    'lint',
    '--fail-severity=hint',
    '--format=json',
    DOCUMENT,
  )
  assert.deepEqual(
    [status, JSON.parse(output.slice(output.indexOf('['), output.lastIndexOf(']') + 1))],
    [0, []],
    output,
  )
})
