// Stands before a server, so that a test can hold a conversation at a chosen word or break it. Knows nothing of what is
// said.
import { connect, createServer, type Socket } from 'node:net'
import { after } from 'node:test'

export interface TcpProxy {
  port: number
  /**
   * From the next piece of a client's words on that matches, nothing of that connection is passed on any more.
   * Resolves when that has come about: the client is waiting then.
   */
  holdAt(words: RegExp): Promise<void>
  /** Breaks every connection there is. */
  cut(): void
  /** Breaks every connection and refuses new ones. */
  stop(): Promise<void>
}

/** Passes everything on to a port of this machine until it is told otherwise. Stopped after the tests at the latest. */
export async function startTcpProxy(targetPort: number): Promise<TcpProxy> {
  const sockets = new Set<Socket>()
  let trap: { words: RegExp; sprung: () => void } | undefined

  const server = createServer((client) => {
    const target = connect(targetPort, '127.0.0.1')
    for (const [socket, other] of [
      [client, target],
      [target, client],
    ] as const) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        sockets.delete(socket)
        other.destroy()
      })
    }
    target.pipe(client)
    client.on('data', (piece) => {
      if (trap?.words.test(piece.toString('latin1'))) {
        client.pause()
        trap.sprung()
        trap = undefined
        return
      }
      if (target.write(piece)) return
      client.pause()
      target.once('drain', () => client.resume())
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))

  const cut = () => {
    for (const socket of sockets) socket.destroy()
  }
  const stop = async () => {
    const closed = new Promise((resolve) => server.close(resolve))
    cut()
    await closed
  }
  after(stop)
  return {
    port: (server.address() as { port: number }).port,
    holdAt: (words) =>
      new Promise((sprung) => {
        trap = { words, sprung }
      }),
    cut,
    stop,
  }
}
