// What is served as it is for as long as the process lives: compressed once in each way, when a browser first asks for it.
import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { negotiate } from '@fastify/accept-negotiator'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { once } from '../../lib/once.ts'

const compress = promisify(brotliCompress)
const ENCODERS = { br: encodeBrotli, gzip: promisify(gzip) }
type Encoding = keyof typeof ENCODERS
const ENCODINGS = Object.keys(ENCODERS) as Encoding[]

export interface Content {
  /** With its charset. */
  type: string
  /** Names these bytes and no others. */
  hash: string
  plain: Buffer
  encoded: Record<Encoding, () => Promise<Buffer>>
}

/** The best way takes seconds for as much, which somebody waits for. */
const LARGE_BYTES = 512 * 1024
const QUALITY_OF_LARGE = 5

function encodeBrotli(plain: Buffer): Promise<Buffer> {
  const quality = plain.length > LARGE_BYTES ? QUALITY_OF_LARGE : constants.BROTLI_MAX_QUALITY
  return compress(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: quality } })
}

export function createContent(type: string, text: string): Content {
  const plain = Buffer.from(text)
  const hash = createHash('sha256').update(plain).digest('hex').slice(0, 16)
  const encoded = { br: once(() => ENCODERS.br(plain)), gzip: once(() => ENCODERS.gzip(plain)) }
  return { type, hash, plain, encoded }
}

/** Answers with it in the best way that the request accepts (RFC 9110 §12.5.3). */
export async function sendContent(
  request: FastifyRequest,
  reply: FastifyReply,
  content: Content,
): Promise<FastifyReply> {
  reply.type(content.type).header('vary', 'accept-encoding')
  const encoding = negotiate(request.headers['accept-encoding'] ?? '', ENCODINGS) as Encoding | null
  if (!encoding) return reply.send(content.plain)
  return reply.header('content-encoding', encoding).send(await content.encoded[encoding]())
}
