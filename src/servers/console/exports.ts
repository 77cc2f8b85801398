// The exports that run in this process: how many, for whom, for how long, and that each ends with its session and with its
// reader. Each holds a connection of its own and a snapshot of the database open.
import { Readable } from 'node:stream'
import type { Person } from '../../access/actor.ts'
import { type Problem, problem } from '../../access/problem.ts'
import { beginExport } from '../../exports/begin-export.ts'
import type { ListExport } from '../../exports/list-export.ts'
import type { Database } from '../../lib/sql.ts'
import type { Uuid } from '../../lib/uuid.ts'

/** specification.md#exports */
export interface ExportBounds {
  /** A snapshot is held open no longer. */
  longestMs: number
  /** Whoever reads nothing on for so long is cut. */
  unreadMs: number
  /** Between two looks at the session. */
  lookMs: number
  mostOfTenant: number
  mostAtOnce: number
}

const BOUNDS: ExportBounds = { longestMs: 5 * 60_000, unreadMs: 20_000, lookMs: 1_000, mostOfTenant: 2, mostAtOnce: 4 }
/** When somebody may try again who came while there was no room. */
const RETRY_AFTER_SECONDS = 15
const STOPPED_RETRY_SECONDS = 2
/** What is read ahead of whoever reads. */
const AHEAD_BYTES = 64 * 1024

export interface ExportsDeps {
  database: Database
  /** What a person's session stands for now; undefined when it has ended. */
  lookAt(sessionId: Uuid): Promise<{ tenantId: Uuid; role: string | null } | undefined>
  bounds?: Partial<ExportBounds>
}

/** Who asks, and what stands behind the last line: words of the asker's, who so knows that the file is whole. */
export interface ExportRequest {
  actor: Person
  sessionId: Uuid
  mark: string | undefined
  /** The asker has gone. */
  gone: AbortSignal
}

export interface Exports {
  /** The octets of a CSV file. @throws Problem rate_limited, service_unavailable, and as the list does */
  open<Filters extends object>(request: ExportRequest, list: ListExport<Filters>, filters: Filters): Promise<Readable>
  /** Breaks all of them off, and those that begin. */
  stop(): void
}

interface Running {
  personId: Uuid
  tenantId: Uuid
  /** Ends it before it has bytes. */
  beginning: AbortController
  bytes?: Readable
}

export function createExports({ database, lookAt, bounds: given }: ExportsDeps): Exports {
  const bounds = { ...BOUNDS, ...given }
  const running = new Set<Running>()
  let isStopped = false

  async function open<Filters extends object>(
    { actor, sessionId, mark, gone }: ExportRequest,
    list: ListExport<Filters>,
    filters: Filters,
  ): Promise<Readable> {
    if (isStopped) throw stopped()
    admit(running, actor, bounds)
    const beginning = new AbortController()
    const own: Running = { personId: actor.personId, tenantId: actor.tenantId, beginning }
    running.add(own)
    const signal = AbortSignal.any([gone, beginning.signal])
    let close = () => {}
    try {
      const begun = await beginExport(database, actor, list, filters, signal)
      close = begun.close
      if (signal.aborted) throw stopped()
      const bytes = bytesOf(paced(begun.text))
      const late = setTimeout(() => bytes.destroy(new Error('an export took too long')), bounds.longestMs).unref()
      bytes.once('close', () => {
        clearTimeout(late)
        close()
        running.delete(own)
      })
      own.bytes = bytes
      return bytes
    } catch (error) {
      close()
      running.delete(own)
      throw signal.aborted ? stopped() : error
    }

    /** As fast as it is read, and as long as whoever asked may read it. */
    async function* paced(text: AsyncIterable<string>): AsyncGenerator<string, void> {
      let lookedAt = performance.now()
      for await (const lines of text) {
        if (performance.now() - lookedAt >= bounds.lookMs) {
          await assertStanding(actor, sessionId)
          lookedAt = performance.now()
        }
        const unread = setTimeout(() => own.bytes?.destroy(new Error('an export was not read on')), bounds.unreadMs)
        try {
          yield lines
        } finally {
          clearTimeout(unread)
        }
      }
      if (mark !== undefined) yield mark
    }
  }

  /** Another tenant or role is another page. @throws Error when the session has ended */
  async function assertStanding({ tenantId, role }: Person, sessionId: Uuid): Promise<void> {
    const now = await lookAt(sessionId)
    if (now?.tenantId !== tenantId || now.role !== role) throw new Error('the session of an export has ended')
  }

  return {
    open,
    stop() {
      isStopped = true
      for (const { beginning, bytes } of running) {
        beginning.abort()
        bytes?.destroy(new Error('the service stops'))
      }
    },
  }
}

/** @throws Problem rate_limited, service_unavailable */
function admit(running: ReadonlySet<Running>, { personId, tenantId }: Person, bounds: ExportBounds): void {
  const of = (counts: (one: Running) => boolean) => [...running].filter(counts).length
  const again = { retryAfterSeconds: RETRY_AFTER_SECONDS }
  if (of((one) => one.personId === personId) > 0) {
    const message = 'An export of yours is still running. Wait for its end, or cancel it.'
    throw problem('rate_limited', { message, details: { limit: 'person' }, ...again })
  }
  if (of((one) => one.tenantId === tenantId) >= bounds.mostOfTenant) {
    const message = `Others of your organization run ${bounds.mostOfTenant} exports already. Try again when one has ended.`
    throw problem('rate_limited', { message, details: { limit: 'tenant' }, ...again })
  }
  if (running.size < bounds.mostAtOnce) return
  throw problem('service_unavailable', { message: 'Too many exports are running. Try again in a moment.', ...again })
}

const stopped = (): Problem => problem('service_unavailable', { retryAfterSeconds: STOPPED_RETRY_SECONDS })

function bytesOf(text: AsyncIterable<string>): Readable {
  return Readable.from(text, { objectMode: false, highWaterMark: AHEAD_BYTES })
}
