// SMTP servers for tests, in this process: one that takes mail and can be told to misbehave, and a raw one that says
// exactly what a test wants.
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { createInterface } from 'node:readline'
import { buffer } from 'node:stream/consumers'
import { SMTPServer, type SMTPServerOptions, type SMTPServerSession } from 'smtp-server'

export interface ReceivedMail {
  from: string
  to: string[]
  bytes: Buffer
  envelope: SMTPServerSession['envelope']
  /** Which connection it came over, and whether that was encrypted. */
  session: string
  secure: boolean
}

export interface SmtpSink {
  url: string
  port: number
  /** In the order of arrival. */
  mails: ReceivedMail[]
  /** Connections made so far. */
  connections: number
  /** Resolves with the first `count` mails as soon as they are there. */
  received(count: number): Promise<ReceivedMail[]>
  /** Ends every connection without a word. */
  dropConnections(): void
  stop(): Promise<void>
}

/** A refusal, as `550 5.1.1 text`. */
type Verdict = string | undefined

export interface SinkBehaviour {
  /** Refuses recipients. */
  onRecipient?: (address: string) => Verdict
  /** Refuses senders. */
  onSender?: (address: string) => Verdict
  /** Called when a message is complete, before it is acknowledged; `drop` ends the connection instead. */
  onMessage?: (mail: ReceivedMail) => Promise<Verdict | 'drop'> | Verdict | 'drop'
  port?: number
  /** Options of smtp-server, over those that make a plain sink. */
  server?: SMTPServerOptions
}

/** Starts a sink on a free loopback port, or on `port`. */
export async function startSmtpSink(behaviour: SinkBehaviour = {}): Promise<SmtpSink> {
  const mails: ReceivedMail[] = []
  const waiting = new Set<() => void>()
  const sockets = new Set<Socket>()
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    disableReverseLookup: true,
    logger: false,
    onMailFrom: ({ address }, _session, done) => done(refusal(behaviour.onSender?.(address))),
    onRcptTo: ({ address }, _session, done) => done(refusal(behaviour.onRecipient?.(address))),
    async onData(stream, session, done) {
      const bytes = await buffer(stream).catch(() => undefined)
      // Its sender went away in the middle of it.
      if (!bytes) return
      const { envelope } = session
      const from = envelope.mailFrom ? envelope.mailFrom.address : ''
      const mail = {
        from,
        to: envelope.rcptTo.map(({ address }) => address),
        bytes,
        envelope,
        session: session.id,
        secure: session.secure,
      }
      const verdict = await behaviour.onMessage?.(mail)
      if (verdict === undefined) mails.push(mail)
      for (const check of waiting) check()
      if (verdict === 'drop') sink.dropConnections()
      else done(refusal(verdict), `2.0.0 Ok: taken as ${mails.length}`)
    },
    ...behaviour.server,
  })
  server.on('error', () => undefined)
  const listener = server.listen(behaviour.port ?? 0, '127.0.0.1')
  await once(listener, 'listening')
  const { port } = listener.address() as AddressInfo

  const sink: SmtpSink = {
    url: `smtp://127.0.0.1:${port}`,
    port,
    mails,
    connections: 0,
    received: (count) =>
      new Promise((resolve) => {
        const check = () => {
          if (mails.length < count) return
          waiting.delete(check)
          resolve(mails.slice(0, count))
        }
        waiting.add(check)
        check()
      }),
    dropConnections() {
      for (const socket of sockets) socket.destroy()
    },
    stop() {
      sink.dropConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
  listener.on('connection', (socket: Socket) => {
    sink.connections++
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  return sink
}

function refusal(verdict: Verdict): Error | null {
  if (verdict === undefined) return null
  const [code, ...text] = verdict.split(' ')
  return Object.assign(new Error(text.join(' ')), { responseCode: Number(code) })
}

export interface RawSmtpServer {
  url: string
  /** Every line that came, of all connections. */
  lines: string[]
  connections: number
  stop(): Promise<void>
}

/**
 * A server whose every word is the test's. `answer` is given each line (the first time, when a client connects, the
 * line is empty) and what the connection may be told; what it returns is sent with a line end.
 */
export async function startRawSmtpServer(
  answer: (line: string, socket: Socket, connection: number) => string | undefined,
): Promise<RawSmtpServer> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    const connection = ++raw.connections
    socket.setNoDelay(true)
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.once('close', () => sockets.delete(socket))
    const say = (text: string | undefined) => {
      if (text !== undefined && socket.writable) socket.write(`${text}\r\n`)
    }
    say(answer('', socket, connection))
    createInterface({ input: socket }).on('line', (line) => {
      raw.lines.push(line)
      say(answer(line, socket, connection))
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const raw: RawSmtpServer = {
    url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`,
    lines: [],
    connections: 0,
    async stop() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
  return raw
}
