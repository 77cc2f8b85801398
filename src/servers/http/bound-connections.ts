// How many connections a server holds open, of all clients and of one, and how long a request may take with its answer.
// Somebody who opens connections and says nothing, or asks and does not read, must not take what others need.
import type { Server, ServerResponse } from 'node:http'
import { clientNetwork, isWithin, type Network } from '../../lib/network.ts'

export interface ConnectionBounds {
  /** Of all together. One address, IPv6 by its /64, has half of them at most. */
  most: number
  /** Whose connections are those of many clients: proxies in front. All of them together have `most`. */
  uncounted: readonly Network[]
  /** From a request's headers until its answer has gone; then its connection is cut. */
  requestMs: number
}

/** To be called before the server listens. */
export function boundConnections(server: Server, { most, uncounted, requestMs }: ConnectionBounds): void {
  const mostOfOne = Math.max(1, Math.floor(most / 2))
  const open = new Map<string, number>()
  server.maxConnections = most

  server.on('connection', (socket) => {
    const address = socket.remoteAddress ?? ''
    if (isWithin(address, uncounted)) return
    const client = clientNetwork(address)
    const others = open.get(client) ?? 0
    if (others >= mostOfOne) return void socket.destroy()
    open.set(client, others + 1)
    socket.once('close', () => {
      const left = (open.get(client) ?? 0) - 1
      if (left > 0) open.set(client, left)
      else open.delete(client)
    })
  })

  server.prependListener('request', ({ socket }, response) => {
    const timer = setTimeout(() => socket.destroy(), requestMs).unref()
    timers.set(response, timer)
    response.once('close', () => clearTimeout(timer))
  })
}

const timers = new WeakMap<ServerResponse, NodeJS.Timeout>()

/** The time of this answer is not bounded here: whoever writes it ends it. */
export function boundElsewhere(response: ServerResponse): void {
  clearTimeout(timers.get(response))
}
