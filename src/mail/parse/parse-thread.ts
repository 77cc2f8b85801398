// What a parse thread is started with: the one file of the parser that does something when it is loaded.
import { serveThread } from '../../lib/thread-pool/serve-thread.ts'
import { parseHeaders, parseMessage } from './parse-message.ts'
import type { ParsedMessage, ParseFault } from './parsed-message.ts'

/** Read all of it, or no more than its header because of a fault. */
export type ParseTask = { kind: 'whole' } | { kind: 'headers'; fault: ParseFault }

serveThread<ParseTask, ParsedMessage>(async (task, raw) => {
  const answer = task.kind === 'whole' ? await parseMessage(raw) : await parseHeaders(raw, task.fault)
  return { answer, transfer: answer.attachments.map(({ content }) => content.buffer) }
})
