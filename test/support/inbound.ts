// The inbound role of one process, over a test's own database and store, and a client that says what it is told.
import { once } from 'node:events'
import { connect } from 'node:net'
import { createInterface } from 'node:readline'
import type { Config } from '../../src/config.ts'
import type { ObjectStore } from '../../src/lib/object-store.ts'
import type { Database } from '../../src/lib/sql.ts'
import { startInbound } from '../../src/roles/inbound.ts'
import { createTestParts, type LogLine, stopOnce } from './role-parts.ts'

export interface TestInbound {
  port: number
  /** What came, as the metrics have it. */
  received: string[]
  /** What was logged so far. */
  lines: LogLine[]
  stop(): Promise<void>
}

const NO_DNS = ['127.0.0.1:9']
const CERTIFICATE = new URL('tls/', import.meta.url).pathname

/** `config`: what is not as `SETTINGS` have it. */
export async function startTestInbound(
  database: Database,
  { store, config }: { store: ObjectStore; config?: Partial<Config> },
): Promise<TestInbound> {
  const received: string[] = []
  const smtp = {
    host: '127.0.0.1',
    port: 0,
    tls: { cert: `${CERTIFICATE}localhost.pem`, key: `${CERTIFICATE}localhost.key` },
    allow: [],
  }
  const parts = createTestParts(database, {
    config: { smtp, dnsServers: NO_DNS, ...config },
    metrics: { onReceived: (what) => void received.push(what) },
  })
  const inbound = await startInbound({ ...parts, store })
  const port = Number(new URL(inbound.url).port)
  return { port, received, lines: parts.lines, stop: stopOnce(parts.wakeUps, inbound.stop) }
}

export interface Said {
  /** The answers to MAIL, each RCPT and DATA's end, in their order. */
  replies: string[]
  /** The last of them. */
  last: string
}

/**
 * Hands in one mail, octet by octet as it is given (but for dots, which are stuffed). `parameters`: what MAIL says
 * behind the sender, as ` SIZE=100`; `localAddress`: where it comes from.
 */
export async function handIn(
  port: number,
  from: string,
  to: string[],
  message: Uint8Array | string,
  parameters = '',
  localAddress = '127.0.0.1',
): Promise<Said> {
  const socket = connect({ port, host: '127.0.0.1', localAddress })
  await once(socket, 'connect')
  // The server may go away: its answer is then that it has closed.
  socket.on('error', () => {})
  const lines = createInterface({ input: socket })[Symbol.asyncIterator]()
  const answer = async (): Promise<string> => {
    for (;;) {
      const { value, done } = await lines.next()
      if (done) return 'closed'
      if (/^\d{3} /.test(value)) return value
    }
  }
  const say = (command: string) => {
    if (socket.writable) socket.write(`${command}\r\n`)
    return answer()
  }
  try {
    await answer()
    await say('EHLO client.test')
    const replies = [await say(`MAIL FROM:<${from}>${parameters}`)]
    for (const address of to) replies.push(await say(`RCPT TO:<${address}>`))
    if (replies.slice(1).some((reply) => reply.startsWith('250'))) {
      await say('DATA')
      const raw = Buffer.from(message)
        .toString('latin1')
        .replace(/(^|\r\n)\./g, '$1..')
      socket.write(`${raw}${raw.endsWith('\r\n') ? '' : '\r\n'}.\r\n`, 'latin1')
      replies.push(await answer())
    }
    return { replies, last: replies.at(-1) ?? '' }
  } finally {
    socket.destroy()
  }
}
