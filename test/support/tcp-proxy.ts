// Stands before a server, so that a test can hold a conversation at a chosen word, let it fall silent or break it.
// Knows nothing of what is said.
import { connect, createServer, type NetConnectOpts, type Socket } from 'node:net'
import { after } from 'node:test'

export interface TcpProxy {
  port: number
  /**
   * From the next piece of a client's words on that matches, or from the answer to it on, nothing of that side is passed
   * on any more. Resolves when that has come about: the client is waiting then.
   */
  holdAt(words: RegExp, what?: 'request' | 'answer'): Promise<void>
  /** From now on nothing passes in either direction, and nobody is notified: half-open connections, new ones too. */
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

interface Trap {
  words: RegExp
  what: 'request' | 'answer'
  sprung: () => void
}

/** Passes everything on to a port or socket of this machine until told otherwise. Stopped after the tests at the latest. */
export async function startTcpProxy(server: number | NetConnectOpts): Promise<TcpProxy> {
  const destination = typeof server === 'number' ? { port: server, host: '127.0.0.1' } : server
  const sockets = new Set<Socket>()
  const traps = new Set<Trap>()
  let hanging = false

  /** The trap into which a piece of a client's words has gone. */
  function sprungBy(piece: Buffer): Trap | undefined {
    const text = piece.toString('latin1')
    const trap = [...traps].find(({ words }) => words.test(text))
    if (trap) traps.delete(trap)
    return trap
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
    let answer: Trap | undefined
    pass(client, target, (piece) => {
      const trap = sprungBy(piece)
      if (trap?.what === 'answer') answer = trap
      else trap?.sprung()
      return trap?.what === 'request'
    })
    pass(target, client, () => {
      answer?.sprung()
      return answer !== undefined
    })
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
    holdAt: (words, what = 'request') => new Promise((sprung) => void traps.add({ words, what, sprung })),
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
