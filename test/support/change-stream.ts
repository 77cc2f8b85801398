// Reads a stream of server-sent events as a page does, and keeps what came.
import { type ClientRequest, request } from 'node:http'
import { after } from 'node:test'
import { until } from './until.ts'

export interface ReadEvent {
  /** The last id by then, as EventSource has it. */
  id: string
  // biome-ignore lint/suspicious/noExplicitAny: each test knows what it asked for.
  data: any
}

export interface ReadStream {
  status: number
  headers: Record<string, string | string[] | undefined>
  /** All that was said so far. */
  text(): string
  events(): ReadEvent[]
  /** The id that a browser would send when it comes back. */
  lastId(): string
  /** Waits until so many events have come. */
  have(count: number): Promise<ReadEvent[]>
  /** Resolves when the other side has ended it. */
  ended: Promise<void>
  close(): void
  sent: ClientRequest
}

/** Resolves with the answer's headers, be it a stream or a refusal. The stream ends with the tests. */
export async function readStream(url: string, headers: Record<string, string>): Promise<ReadStream> {
  const sent = request(url, { headers: { 'sec-fetch-site': 'same-origin', ...headers }, agent: false })
  after(() => sent.destroy())
  const answer = await new Promise<import('node:http').IncomingMessage>((resolve, reject) => {
    sent.once('response', resolve).once('error', reject).end()
  })
  sent.on('error', () => {})
  let text = ''
  answer.setEncoding('utf8').on('data', (piece: string) => {
    text += piece
  })
  answer.on('error', () => {})
  const ended = new Promise<void>((resolve) => answer.once('close', resolve))
  const events = () => eventsOf(text).events
  return {
    status: answer.statusCode ?? 0,
    headers: answer.headers,
    text: () => text,
    events,
    lastId: () => eventsOf(text).lastId,
    have: (count) => until(`${count} events`, () => (events().length >= count ? events() : undefined)),
    ended,
    close: () => sent.destroy(),
    sent,
  }
}

/** By the rules of EventSource (HTML Living Standard, 9.2.6), as far as our streams use them. */
function eventsOf(text: string): { events: ReadEvent[]; lastId: string } {
  const events: ReadEvent[] = []
  let lastId = ''
  for (const block of text.split('\n\n').slice(0, -1)) {
    const field = (name: string) =>
      block
        .split('\n')
        .find((line) => line.startsWith(`${name}: `))
        ?.slice(name.length + 2)
    lastId = field('id') ?? lastId
    const data = field('data')
    if (data !== undefined) events.push({ id: lastId, data: JSON.parse(data) })
  }
  return { events, lastId }
}
