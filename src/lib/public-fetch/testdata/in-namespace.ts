// Runs inside the network namespace that namespace.test.ts makes: a receiver at addresses that count as public, one
// on loopback, a DNS server, and the fetcher with nothing allowed. Prints what came of each URL as JSON.
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:https'
import type { Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import dns2 from 'dns2'
import { createPublicFetch } from '../../public-fetch.ts'

const PUBLIC_IPV4 = '93.184.215.14'
const PUBLIC_IPV6 = '2606:2800:21f:cb07::5'
const RECORDS: Record<string, { A?: string[]; AAAA?: string[] }> = {
  'hooks.example.com': { A: [PUBLIC_IPV4], AAAA: [PUBLIC_IPV6] },
  'six.hooks.example.com': { AAAA: [PUBLIC_IPV6] },
  'private.hooks.example.com': { A: ['127.0.0.1'] },
  'mixed.hooks.example.com': { A: [PUBLIC_IPV4, '127.0.0.1'] },
  'silent.hooks.example.com': { A: ['93.184.216.99'] },
}
const DNS_PORT = 53

const requests: string[] = []
const connectionsTo: Record<string, number> = {}
const tls = { key: readFileSync(file('receiver.key')), cert: readFileSync(file('receiver.pem')) }
const receiver = createServer(tls, (request, response) => {
  const socket = request.socket as TLSSocket
  requests.push(`${socket.localAddress} ${socket.servername} ${request.headers.host}`)
  response.writeHead(204).end()
})
receiver.on('connection', (socket: Socket) => {
  const address = socket.localAddress ?? ''
  connectionsTo[address] = (connectionsTo[address] ?? 0) + 1
})
receiver.on('tlsClientError', () => undefined)
receiver.listen(443, '::')
await once(receiver, 'listening')

const server = dns2.createUDPServer((request, send) => {
  const response = dns2.Packet.createResponseFromRequest(request)
  const [question] = request.questions
  const records = question && RECORDS[question.name]
  if (question && records) {
    const addresses = question.type === dns2.Packet.TYPE.A ? records.A : records.AAAA
    for (const address of addresses ?? []) {
      response.answers.push(dns2.Packet.createResourceFromQuestion(question, { ttl: 300, address }))
    }
  } else {
    response.header.rcode = 3
  }
  void send(response)
})
await server.listen(DNS_PORT, '127.0.0.1')

const publicFetch = createPublicFetch({ allow: [], dnsServers: [`127.0.0.1:${DNS_PORT}`], timeoutMs: 1_000 })
const outcomes: Record<string, unknown> = {}
for (const url of process.argv.slice(2)) {
  const outcome = await publicFetch.post(url, { headers: {}, body: Buffer.from('{}') })
  outcomes[url] = 'detail' in outcome ? `${outcome.kind}: ${outcome.detail}` : `${outcome.kind} ${outcome.status}`
}
await publicFetch.close()
receiver.closeAllConnections()
receiver.close()
server.close()
process.stdout.write(JSON.stringify({ outcomes, requests, connectionsTo }))

function file(name: string): URL {
  return new URL(name, import.meta.url)
}
