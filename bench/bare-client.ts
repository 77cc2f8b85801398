// Bare undici.request: posts equal bodies to one receiver as fast as it goes and prints how many a second.
// Arguments: URL, how many, connections, body.
import { Agent, request } from 'undici'
import { DELIVERY_HEADERS } from '../src/webhooks/delivery-body.ts'

const [url, count, connections, body] = process.argv.slice(2) as [string, string, string, string]
const dispatcher = new Agent({ connections: Number(connections) })
// Signed headers are as long; what they cost to make is not the client's.
const headers = {
  ...DELIVERY_HEADERS,
  'Service-Webhook-Id': '00000000-0000-7000-8000-000000000000',
  'Service-Webhook-Timestamp': '1700000000',
  'Service-Webhook-Signature': `v1=${'0'.repeat(64)}`,
  'webhook-id': '00000000-0000-7000-8000-000000000000',
  'webhook-timestamp': '1700000000',
  'webhook-signature': `v1,${'0'.repeat(43)}=`,
}

await post(Math.ceil(Number(count) / 10))
const began = performance.now()
await post(Number(count))
process.stdout.write(`${(Number(count) / (performance.now() - began)) * 1000}\n`)
await dispatcher.close()

async function post(many: number): Promise<void> {
  let left = many
  const one = async () => {
    while (left-- > 0) {
      const answer = await request(url, { method: 'POST', headers, body, dispatcher })
      await answer.body.dump()
    }
  }
  await Promise.all(Array.from({ length: Number(connections) }, one))
}
