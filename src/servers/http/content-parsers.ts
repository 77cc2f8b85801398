// What becomes of a request's body: JSON in UTF-8, or nothing at all. Knows nothing of what it says.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { problem } from '../../access/problem.ts'
import { readJson } from './json-body.ts'
import { createTurns, type TakeTurn } from './turns.ts'

/** Takes the place of the framework's own. */
export function addContentParsers(
  app: Pick<FastifyInstance, 'addContentTypeParser' | 'removeAllContentTypeParsers'>,
): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, jsonParser(createTurns()))
  app.addContentTypeParser('*', { parseAs: 'buffer' }, refuseUnlessEmpty)
}

/** A body of a megabyte is read in a few milliseconds, the largest send in a hundred, and validated in as many. */
const LARGE_JSON_BYTES = 1024 * 1024

function jsonParser(takeTurn: TakeTurn) {
  return async (request: FastifyRequest, body: Buffer): Promise<unknown> => {
    if (body.length <= LARGE_JSON_BYTES) return parseJson(request, body)
    // One turn to read it, and one for all that follows.
    await takeTurn()
    const parsed = parseJson(request, body)
    await takeTurn()
    return parsed
  }
}

/** @throws Problem unsupported_media_type, invalid_json, validation_error */
function parseJson(request: FastifyRequest, body: Buffer): unknown {
  if (isAbsent(request, body)) return undefined
  if (!isPlainUtf8(request)) throw problem('unsupported_media_type')
  return readJson(body)
}

async function refuseUnlessEmpty(request: FastifyRequest, body: Buffer): Promise<void> {
  if (!isAbsent(request, body)) throw problem('unsupported_media_type')
}

/** Some clients name a type for the body that they do not send, where none is asked for. */
function isAbsent(request: FastifyRequest, body: Buffer): boolean {
  return body.length === 0 && !request.routeOptions.schema?.body
}

/** Nothing is unpacked: a body is what its length says, in the one encoding that JSON has (RFC 8259 8.1). */
function isPlainUtf8({ headers }: FastifyRequest): boolean {
  const packing = headers['content-encoding'] ?? 'identity'
  const charset = /;\s*charset\s*=\s*"?([^\s;"]*)/i.exec(headers['content-type'] ?? '')?.[1] ?? 'utf-8'
  return packing.toLowerCase() === 'identity' && ['utf-8', 'utf8', 'us-ascii'].includes(charset.toLowerCase())
}
