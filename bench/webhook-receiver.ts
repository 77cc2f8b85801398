// What the webhook benches post to, in a process of its own: answers at once, or never below /hung. Prints its port;
// for each line on its input it prints what has arrived since, as id and time by the machine's monotonic clock, or for a
// number a line as soon as so much has.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createInterface } from 'node:readline'

export type Arrival = readonly [eventId: string, atMs: number]

let arrivals: Arrival[] = []
let awaited = Number.POSITIVE_INFINITY

const server = createServer((request, response) => {
  request.resume().on('end', () => {
    if (request.url === '/hung') return
    arrivals.push([String(request.headers['service-webhook-id']), Number(process.hrtime.bigint()) / 1e6])
    response.end()
    tellWhenComplete()
  })
})
server.listen(0, '127.0.0.1', () => process.stdout.write(`${(server.address() as AddressInfo).port}\n`))

createInterface({ input: process.stdin }).on('line', (line) => {
  if (line !== '') {
    awaited = Number(line)
    return tellWhenComplete()
  }
  process.stdout.write(`${JSON.stringify(arrivals)}\n`)
  arrivals = []
})

function tellWhenComplete(): void {
  if (arrivals.length < awaited) return
  awaited = Number.POSITIVE_INFINITY
  process.stdout.write('complete\n')
}
