// A relay that takes everything and costs little: as little work per command as SMTP allows, in a process of its own,
// so that what sends is measured and not what receives. Prints its port. For each line on its input it prints what has
// arrived since the last, each message's id with the time by the machine's monotonic clock.
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { createInterface } from 'node:readline'

export type Arrival = [messageId: string, atMs: number]

const MESSAGE_END = '\r\n.\r\n'
let arrivals: Arrival[] = []

const server = createServer(receive)
server.listen(0, '127.0.0.1', () => process.stdout.write(`${(server.address() as AddressInfo).port}\n`))
for await (const _ of createInterface({ input: process.stdin })) {
  process.stdout.write(`${JSON.stringify(arrivals)}\n`)
  arrivals = []
}

/** Takes a client that waits for each answer before it goes on, as one without PIPELINING must. */
function receive(socket: Socket): void {
  let inMessage = false
  let messageId = ''
  let read = ''
  socket.setNoDelay(true).setEncoding('latin1')
  socket.on('error', () => socket.destroy())
  socket.write('220 sink\r\n')
  socket.on('data', (chunk: string) => {
    read += chunk
    if (!read.endsWith(inMessage ? MESSAGE_END : '\r\n')) {
      // All of a message but what may be the beginning of its end.
      if (inMessage) read = read.slice(-MESSAGE_END.length)
      return
    }
    const line = read
    read = ''
    socket.write(inMessage ? taken() : answerTo(line))
  })

  function taken(): string {
    inMessage = false
    arrivals.push([messageId, Number(process.hrtime.bigint()) / 1e6])
    return '250 2.0.0 Ok: taken\r\n'
  }

  function answerTo(line: string): string {
    switch (line.slice(0, 4).toUpperCase()) {
      case 'EHLO':
        return '250-sink\r\n250-8BITMIME\r\n250-SMTPUTF8\r\n250 DSN\r\n'
      case 'MAIL':
        messageId = /ENVID=([0-9a-f-]{36})/.exec(line)?.[1] ?? ''
        return '250 2.1.0 Ok\r\n'
      case 'DATA':
        inMessage = true
        return '354 go on\r\n'
      case 'QUIT':
        return '221 bye\r\n'
      default:
        return '250 2.0.0 Ok\r\n'
    }
  }
}
