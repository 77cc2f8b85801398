// A file that a data operation answers with: a browser keeps it and makes nothing else of it.
import type { Readable } from 'node:stream'
import contentDisposition from 'content-disposition'
import type { FastifyReply } from 'fastify'

/** What a data operation declares as its answer that is one. */
export const FILE = 'file'

export interface SentFile {
  filename: string
  mediaType: string
  /** Absent: nobody knows before its end. */
  sizeBytes?: number
  bytes: Readable
}

export function sendFile(reply: FastifyReply, { filename, mediaType, sizeBytes, bytes }: SentFile): FastifyReply {
  return reply
    .headers({
      'content-type': mediaType,
      ...(sizeBytes === undefined ? {} : { 'content-length': sizeBytes }),
      'content-disposition': contentDisposition(filename),
      'content-security-policy': "sandbox; default-src 'none'",
    })
    .send(bytes)
}
