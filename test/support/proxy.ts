// An HTTP proxy in front of the service that can stand in the way: answer in its place, hold an answer back, or do
// something at the moment in which a request has been carried out and nobody knows yet.
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { after } from 'node:test'

export interface ProxiedAnswer {
  status: number
  headers: Record<string, string>
  body: Buffer | string
}

export interface ProxiedRequest {
  method: string
  path: string
  headers: IncomingHttpHeaders
  body: Buffer
  /** Lets the service carry it out. */
  forward(): Promise<ProxiedAnswer>
}

/** The answer to give; undefined hangs up. */
export type Intervene = (request: ProxiedRequest) => Promise<ProxiedAnswer | undefined>

const HOP_BY_HOP = new Set(['connection', 'content-length', 'host', 'keep-alive', 'transfer-encoding'])

/** Starts one on a free loopback port, until the tests are over. Gives its address. */
export async function startProxy(target: string, intervene: Intervene): Promise<string> {
  const server = createServer(async (request, response) => {
    const { method = 'GET', url: path = '/', headers } = request
    const body = await buffer(request)
    const forward = async (): Promise<ProxiedAnswer> => {
      const sent = method === 'GET' ? {} : { body }
      const answer = await fetch(target + path, { method, headers: endToEnd(headers), ...sent })
      return {
        status: answer.status,
        headers: endToEnd(Object.fromEntries(answer.headers)),
        body: Buffer.from(await answer.arrayBuffer()),
      }
    }
    const answer = await intervene({ method, path, headers, body, forward }).catch(() => undefined)
    if (answer) response.writeHead(answer.status, answer.headers).end(answer.body)
    else response.destroy()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  after(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

function endToEnd(headers: IncomingHttpHeaders): Record<string, string> {
  const pairs = Object.entries(headers).filter(([name]) => !HOP_BY_HOP.has(name))
  return Object.fromEntries(pairs.map(([name, value]) => [name, String(value)]))
}
