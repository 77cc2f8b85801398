// The SMTP listener: lets in mail for active mailboxes and signed return paths, and nothing else. Says 250 when the
// mail is durable, and never 5xx for a fault of ours. RFC 5321.
import type { AddressInfo, Socket } from 'node:net'
import type { Readable } from 'node:stream'
import type { Logger } from 'pino'
import { SMTPServer, type SMTPServerAddress, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server'
import { clientNetwork } from '../lib/network.ts'
import type { Db } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'
import { canonicalAddress } from '../mail-builder/mail-address.ts'
import { MAX_MESSAGE_BYTES } from '../mail-parser/parsed-message.ts'
import type { Admission } from './admission.ts'
import type { InboundMail } from './receive-message.ts'
import { findMailbox, findSentMessage, type MailboxTarget } from './store.ts'

export interface ListenerOptions {
  host: string
  port: number
  /** PEM. */
  tls: { cert: string; key: string }
  /** How the server names itself; RFC 5321 §4.1.1.1. */
  name: string
  database: Db
  log: Logger
  /** Absent: everybody may connect. */
  admission?: Admission | undefined
  /** The message a return path was signed for, its domain in ASCII; undefined when it is none of ours. */
  returnPath(address: string): { messageId: Uuid } | undefined
  receive(mail: InboundMail, source: AsyncIterable<Uint8Array>): Promise<void>
}

export interface Listener {
  port: number
  /** Takes no new connection, and waits so long for mail that is under way. */
  stop(withinMs: number): Promise<void>
}

type Target = { mailbox: MailboxTarget } | { report: { tenantId: Uuid; messageId: Uuid } }

/** RFC 5321 §4.5.3.1.8 has servers take at least this many. */
const MOST_RECIPIENTS = 100
/** A client that goes on after so many unknown recipients is guessing. */
const MOST_UNKNOWN = 20
const MOST_CONNECTIONS = 500
const IDLE_MS = 60_000

/** @throws what keeps it from listening */
export async function startListener(options: ListenerOptions): Promise<Listener> {
  const targets = new WeakMap<SMTPServerSession['envelope'], Target[]>()
  const unknown = new WeakMap<SMTPServerSession, number>()
  const { admission, log } = options

  const server = new SMTPServer({
    name: options.name,
    banner: 'mail',
    ...options.tls,
    authOptional: true,
    disabledCommands: ['AUTH'],
    disableReverseLookup: true,
    // Ours are more exact than those it would put in front of them.
    hideENHANCEDSTATUSCODES: true,
    size: MAX_MESSAGE_BYTES,
    maxClients: MOST_CONNECTIONS,
    socketTimeout: IDLE_MS,
    logger: false,
    onConnect(session, done) {
      const refusal = admission?.enter(session.remoteAddress, performance.now())
      done(refusal ? reply(421, `4.7.0 ${refusal}`) : undefined)
    },
    onClose: (session) => admission?.leave(session.remoteAddress),
    onRcptTo(address, session, done) {
      admit(address, session).then(
        (refusal) => done(refusal),
        (error) => {
          log.error({ err: error }, 'a recipient could not be looked up')
          done(reply(451, '4.3.0 Try again later'))
        },
      )
    },
    onData(stream, session, done) {
      take(stream, session).then(
        () => done(null, '2.0.0 Ok: taken'),
        (error) => {
          // What is left of it must be read, or the client never hears the answer.
          stream.resume()
          if (error instanceof TooLarge) return done(reply(552, '5.3.4 The message is larger than 25 MiB'))
          log.error({ err: error }, 'mail could not be taken')
          done(reply(451, '4.3.0 Try again later'))
        },
      )
    },
  })
  server.on('error', (error) => log.debug({ err: error }, 'an SMTP connection failed'))

  /** Undefined when the recipient is let in. */
  async function admit({ address }: SMTPServerAddress, session: SMTPServerSession): Promise<Error | undefined> {
    const admitted = targets.get(session.envelope) ?? []
    if (admitted.length >= MOST_RECIPIENTS) return reply(452, '4.5.3 Too many recipients')
    // smtp-server has decoded the domain, and we keep ours in ASCII.
    const target = await targetOf(canonicalAddress(address))
    if (!target) {
      const count = (unknown.get(session) ?? 0) + 1
      unknown.set(session, count)
      if (count > MOST_UNKNOWN) return reply(421, '4.7.0 Too many unknown recipients')
      return reply(550, '5.1.1 There is no such mailbox here')
    }
    targets.set(session.envelope, [...admitted, target])
    return undefined
  }

  async function targetOf(address: string): Promise<Target | undefined> {
    const returned = options.returnPath(address)
    if (returned) {
      const message = await findSentMessage(options.database, returned.messageId)
      return message && { report: { ...message, messageId: returned.messageId } }
    }
    const mailbox = await findMailbox(options.database, address)
    return mailbox && { mailbox }
  }

  async function take(stream: SMTPServerDataStream, session: SMTPServerSession): Promise<void> {
    const admitted = targets.get(session.envelope) ?? []
    const mailboxes = new Map<Uuid, MailboxTarget>()
    const reports = new Map<Uuid, { tenantId: Uuid; messageId: Uuid }>()
    for (const target of admitted) {
      if ('mailbox' in target) mailboxes.set(target.mailbox.mailboxId, target.mailbox)
      else reports.set(target.report.messageId, target.report)
    }
    const sender = session.envelope.mailFrom ? canonicalAddress(session.envelope.mailFrom.address) : ''
    await options.receive(
      {
        sender,
        clientAddress: session.remoteAddress,
        clientName: session.hostNameAppearsAs || session.remoteAddress,
        owner: clientNetwork(session.remoteAddress),
        mailboxes: [...mailboxes.values()],
        reports: [...reports.values()],
      },
      bounded(stream),
    )
  }

  const listener = server.listen(options.port, options.host)
  await new Promise<void>((resolve, reject) => {
    listener.once('listening', resolve)
    server.once('error', reject)
  })
  const sockets = new Set<Socket>()
  listener.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })

  return {
    port: (listener.address() as AddressInfo).port,
    async stop(withinMs) {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      const timer = setTimeout(() => {
        for (const socket of sockets) socket.destroy()
      }, withinMs)
      await closed
      clearTimeout(timer)
    },
  }
}

class TooLarge extends Error {
  override name = 'TooLarge'
}

/** SPEC "Limits": 25 MiB. smtp-server goes on reading beyond the size it has announced. @throws TooLarge */
async function* bounded(stream: Readable): AsyncGenerator<Uint8Array> {
  let size = 0
  for await (const chunk of stream.iterator({ destroyOnReturn: false })) {
    size += chunk.length
    if (size > MAX_MESSAGE_BYTES) throw new TooLarge('a message is larger than any we take')
    yield chunk
  }
}

function reply(responseCode: number, text: string): Error {
  return Object.assign(new Error(text), { responseCode })
}
