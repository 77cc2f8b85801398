// What runs in a parse thread: gathers the pieces of a message, reads it, hands the result back. The one file of
// the parser that does something when it is loaded, for a thread starts by loading a file.
import { type MessagePort, parentPort } from 'node:worker_threads'
import { parseHeaders, parseMessage } from './parse-message.ts'
import type { ParsedMessage, ParseFault } from './parsed-message.ts'

/** To the thread: pieces, then what to do with them. `headers` says why the whole is not asked for. */
export type ThreadRequest =
  | { kind: 'piece'; bytes: Uint8Array<ArrayBuffer> }
  | { kind: 'parse' }
  | { kind: 'headers'; fault: ParseFault }
  | { kind: 'forget' }

/** From the thread. */
export type ThreadAnswer = { kind: 'parsed'; message: ParsedMessage } | { kind: 'refused' }

if (parentPort) serve(parentPort)

function serve(port: MessagePort): void {
  let pieces: Uint8Array[] = []
  port.on('message', (request: ThreadRequest) => {
    if (request.kind === 'piece') {
      pieces.push(request.bytes)
      return
    }
    const raw = joined(pieces)
    pieces = []
    if (request.kind !== 'forget') void answer(port, raw, request)
  })
}

async function answer(port: MessagePort, raw: Uint8Array<ArrayBuffer>, request: ThreadRequest): Promise<void> {
  try {
    const message = request.kind === 'headers' ? await parseHeaders(raw, request.fault) : await parseMessage(raw)
    const contents = message.attachments.map((attachment) => attachment.content.buffer)
    port.postMessage({ kind: 'parsed', message } satisfies ThreadAnswer, contents)
  } catch {
    port.postMessage({ kind: 'refused' } satisfies ThreadAnswer)
  }
}

function joined(pieces: Uint8Array[]): Uint8Array<ArrayBuffer> {
  const raw = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.byteLength, 0))
  let offset = 0
  for (const piece of pieces) {
    raw.set(piece, offset)
    offset += piece.byteLength
  }
  return raw
}
