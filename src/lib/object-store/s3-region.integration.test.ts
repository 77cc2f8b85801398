// Which region requests to an S3 store are signed for.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { openS3Store } from './s3.ts'
import { readS3Location } from './s3-location.ts'

const signedFor: string[] = []
const server = createServer((request, response) => {
  signedFor.push(/Credential=a\/\d{8}\/([^/]+)\/s3/.exec(request.headers.authorization ?? '')?.[1] ?? 'nothing')
  response.end()
}).listen(0, '127.0.0.1')
await once(server, 'listening')
after(() => {
  server.close()
  server.closeAllConnections()
})

/** Opens a store with these AWS variables, and gives the region of its first request. */
async function regionOf(parameters: string, variables: Record<string, string>): Promise<string | undefined> {
  const { AWS_REGION: _region, ...others } = process.env
  const nowhere = { AWS_CONFIG_FILE: '/dev/null', AWS_SHARED_CREDENTIALS_FILE: '/dev/null' }
  const before = process.env
  process.env = { ...others, ...nowhere, AWS_ACCESS_KEY_ID: 'a', AWS_SECRET_ACCESS_KEY: 'b', ...variables }
  try {
    const { port } = server.address() as AddressInfo
    await openS3Store(readS3Location(`s3://mail?endpoint=http://127.0.0.1:${port}&pathStyle=true${parameters}`))
    return signedFor.splice(0)[0]
  } finally {
    process.env = before
  }
}

test('the region is that of the location, or of the AWS variables, or the usual one', async () => {
  assert.equal(await regionOf('&region=eu-central-1', { AWS_REGION: 'eu-west-1' }), 'eu-central-1')
  assert.equal(await regionOf('', { AWS_REGION: 'eu-west-1' }), 'eu-west-1')
  assert.equal(await regionOf('', {}), 'us-east-1')
})
