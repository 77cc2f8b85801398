// The inbound listener of one process, over a test's own database and store, and a client that says what it is told.
import { once } from 'node:events'
import { connect } from 'node:net'
import { createInterface } from 'node:readline'
import { after } from 'node:test'
import pino, { type Logger } from 'pino'
import type { Network } from '../../src/lib/network.ts'
import type { ObjectStore } from '../../src/lib/object-store.ts'
import { createDnsResolver } from '../../src/lib/resolver.ts'
import type { Database } from '../../src/lib/sql.ts'
import { createMailAuthenticator } from '../../src/mail/authenticate/authenticate.ts'
import { readEnvelopeId } from '../../src/mail/envelope-id.ts'
import { createMailParser } from '../../src/mail/parse/mail-parser.ts'
import { type ReturnPathSettings, readReturnPath } from '../../src/mail/return-path.ts'
import { receiveMessage } from '../../src/messages/receive/receive-message.ts'
import type { Admission } from '../../src/servers/smtp/admission.ts'
import { startListener } from '../../src/servers/smtp/listener.ts'
import { RETURN_PATH } from './workers.ts'

export interface TestInbound {
  port: number
  /** What came, as the metrics count it. */
  received: string[]
  stop(): Promise<void>
}

export interface TestInboundOptions {
  store: ObjectStore
  dnsServers?: string[]
  /** In place of the database, to look up recipients in. */
  lookups?: Pick<Database, 'rows' | 'first'>
  port?: number
  returnPaths?: ReturnPathSettings
  admission?: Admission
  log?: Logger
  relayNetworks?: readonly Network[]
}

const NO_DNS = ['127.0.0.1:9']

export async function startTestInbound(database: Database, options: TestInboundOptions): Promise<TestInbound> {
  const received: string[] = []
  const limits = { threads: 3, mostOfOne: 2, timeoutMs: 5_000, heapMiB: 256 }
  const parser = createMailParser(limits)
  const resolver = createDnsResolver(options.dnsServers ?? NO_DNS)
  const authenticator = createMailAuthenticator({ ...limits, resolver })
  const { store } = options
  const onReceived = (what: string) => void received.push(what)
  const { relayNetworks = [], returnPaths = RETURN_PATH } = options
  const envelopeId = (text: string) => readEnvelopeId(text, returnPaths)
  const deps = { database, store, parser, authenticator, relayNetworks, envelopeId, onReceived }
  const { generate } = await import('selfsigned')
  const { cert, private: key } = await generate([{ name: 'commonName', value: 'localhost' }])
  const listener = await startListener({
    host: '127.0.0.1',
    port: options.port ?? 0,
    tls: { cert, key },
    name: 'mx.test',
    database: options.lookups ?? database,
    log: options.log ?? pino({ level: 'silent' }),
    admission: options.admission,
    returnPath: (address) => readReturnPath(address, returnPaths),
    receive: (mail, source) => receiveMessage(deps, mail, source),
  })
  let stopped: Promise<unknown> | undefined
  const stop = async () => {
    stopped ??= listener.stop(2_000).then(() => Promise.all([parser.stop(), authenticator.stop()]))
    await stopped
  }
  after(stop)
  return { port: listener.port, received, stop }
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
