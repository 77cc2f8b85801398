// A load generator: keeps so many connections busy with sends for so long and prints what it saw as one JSON line.
// A process of its own, and as little work per request as possible, so that it measures the service and not itself.
// Arguments: the APIs' ports with commas between them, seconds, connections, requests a second in all (0: as fast as
// it goes), API key, mailbox id.
import { createConnection } from 'node:net'
import { newId } from '../src/lib/uuid.ts'
import { SEND_TEXT } from './send-text.ts'

export interface LoadResult {
  accepted: number
  refused: number
  seconds: number
  p50Ms: number
  p99Ms: number
}

const [ports, seconds, connections, rate, key, mailboxId] = process.argv.slice(2) as [
  string,
  string,
  string,
  string,
  string,
  string,
]

const apiPorts = ports.split(',')
const body = JSON.stringify({
  fromMailboxId: mailboxId,
  to: ['someone@example.test'],
  subject: 'Your receipt',
  text: SEND_TEXT,
})
const request = (idempotencyKey: string) =>
  `POST /v1/messages HTTP/1.1\r\nhost: bench\r\nauthorization: Bearer ${key}\r\nidempotency-key: ${idempotencyKey}\r\n` +
  `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`

const latencies: number[] = []
let refused = 0
const run = newId()
let sent = 0
const start = performance.now()
const end = start + Number(seconds) * 1000

await Promise.all(Array.from({ length: Number(connections) }, (_, i) => connection(i)))
const elapsed = (performance.now() - start) / 1000
latencies.sort((a, b) => a - b)
const quantile = (q: number) => latencies[Math.floor(latencies.length * q)] ?? 0
const result: LoadResult = {
  accepted: latencies.length,
  refused,
  seconds: elapsed,
  p50Ms: quantile(0.5),
  p99Ms: quantile(0.99),
}
process.stdout.write(`${JSON.stringify(result)}\n`)

/** One keep-alive connection: the next request goes when the answer to the last is complete. */
function connection(index: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const port = Number(apiPorts[index % apiPorts.length])
    const socket = createConnection({ port, host: '127.0.0.1', noDelay: true })
    const gap = Number(rate) > 0 ? (Number(connections) * 1000) / Number(rate) : 0
    let due = start + (gap * index) / Number(connections)
    let began = 0
    let answer = ''
    const send = () => {
      if (performance.now() >= end) return void socket.end()
      // Measured from when the request was due: a service that stalls must not hide it by slowing the load.
      began = gap > 0 ? due : performance.now()
      due += gap
      sent += 1
      socket.write(request(`${run}-${sent}`))
    }
    const next = () => {
      const wait = gap > 0 ? due - performance.now() : 0
      if (wait > 1) setTimeout(send, wait)
      else send()
    }
    socket.setEncoding('latin1')
    socket.on('connect', next)
    socket.on('data', (chunk: string) => {
      answer += chunk
      const head = answer.indexOf('\r\n\r\n')
      if (head < 0) return
      const length = Number(/content-length: (\d+)/i.exec(answer.slice(0, head))?.[1])
      if (answer.length < head + 4 + length) return
      if (answer.startsWith('HTTP/1.1 202')) latencies.push(performance.now() - began)
      else refused += 1
      answer = ''
      next()
    })
    socket.on('error', reject)
    socket.on('close', () => resolve())
  })
}
