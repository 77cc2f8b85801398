// Reads what a signed URL of this service says.
import type { FastifyRequest } from 'fastify'
import { problem } from '../../../access/problem.ts'
import type { BlobLink, BlobLinks } from '../../../attachments/local-transfers.ts'

/** Notes on the request that its URL is one that the service has signed. @throws Problem not_found when it is not */
export function linkIn(request: FastifyRequest, links: BlobLinks, method: BlobLink['method']): BlobLink {
  const link = links.decode((request.params as { token: string }).token)
  if (link?.method !== method) throw problem('not_found')
  request.isSigned = true
  return link
}
