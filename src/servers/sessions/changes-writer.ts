// Writes one stream of changes over the connection of a request. Knows nothing of who reads it.
import type { FastifyReply } from 'fastify'
import type { Change } from '../../events/follow-feed.ts'
import { beatText, beginningText, changesText, RELOAD_TEXT } from './changes-text.ts'

/** What may wait for one who does not read; beyond it the connection is cut before more is written. */
const MOST_UNREAD_BYTES = 256 * 1024

export interface ChangesWriter {
  /** Takes the reply over. `isAnew`: what lies before the cursor was not heard. */
  begin(cursor: string, isAnew: boolean): void
  write(changes: readonly Change[]): void
  /** What lies up to the cursor is not for this stream. Said with the next beat, so that it is not looked through again. */
  pass(cursor: string): void
  beat(): void
  /** What was said may not be how things are. */
  reload(): void
  /** Nothing is written from then on. Who has not read all is not waited for, and goes on from there. */
  end(): void
}

/** `headers`: besides those that the reply has. */
export function createChangesWriter(reply: FastifyReply, headers: Record<string, string>): ChangesWriter {
  const { raw } = reply
  let state: 'new' | 'open' | 'ended' = 'new'
  let passed: string | undefined

  function send(text: string | Buffer): void {
    if (state !== 'open') return
    passed = undefined
    if (raw.writableLength <= MOST_UNREAD_BYTES) return void raw.write(text)
    state = 'ended'
    raw.destroy()
  }

  return {
    begin(cursor, isAnew) {
      if (state !== 'new' || raw.destroyed) return
      state = 'open'
      reply.hijack()
      raw.writeHead(200, { ...(reply.getHeaders() as Record<string, string>), ...headers, ...STREAM_HEADERS })
      send(beginningText(cursor, isAnew))
    },
    write: (changes) => send(textOf(changes)),
    pass(cursor) {
      passed = cursor
    },
    beat: () => send(beatText(passed)),
    reload: () => send(RELOAD_TEXT),
    end() {
      if (state === 'open') {
        if (raw.writableLength > 0) raw.destroy()
        else raw.end()
      }
      state = 'ended'
    },
  }
}

const STREAM_HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  // So that what stands in between hands on each word as it comes.
  'x-accel-buffering': 'no',
}

/** What was written last: the same for all who hear all of a log. */
let written: { changes: readonly Change[]; text: Buffer } | undefined

function textOf(changes: readonly Change[]): Buffer {
  if (written?.changes !== changes) written = { changes, text: Buffer.from(changesText(changes)) }
  return written.text
}
