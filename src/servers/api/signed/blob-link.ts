// Reads what a signed URL of this service says.
import type { FastifyRequest } from 'fastify'
import type { Static } from 'typebox'
import { type Problem, problem } from '../../../access/problem.ts'
import type { BlobLink, BlobLinks } from '../../../attachments/local-transfers.ts'
import { Type } from '../../../lib/schema-types.ts'
import { Closed } from '../../../lib/schemas.ts'

export const BlobParams = Closed({
  token: Type.String({ description: 'What the URL was made with: opaque, and a secret while it lasts.' }),
})

/** Notes on the request that its URL is one that the service has signed. @throws Problem not_found when it is not */
export function linkIn(request: FastifyRequest, links: BlobLinks, method: BlobLink['method']): BlobLink {
  const link = links.decode((request.params as Static<typeof BlobParams>).token)
  if (link?.method !== method) throw linkNotFound()
  request.isSigned = true
  return link
}

/** For a URL that was never signed, or no longer holds. */
export function linkNotFound(): Problem {
  return problem('not_found', { message: 'This URL is not valid, or no longer: ask for a new one.' })
}
