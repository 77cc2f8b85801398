// A validator that others wrote, between client and service, sees a whole integration go by and objects to nothing.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { CONTRACT_TOOLS, contractTool, skipWithoutContractTools } from '../../scripts/install-contract-tools.ts'
import { startContractService } from '../support/contract-service.ts'
import { useEverything } from '../support/whole-flow.ts'

const DOCUMENT = fileURLToPath(new URL('../../openapi.yaml', import.meta.url))
const skip = skipWithoutContractTools()

test('Prism’s validating proxy finds no violation in a whole integration', { skip }, async () => {
  const service = await startContractService()
  const prism = await startPrism(service.url)
  const exchanges = await useEverything(prism.url, service)
  for (const { method, path, headers } of exchanges) {
    assert.equal(headers.get('sl-violations'), null, `${method} ${path}`)
  }
  const refused = await fetch(`${prism.url}/v1/messages?limit=0`, {
    headers: { authorization: `Bearer ${service.tenant.key}` },
  })
  assert.equal(refused.headers.get('content-type'), 'application/problem+json', 'it does look')
})

/** The proxy, which answers an error of its own in place of whatever breaks the contract. */
async function startPrism(upstream: string): Promise<{ url: string }> {
  const args = [contractTool('prism'), 'proxy', '--errors', '--port', '0', DOCUMENT, upstream]
  const child = spawn(process.execPath, args, { cwd: CONTRACT_TOOLS, stdio: ['ignore', 'pipe', 'inherit'] })
  after(() => child.kill('SIGKILL'))
  for await (const line of createInterface({ input: child.stdout })) {
    const url = /Prism is listening on (\S+)/.exec(line)?.[1]
    if (!url) continue
    child.stdout.resume()
    return { url }
  }
  throw new Error('Prism did not start')
}
