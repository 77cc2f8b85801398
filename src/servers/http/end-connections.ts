// Has a server that stops end its connections as soon as they owe nobody anything. Node's own way knows too little
// (Server.closeIdleConnections, which Server.close calls): it leaves open what was busy at that moment, for as long as
// the client likes, and what never said a word for ever; and it cuts answers that are written and not yet sent.
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { Server as TlsServer } from 'node:tls'

export interface EndConnectionsOptions {
  /** What a new connection may take to send its first request, once the server stops. */
  silentMs: number
  /** Whatever is open then is cut. */
  withinMs: number
}

interface Connection {
  silent: boolean
  /**
   * Requests that came and whose answers have not gone. Not a Set: one that something is added to and taken from for every
   * request leaves a chain of its former tables behind, and V8's collector of young objects promotes all that they hold.
   */
  owed: ServerResponse[]
}

/**
 * To be called before the server listens. From then on `close` ends all connections, in time. Gives whether an answer is
 * on its way over a connection.
 */
export function endConnections(
  server: Server,
  { silentMs, withinMs }: EndConnectionsOptions,
): (socket: Socket) => boolean {
  const connections = new Map<Socket, Connection>()
  let ending = false

  const begin = (socket: Socket) => {
    connections.set(socket, { silent: true, owed: [] })
    socket.once('close', () => connections.delete(socket))
  }
  server.on('connection', begin)
  if (server instanceof TlsServer) {
    // Once they have shaken hands requests come by a socket above that one.
    const beneath = new Map<string, Socket>()
    const placeOf = ({ remoteAddress, remotePort }: Socket) => `${remoteAddress} ${remotePort}`
    server.on('connection', (socket: Socket) => {
      const place = placeOf(socket)
      beneath.set(place, socket)
      socket.once('close', () => beneath.delete(place))
    })
    server.on('secureConnection', (socket: Socket) => {
      const raw = beneath.get(placeOf(socket))
      if (raw) connections.delete(raw)
      begin(socket)
    })
  }

  server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request
    const connection = connections.get(socket)
    if (!connection) return
    connection.silent = false
    connection.owed.push(response)
    const done = () => {
      connection.owed.splice(connection.owed.indexOf(response), 1)
      if (ending && connection.owed.length === 0) socket.destroySoon()
    }
    // An answer may go before the body has come: whoever still sends would find its connection reset.
    response.once('close', () => (request.complete ? done() : request.once('close', done)))
  })

  server.closeIdleConnections = () => {
    ending = true
    for (const [socket, { silent, owed }] of connections) {
      if (owed.length === 0 && !silent) socket.destroySoon()
      const last = owed.at(-1)
      if (last?.headersSent === false) last.setHeader('connection', 'close')
    }
    const silence = setTimeout(cut, silentMs, ({ silent }: Connection) => silent).unref()
    const overdue = setTimeout(cut, withinMs, () => true).unref()
    server.once('close', () => {
      clearTimeout(silence)
      clearTimeout(overdue)
    })
  }

  function cut(which: (connection: Connection) => boolean): void {
    for (const [socket, connection] of connections) if (which(connection)) socket.destroy()
  }

  return (socket) => connections.get(socket)?.owed.some(({ headersSent }) => headersSent) ?? false
}
