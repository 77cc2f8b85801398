// Stands before a server, so that a test can hold a conversation at a chosen word, let it fall silent or break it.
// Knows nothing of what is said.
import { connect, createServer, type NetConnectOpts, type Socket } from 'node:net'
import { after } from 'node:test'

export interface TcpProxy {
  port: number
  /**
   * From the next piece of a client's words on that matches, nothing of that connection is passed on any more.
   * Resolves when that has come about: the client is waiting then.
   */
  holdAt(words: RegExp): Promise<void>
  /** From now on nothing passes in either direction, and nobody is told: half-open connections, new ones too. */
  hang(): void
  /** Whatever waited passes, and all that follows. */
  resume(): void
  /** New connections pass again; those that hang do so for ever. */
  abandon(): void
  /** Breaks every connection there is. */
  cut(): void
  /** Breaks every connection and refuses new ones. */
  stop(): Promise<void>
}

/** Passes everything on to a port or socket of this machine until told otherwise. Stopped after the tests at the latest. */
export async function startTcpProxy(server: number | NetConnectOpts): Promise<TcpProxy> {
  const destination = typeof server === 'number' ? { port: server, host: '127.0.0.1' } : server
  const sockets = new Set<Socket>()
  let trap: { words: RegExp; sprung: () => void } | undefined
  let hanging = false

  /** True when a piece is not to be passed on. */
  function springs(piece: Buffer): boolean {
    if (!trap?.words.test(piece.toString('latin1'))) return false
    trap.sprung()
    trap = undefined
    return true
  }

  function pass(from: Socket, to: Socket, holds: (piece: Buffer) => boolean): void {
    sockets.add(from)
    from.on('error', () => {})
    from.on('close', () => {
      sockets.delete(from)
      to.destroy()
    })
    from.on('end', () => to.end())
    from.on('data', (piece) => {
      if (holds(piece) || !to.write(piece)) from.pause()
    })
    to.on('drain', () => {
      if (!hanging) from.resume()
    })
    if (hanging) from.pause()
  }

  const listener = createServer({ allowHalfOpen: true }, (client) => {
    const target = connect({ ...destination, allowHalfOpen: true })
    pass(client, target, springs)
    pass(target, client, () => false)
  })
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))

  const cut = () => {
    for (const socket of sockets) socket.destroy()
  }
  const stop = async () => {
    const closed = new Promise((resolve) => listener.close(resolve))
    cut()
    await closed
  }
  after(stop)
  return {
    port: (listener.address() as { port: number }).port,
    holdAt: (words) =>
      new Promise((sprung) => {
        trap = { words, sprung }
      }),
    hang() {
      hanging = true
      for (const socket of sockets) socket.pause()
    },
    resume() {
      hanging = false
      for (const socket of sockets) socket.resume()
    },
    abandon() {
      hanging = false
    },
    cut,
    stop,
  }
}
