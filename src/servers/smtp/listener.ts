// The SMTP listener: lets in mail for active mailboxes and signed return paths, and nothing else. Says 250 when the
// mail is durable, and never 5xx for a fault of ours. RFC 5321.
import type { AddressInfo, Socket } from 'node:net'
import type { Readable } from 'node:stream'
import type { Logger } from 'pino'
import { SMTPServer, type SMTPServerAddress, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server'
import { clientNetwork } from '../../lib/network.ts'
import type { Db } from '../../lib/sql.ts'
import type { Uuid } from '../../lib/uuid.ts'
import { canonicalAddress } from '../../mail/mail-address.ts'
import { MAX_MESSAGE_BYTES } from '../../mail/parse/parsed-message.ts'
import { findMailbox, type MailboxTarget } from '../../messages/receive/find-mailbox.ts'
import { findSentMessage } from '../../messages/receive/find-sent-message.ts'
import type { InboundMail } from '../../messages/receive/receive-message.ts'
import { roomFor, StorageFull } from '../../messages/receive/tenant-room.ts'
import type { Admission } from './admission.ts'
import { isOverdue, MOST_CONNECTIONS, type Seat, seatToFree } from './slots.ts'

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
  /** STARTTLS shows this one from now on. */
  renewCertificate(tls: { cert: string; key: string }): void
  /** Takes no new connection, and waits so long for mail that is under way. */
  stop(withinMs: number): Promise<void>
}

type Target = { mailbox: MailboxTarget } | { report: { tenantId: Uuid; messageId: Uuid } }

/** How often it is looked whose time is over. */
const LOOK_MS = 10_000
/** RFC 5321 §4.5.3.1.8 has servers take at least this many. */
const MOST_RECIPIENTS = 100
/** A client that goes on after so many unknown recipients is guessing. */
const MOST_UNKNOWN = 20
const IDLE_MS = 60_000

/** @throws what keeps it from listening */
export async function startListener(options: ListenerOptions): Promise<Listener> {
  const targets = new WeakMap<SMTPServerSession['envelope'], Target[]>()
  const unknown = new WeakMap<SMTPServerSession, number>()
  const seats = new Map<string, SessionSeat>()
  const { admission, log } = options
  const now = () => performance.now()

  const server = new SMTPServer({
    name: options.name,
    banner: 'mail',
    cert: options.tls.cert,
    key: options.tls.key,
    authOptional: true,
    disabledCommands: ['AUTH'],
    disableReverseLookup: true,
    // Ours are more exact than those it would put in front of them.
    hideENHANCEDSTATUSCODES: true,
    size: MAX_MESSAGE_BYTES,
    // Those on their way in and out are beyond ours.
    maxClients: MOST_CONNECTIONS * 2,
    socketTimeout: IDLE_MS,
    logger: false,
    onConnect(session, done) {
      const refusal = admission?.enter(session.remoteAddress, now())
      if (refusal) return done(reply(421, `4.7.0 ${refusal}`))
      done(seatOf(session) ? undefined : reply(421, '4.3.2 Too many connections, try again in a moment'))
    },
    onClose(session) {
      seats.delete(session.id)
      admission?.leave(session.remoteAddress)
    },
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
      const seat = seats.get(session.id)
      if (admission && !admission.begin(session.remoteAddress)) {
        stream.resume()
        return done(tooManyMails())
      }
      take(stream, session, seat)
        .then(
          () => {
            if (seat) seat.usefulMs = now()
            done(null, '2.0.0 Ok: taken')
          },
          (error) => {
            // What is left of it must be read, or the client never hears the answer.
            stream.resume()
            if (error instanceof TooLarge) return done(reply(552, '5.3.4 The message is larger than 25 MiB'))
            if (error instanceof StorageFull) return done(reply(452, '4.2.2 The mailbox is full'))
            if (stream.destroyed && !stream.readableEnded)
              log.debug({ err: error }, 'a client disconnected while it sent a mail')
            else log.error({ err: error }, 'mail could not be taken')
            done(reply(451, '4.3.0 Try again later'))
          },
        )
        .finally(() => {
          if (seat) seat.isWaiting = false
          admission?.end(session.remoteAddress)
        })
    },
  })
  server.on('error', (error) => log.debug({ err: error }, 'an SMTP connection failed'))

  /** Undefined when all are taken and nobody has to go for this one. */
  function seatOf(session: SMTPServerSession): SessionSeat | undefined {
    const client = admission ? admission.clientOf(session.remoteAddress) : clientNetwork(session.remoteAddress)
    if (seats.size >= MOST_CONNECTIONS) {
      const freed = seatToFree([...seats.values()], client, now())
      if (!freed) return undefined
      endSession(freed, '4.3.2 Others need your connection, try again in a moment')
    }
    const seat = { id: session.id, client, openedMs: now(), usefulMs: now(), isWaiting: false }
    seats.set(session.id, seat)
    return seat
  }

  function endSession({ id }: SessionSeat, words: string): void {
    seats.delete(id)
    for (const connection of server.connections) {
      if (connection.session.id === id) connection.send(421, words)
    }
  }

  /** Undefined when the recipient is let in. */
  async function admit({ address }: SMTPServerAddress, session: SMTPServerSession): Promise<Error | undefined> {
    // Before its octets come, which would have to be read to be refused.
    if (admission?.isBusy(session.remoteAddress)) return tooManyMails()
    const admitted = targets.get(session.envelope) ?? []
    if (admitted.length >= MOST_RECIPIENTS) return reply(452, '4.5.3 Too many recipients')
    // smtp-server has decoded the domain, and we keep ours in ASCII.
    const target = await targetOf(canonicalAddress(address))
    if (target && 'mailbox' in target) {
      const refusal = await refusalOf(target.mailbox, mailboxesOf(admitted), announcedBytes(session))
      if (refusal) return refusal
    }
    if (!target) {
      const count = (unknown.get(session) ?? 0) + 1
      unknown.set(session, count)
      if (count > MOST_UNKNOWN) return reply(421, '4.7.0 Too many unknown recipients')
      return reply(550, '5.1.1 There is no such mailbox here')
    }
    targets.set(session.envelope, [...admitted, target])
    return undefined
  }

  /** Why a mailbox takes nothing now; undefined when it does. */
  async function refusalOf(
    mailbox: MailboxTarget,
    others: MailboxTarget[],
    announced: number,
  ): Promise<Error | undefined> {
    if (mailbox.isSuspended) return reply(450, '4.2.1 The mailbox takes no mail at present')
    const room = await roomFor(
      options.database,
      mailbox.tenantId,
      others.map(({ tenantId }) => tenantId),
      announced,
    )
    if (room === 'full') return reply(452, '4.2.2 The mailbox is full')
    if (room === 'alone') return reply(452, '4.5.3 Hand in a mail to this recipient alone')
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

  async function take(
    stream: SMTPServerDataStream,
    session: SMTPServerSession,
    seat: SessionSeat | undefined,
  ): Promise<void> {
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
        owner: seat?.client ?? session.id,
        mailboxes: [...mailboxes.values()],
        reports: [...reports.values()],
      },
      bounded(stream, () => {
        if (seat) seat.isWaiting = true
      }),
    )
  }

  const listener = server.listen(options.port, options.host)
  await new Promise<void>((resolve, reject) => {
    listener.once('listening', resolve)
    server.once('error', reject)
  })
  const looking = setInterval(() => {
    for (const seat of seats.values()) {
      if (isOverdue(seat, now())) endSession(seat, '4.4.2 Your time is over')
    }
  }, LOOK_MS)
  const sockets = new Set<Socket>()
  listener.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })

  return {
    port: (listener.address() as AddressInfo).port,
    renewCertificate: ({ cert, key }) => server.updateSecureContext({ cert, key }),
    async stop(withinMs) {
      clearInterval(looking)
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      const timer = setTimeout(() => {
        for (const socket of sockets) socket.destroy()
      }, withinMs)
      await closed
      clearTimeout(timer)
    },
  }
}

interface SessionSeat extends Seat {
  id: string
}

function mailboxesOf(targets: Target[]): MailboxTarget[] {
  return targets.flatMap((target) => ('mailbox' in target ? target.mailbox : []))
}

/** What MAIL announced; 0 when it said nothing. RFC 1870. */
function announcedBytes(session: SMTPServerSession): number {
  const { mailFrom } = session.envelope
  return (mailFrom && Number((mailFrom.args as { SIZE?: string }).SIZE)) || 0
}

class TooLarge extends Error {
  override name = 'TooLarge'
}

/**
 * smtp-server goes on reading beyond the size it has announced. specification.md#limits-of-the-listener
 * @throws TooLarge
 */
async function* bounded(stream: Readable, onEnd: () => void): AsyncGenerator<Uint8Array> {
  let size = 0
  for await (const chunk of stream.iterator({ destroyOnReturn: false })) {
    size += chunk.length
    if (size > MAX_MESSAGE_BYTES) throw new TooLarge('a message is larger than any we take')
    yield chunk
  }
  onEnd()
}

function tooManyMails(): Error {
  return reply(451, '4.3.2 Too many mails of yours at once, try again later')
}

function reply(responseCode: number, text: string): Error {
  return Object.assign(new Error(text), { responseCode })
}
