// Stands before a server that works, and makes it slow: each answer is thought over for a while, and bytes trickle both
// ways. Knows nothing of what is said.
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { after } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'

export interface Slowness {
  /** How long each answer is thought over, in turn. */
  thinkMs: readonly number[]
  /** What one connection lets through, each way. */
  bytesPerSecond: number
}

const SLICES_PER_SECOND = 10

/** Slows whatever goes to a port of this machine. Gives the port to go to instead; stopped after the tests. */
export async function startSlowProxy(server: number, { thinkMs, bytesPerSecond }: Slowness): Promise<number> {
  const sliceBytes = Math.ceil(bytesPerSecond / SLICES_PER_SECOND)
  const sockets = new Set<Socket>()
  let answers = 0

  async function trickle(from: Socket, to: Socket, think: () => Promise<unknown> | undefined): Promise<void> {
    for await (const piece of from as AsyncIterable<Buffer>) {
      await think()
      for (let start = 0; start < piece.length; start += sliceBytes) {
        if (!to.write(piece.subarray(start, start + sliceBytes))) await once(to, 'drain')
        if (piece.length - start > sliceBytes) await sleep(1_000 / SLICES_PER_SECOND)
      }
    }
    to.end()
  }

  const listener = createServer({ allowHalfOpen: true }, (client) => {
    const target = connect({ port: server, host: '127.0.0.1', allowHalfOpen: true })
    let asked = true
    const request = () => {
      asked = true
      return undefined
    }
    const answer = () => {
      if (!asked) return undefined
      asked = false
      return sleep(thinkMs[answers++ % thinkMs.length])
    }
    const breakOff = () => {
      for (const socket of [client, target]) socket.destroy()
    }
    for (const socket of [client, target]) {
      sockets.add(socket)
      socket.on('error', breakOff)
      socket.on('close', () => sockets.delete(socket))
    }
    for (const passing of [trickle(client, target, request), trickle(target, client, answer)]) passing.catch(breakOff)
  })
  listener.listen(0, '127.0.0.1')
  await once(listener, 'listening')
  after(async () => {
    const closed = once(listener, 'close')
    listener.close()
    for (const socket of sockets) socket.destroy()
    await closed
  })
  return (listener.address() as AddressInfo).port
}
