// The streams of changes that are open at a site: how many, to whom, for how long, and that each ends with its session.
import type { FastifyReply } from 'fastify'
import type { MailboxUser, Person } from '../../access/actor.ts'
import { type Problem, problem } from '../../access/problem.ts'
import { followEvents } from '../../events/follow-events.ts'
import type { Change, FeedFollower } from '../../events/follow-feed.ts'
import { changesWithin } from '../../events/follow-reach.ts'
import type { Uuid } from '../../lib/uuid.ts'
import { type ChangesWriter, createChangesWriter } from './changes-writer.ts'

/** What a session stands for now. */
export interface SessionStanding {
  /** Whose data is looked at. */
  tenantId: Uuid
  /** Of a person. */
  role: string | null
  /** Of a mailbox user, with what may be done in each; null: all of the tenant. */
  mailboxes: ReadonlyMap<Uuid, 'read' | 'write'> | null
}

/** specification.md#changes */
export interface StreamTimes {
  /** What is silent for longer, often a minute, proxies end. */
  beatMs: number
  /** With so many beats a stream ends, and the browser comes back. */
  mostBeats: number
  /** Between two looks at the sessions of all streams. */
  lookMs: number
  /** Streams end whose sessions could not be looked at for longer. */
  unseenMs: number
}

const TIMES: StreamTimes = { beatMs: 15_000, mostBeats: 120, lookMs: 1_000, unseenMs: 30_000 }
const MOST_OF_SESSION = 4
const MOST_OF_ADDRESS = 50
/** When somebody who has too many may try again. */
const RETRY_AFTER_SECONDS = 15
const STOPPED_RETRY_SECONDS = 2

export interface ChangeStreamsDeps {
  feed: FeedFollower
  /** What the sessions of these ids stand for; one that is missing has ended. */
  lookAt(sessionIds: readonly Uuid[]): Promise<ReadonlyMap<Uuid, SessionStanding>>
  /** Of every answer of the site. */
  headers: Record<string, string>
  onError(error: unknown): void
  times?: StreamTimes | undefined
}

/** Who asks for a stream, and from where on. */
export interface StreamRequest {
  actor: Person | MailboxUser
  sessionId: Uuid
  /** What counts as one client. */
  address: string
  /** Of the last event that was read. */
  cursor: string | undefined
}

export interface ChangeStreams {
  /** From its first words on the reply is a stream. @throws Problem rate_limited, and what the database throws */
  open(request: StreamRequest, reply: FastifyReply): Promise<void>
  /** Ends all of them, and those that begin. */
  stop(): void
}

interface Stream extends SessionStanding {
  sessionId: Uuid
  address: string
  writer: ChangesWriter
  end(): void
}

export function createChangeStreams(deps: ChangeStreamsDeps): ChangeStreams {
  const { times = TIMES } = deps
  const streams = new Set<Stream>()
  let isStopped = false
  let looking: NodeJS.Timeout | undefined
  let isLooking = false
  let lookedAtMs = 0

  async function open(request: StreamRequest, reply: FastifyReply): Promise<void> {
    const { actor, sessionId, address, cursor } = request
    // Whoever has gone away already does so no more.
    if (isStopped || reply.raw.destroyed) throw stopped()
    admit('session', MOST_OF_SESSION, (stream) => stream.sessionId === sessionId)
    admit('ip', MOST_OF_ADDRESS, (stream) => stream.address === address)
    const writer = createChangesWriter(reply, deps.headers)
    const stream: Stream = { ...standingOf(actor), sessionId, address, writer, end }
    let isEnded = false
    let unfollow = () => {}
    let beats = 0
    let beating: NodeJS.Timeout | undefined
    const beat = () => {
      beats += 1
      if (beats === times.mostBeats) end()
      else writer.beat()
    }
    function end(): void {
      isEnded = true
      writer.end()
      clearInterval(beating)
      unfollow()
      leave(stream)
    }
    enter(stream)
    reply.raw.once('close', end)
    try {
      unfollow = await followEvents(deps.feed, actor, cursor, {
        begins: (begin, isAnew) => writer.begin(begin, isAnew),
        hears: (changes) => hear(stream, changes),
      })
    } catch (error) {
      end()
      throw error
    }
    if (!isEnded) {
      beating = setInterval(beat, times.beatMs).unref()
      return
    }
    end()
    if (!reply.sent) throw stopped()
  }

  /** @throws Problem rate_limited */
  function admit(limit: 'session' | 'ip', most: number, counts: (stream: Stream) => boolean): void {
    let open = 0
    for (const stream of streams) if (counts(stream)) open += 1
    if (open < most) return
    throw problem('rate_limited', {
      message: `There are ${most} streams of changes open already.`,
      details: { limit },
      retryAfterSeconds: RETRY_AFTER_SECONDS,
    })
  }

  function enter(stream: Stream): void {
    streams.add(stream)
    if (looking) return
    lookedAtMs = performance.now()
    looking = setInterval(() => void lookAtSessions(), times.lookMs).unref()
  }

  function leave(stream: Stream): void {
    streams.delete(stream)
    if (streams.size > 0) return
    clearInterval(looking)
    looking = undefined
  }

  /** One look at the sessions of all of them. */
  async function lookAtSessions(): Promise<void> {
    if (isLooking) return
    isLooking = true
    const seen = [...streams]
    try {
      const standings = await deps.lookAt([...new Set(seen.map((stream) => stream.sessionId))])
      lookedAtMs = performance.now()
      for (const stream of seen) follow(stream, standings.get(stream.sessionId))
    } catch (error) {
      deps.onError(error)
      if (performance.now() - lookedAtMs > times.unseenMs) for (const stream of seen) stream.end()
    } finally {
      isLooking = false
    }
  }

  return {
    open,
    stop() {
      isStopped = true
      for (const stream of streams) stream.end()
    },
  }
}

/** Its site stopped, or who asked for it has gone, before it began. */
function stopped(): Problem {
  return problem('service_unavailable', { retryAfterSeconds: STOPPED_RETRY_SECONDS })
}

function standingOf(actor: Person | MailboxUser): SessionStanding {
  const { tenantId } = actor
  return actor.kind === 'person'
    ? { tenantId, role: actor.role, mailboxes: null }
    : { tenantId, role: null, mailboxes: actor.mailboxes }
}

/** Another tenant or role is another page. With other mailboxes, what is shown may have become somebody else's. */
function follow(stream: Stream, now: SessionStanding | undefined): void {
  if (now?.tenantId !== stream.tenantId || now.role !== stream.role) {
    stream.end()
    return
  }
  if (areAlike(stream.mailboxes, now.mailboxes)) return
  stream.mailboxes = now.mailboxes
  stream.writer.reload()
}

function areAlike(one: SessionStanding['mailboxes'], other: SessionStanding['mailboxes']): boolean {
  if (one === null || other === null) return one === other
  return one.size === other.size && [...one].every(([id, access]) => other.get(id) === access)
}

function hear({ mailboxes, writer }: Stream, changes: readonly Change[]): void {
  if (mailboxes === null) {
    writer.write(changes)
    return
  }
  const own = changesWithin(changes, mailboxes)
  if (own.length > 0) writer.write(own)
  const last = changes.at(-1)?.cursor
  if (last !== undefined && last !== own.at(-1)?.cursor) writer.pass(last)
}
