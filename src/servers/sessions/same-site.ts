// Lets a site's own pages change things, and nobody else's: a cookie is sent whoever has the browser send it.
import type { FastifyRequest } from 'fastify'
import { problem } from '../../access/problem.ts'
import type { Site } from './site.ts'

const SAFE = new Set(['GET', 'HEAD', 'OPTIONS'])
/** As the browser says it of its own pages, and of its user, who typed an address (Fetch Metadata 2.4). */
const OURS = new Set(['same-origin', 'none'])

/**
 * Of unsafe requests, and of data: the browser says that they come from a page of this origin. SameSite cookies are not
 * enough, as other ports and hosts of a site are the same site. An old browser, and one over plain http, says it by the
 * Origin alone.
 * @throws Problem cross_site_refused
 */
export function refuseCrossSite(
  request: Pick<FastifyRequest, 'method' | 'headers' | 'routeOptions' | 'protocol'>,
  site: Site,
): void {
  const { 'sec-fetch-site': from, origin, host } = request.headers
  const isSafe = SAFE.has(request.method)
  if (isSafe && (from === undefined || request.routeOptions.config.auth !== 'session')) return
  const isOurs =
    typeof from === 'string'
      ? OURS.has(from)
      : origin !== undefined &&
        (site.isConfigured ? origin === site.origin() : origin === `${request.protocol}://${host}`)
  if (!isOurs) throw problem('cross_site_refused')
}
