// What a client is answered when something was thrown, by a handler, by the framework or by the HTTP parser: always
// our form of an error, and nothing of what is inside.
import type { Socket } from 'node:net'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { Problem, type ProblemCode, problem } from '../../access/problem.ts'
import { validationProblem } from '../../access/schema-faults.ts'
import { ObjectMissing, StoreUnavailable } from '../../lib/object-store.ts'
import { isUnavailable } from '../../lib/sql.ts'
import { newId } from '../../lib/uuid.ts'
import { errorBody, headersOf, statusOf } from './status-codes.ts'

const SERVICE_RETRY_AFTER_SECONDS = 2
/** What is let in of a body that was refused already; its time is that of every request. */
const MOST_DRAINED_BYTES = 128 * 1024 * 1024
/** The same of somebody who has shown neither a key nor a URL that the service has signed. */
const MOST_DRAINED_OF_STRANGER_BYTES = 64 * 1024
const STRANGER_DRAINED_MS = 5_000

/** Routes that answer something a browser may show say more of it themselves. */
export function commonHeaders(requestId: string): Record<string, string> {
  return {
    'x-request-id': requestId,
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-store',
  }
}

/** Answers a request with what was thrown. */
export function sendError(error: FastifyError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { code, message, details } = beginRefusal(error, request, reply)
  return reply
    .type('application/json; charset=utf-8')
    .serializer(JSON.stringify)
    .send(errorBody(code, message, request.id, details))
}

/** Sees to all of an answer but its body: logs what is a fault of ours, sets status and headers. Gives what is told. */
export function beginRefusal(error: FastifyError, request: FastifyRequest, reply: FastifyReply): Problem {
  // Also when its last octet had come, and nobody had read it yet.
  const isBrokenOff = request.raw.destroyed && (!request.raw.complete || error === request.raw.errored)
  const answer = isBrokenOff ? problem('bad_request') : toProblem(error)
  const status = statusOf(answer.code)
  request.refusedWith = answer.code
  // What was refused on purpose, for want of room, is no fault: whoever brings it about would fill the log.
  const isFault = status >= 500 && !(error instanceof Problem)
  if (isFault || error instanceof ObjectMissing) request.log.error({ err: error }, 'request failed')
  if (!request.raw.complete && !request.raw.destroyed) drain(request, reply)
  // Again, because what the framework refuses by itself has not passed the hook.
  reply.code(status).headers({ ...commonHeaders(request.id), ...headersOf(answer) })
  return answer
}

/**
 * Lets the rest of a body come and forgets it, within bounds: a connection closed while the client still sends is reset,
 * and the client may never see the answer. A client that asked for that has it closed when the body has ended, and so has every
 * client of a service that stops (end-connections.ts). Else it stays: one that is closed without a word may bear the next
 * request already.
 */
function drain({ raw: body, caller, isSigned }: FastifyRequest, reply: FastifyReply): void {
  if (!reply.raw.shouldKeepAlive) body.once('end', () => body.socket.end())
  reply.removeHeader('connection')
  reply.raw.shouldKeepAlive = true
  const isStranger = caller === null && !isSigned
  let bytes = 0
  body.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    // What a stranger sends beyond stays where it is, and he has time to see the answer.
    if (isStranger && bytes >= MOST_DRAINED_OF_STRANGER_BYTES) body.pause()
    else if (bytes > MOST_DRAINED_BYTES) body.destroy()
  })
  body.resume()
  if (!isStranger) return
  const timer = setTimeout(() => body.destroy(), STRANGER_DRAINED_MS).unref()
  for (const event of ['end', 'close']) body.once(event, () => clearTimeout(timer))
}

/** What a client is answered for whatever was thrown, which may be nothing at all. */
function toProblem(error: FastifyError | undefined): Problem {
  if (error instanceof Problem) return error
  if (!(error instanceof Error)) return problem('internal_error')
  if (error instanceof ObjectMissing) return problem('not_found', { message: 'Its bytes are no longer stored.' })
  if (error.validation) return validationProblem(error.validation as Parameters<typeof validationProblem>[0])
  const code = FRAMEWORK_CODES[error.code]
  if (code === 'not_found') return absentPath()
  if (code) return problem(code)
  if (isUnavailable(error) || error instanceof StoreUnavailable) {
    return problem('service_unavailable', { retryAfterSeconds: SERVICE_RETRY_AFTER_SECONDS })
  }
  return problem('internal_error')
}

/** For a path that no route has, whoever asks. */
export function absentPath(): Problem {
  return problem('not_found', { message: 'This path does not exist. See /docs for those that do.' })
}

const FRAMEWORK_CODES: Record<string, ProblemCode> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported_media_type',
  FST_ERR_CTP_INVALID_JSON_BODY: 'invalid_json',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'invalid_json',
  FST_ERR_CTP_BODY_TOO_LARGE: 'payload_too_large',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'bad_request',
  FST_ERR_BAD_URL: 'not_found',
  FST_ERR_MAX_PARAM_LENGTH: 'not_found',
  FST_ERR_ASYNC_CONSTRAINT: 'not_found',
}

/** What Node’s parser gives up at, in the words of whoever wrote the request. */
const BROKEN: Record<string, string> = {
  HPE_INVALID_METHOD: 'it begins with no method in capitals; TLS on a plain port looks so too',
  HPE_INVALID_CONSTANT: 'its first line is malformed',
  HPE_PAUSED_H2_UPGRADE: 'HTTP/2 is not spoken here',
  HPE_UNEXPECTED_SPACE: 'a line of its headers begins with a blank',
  HPE_INVALID_URL: 'its path does not begin with a slash, or has a character that must be percent-encoded',
  HPE_INVALID_VERSION: 'its first line does not end with HTTP/1.1 and CRLF',
  HPE_INVALID_HEADER_TOKEN: 'a header has a character that headers cannot have',
  HPE_INVALID_CONTENT_LENGTH: 'its Content-Length is no number',
  HPE_UNEXPECTED_CONTENT_LENGTH: 'its Content-Length stands beside another one or beside Transfer-Encoding',
  HPE_INVALID_TRANSFER_ENCODING: 'its Transfer-Encoding is not chunked, or stands beside Content-Length',
  HPE_INVALID_CHUNK_SIZE: 'the size of a chunk is no hexadecimal number',
  HPE_INVALID_EOF_STATE: 'it ended too soon',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'the extensions of its chunks are longer than 16 KiB',
}

function parserProblem(code: string): Problem {
  if (code === 'HPE_HEADER_OVERFLOW') return problem('headers_too_large')
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return problem('request_timeout')
  const what = BROKEN[code]
  return problem('bad_request', what === undefined ? {} : { message: `The request is not valid HTTP: ${what}.` })
}

/**
 * Answers what never became a request: broken HTTP, oversized headers, a client that is too slow. Within an answer that is
 * on its way another one would pass for its octets.
 */
export function answerBrokenHttp(
  error: Error & { code?: string },
  socket: Socket,
  isAnswering: (socket: Socket) => boolean,
): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  if (isAnswering(socket)) socket.destroySoon()
  else answerOver(socket, parserProblem(error.code ?? ''))
}

/** Answers who takes the service for a proxy. */
export function answerConnect(socket: Socket): void {
  answerOver(socket, problem('bad_request', { message: 'This service is no proxy: CONNECT leads nowhere.' }))
}

/** Answers who speaks plain HTTP where TLS is spoken. */
export function answerPlainHttp(socket: Socket): void {
  answerOver(socket, problem('bad_request', { message: 'This port speaks HTTPS: ask for https:// instead.' }))
}

function answerOver(socket: Socket, answer: Problem): void {
  const id = newId()
  const body = JSON.stringify(errorBody(answer.code, answer.message, id))
  const headers = {
    ...commonHeaders(id),
    connection: 'close',
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(`HTTP/1.1 ${statusOf(answer.code)} Error\r\n${lines.join('')}\r\n${body}`)
}
