// The images of messages, for the frame in which HTML is shown: it has no origin and no cookie, and names an image by a link that was
// made for a session. Whether that still stands, and what its user may see, is looked at each time.
import { once } from 'node:events'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { MailboxUser } from '../../access/actor.ts'
import { absent, problem } from '../../access/problem.ts'
import { knownImage } from '../../lib/known-image.ts'
import type { ObjectStore } from '../../lib/object-store.ts'
import type { PublicFetch } from '../../lib/public-fetch.ts'
import type { LimitKind, RateLimiter } from '../../lib/rate-limiter/rate-limiter.ts'
import type { Database } from '../../lib/sql.ts'
import { isUuid } from '../../lib/uuid.ts'
import { mailboxUserOf } from '../../mailboxes/mailbox-user-of.ts'
import { fetchRemoteImage } from '../../messages/own/fetch-remote-image.ts'
import { IMAGE_PLACES, type ImageKind, type ImageLink, type ImageLinks } from '../../messages/own/image-links.ts'
import { openOwnAttachment } from '../../messages/own/open-own-attachment.ts'
import { requireRemoteImages } from '../../messages/own/require-remote-images.ts'
import { standingSessions } from '../../users/sessions.ts'
import { originOf } from '../http/request-origin.ts'
import type { Server } from '../http/server.ts'
import { createImageTurns } from './image-turns.ts'

export interface ImageRoutesDeps {
  database: Database
  store: ObjectStore
  imageLinks: ImageLinks
  imageFetch: Pick<PublicFetch, 'get'>
  limiter: RateLimiter
}

/** specification.md#images-of-messages */
const MOST_REMOTE_PER_MINUTE = 50
const MOST_INLINE_PER_MINUTE = 1_200
const MINUTE_MS = 60_000
/** A reader who takes longer is not waited for. */
const READ_WITHIN_MS = 60_000

const HEADERS = {
  'cache-control': 'private, no-store',
  'content-security-policy': "sandbox; default-src 'none'",
  // To a page without an origin, ours is another.
  'cross-origin-resource-policy': 'cross-origin',
}

const NOT_TO_BE_HAD = 'There is no image here, or none that is shown.'

export function imageRoutes(app: Server, deps: ImageRoutesDeps): void {
  const { database, store, imageFetch } = deps
  const inTurn = createImageTurns()
  // What waits would be fetched for nobody.
  const route = { config: { auth: 'open' }, exposeHeadRoute: false } as const

  app.get(`${IMAGE_PLACES.inline}*`, route, async (request, reply) => {
    const { actor, link } = await viewerOf(deps, request, 'inline')
    await admit(deps.limiter, 'session', link.sessionId, MOST_INLINE_PER_MINUTE)
    if (!isUuid(link.image)) throw absent('image')
    const file = await openOwnAttachment(database, store, actor, link.messageId, link.image)
    const image = await knownImage(await file.open())
    if (!image) throw problem('not_found', { message: NOT_TO_BE_HAD })
    reply.headers({ ...HEADERS, 'content-type': image.mediaType, 'content-length': file.sizeBytes })
    return reply.send(image.bytes)
  })

  app.get(`${IMAGE_PLACES.remote}*`, route, async (request, reply) => {
    const { actor, link } = await viewerOf(deps, request, 'remote')
    await requireRemoteImages(database, actor, link.messageId)
    await admit(deps.limiter, 'image', actor.mailboxUserId, MOST_REMOTE_PER_MINUTE)
    return inTurn(actor.mailboxUserId, async (isRead) => {
      // Gone while it waited.
      if (reply.raw.destroyed) return reply
      const image = await fetchRemoteImage(imageFetch, link.image)
      if (!image) throw problem('not_found', { message: NOT_TO_BE_HAD })
      reply.headers({ ...HEADERS, 'content-type': image.mediaType })
      reply.send(image.bytes)
      isRead(() => reply.raw.destroy())
      await readBy(reply)
      return reply
    })
  })
}

/** Whoever the link was made for, as long as the session stands. @throws Problem not_found */
async function viewerOf(
  { database, imageLinks }: ImageRoutesDeps,
  request: FastifyRequest,
  kind: ImageKind,
): Promise<{ actor: MailboxUser; link: ImageLink }> {
  const link = imageLinks.read(kind, (request.params as { '*': string })['*'])
  const [session] = link ? await standingSessions(database, 'mailbox_user', [link.sessionId]) : []
  if (!link || !session?.whole) throw absent('image')
  request.caller = { tenantId: session.tenantId, userId: session.userId }
  return { actor: await mailboxUserOf(database, session, originOf(request)), link }
}

/** @throws Problem rate_limited */
async function admit(limiter: RateLimiter, kind: LimitKind, subject: string, most: number): Promise<void> {
  const { refused, resetSeconds } = await limiter.take({ kind, subject, most, windowMs: MINUTE_MS })
  if (refused) throw problem('rate_limited', { details: { limit: kind }, retryAfterSeconds: resetSeconds })
}

/** Resolves when its reader has all of an answer, or has gone, or has taken too long. */
async function readBy({ raw }: FastifyReply): Promise<void> {
  if (raw.writableFinished || raw.destroyed) return
  const timer = setTimeout(() => raw.destroy(), READ_WITHIN_MS)
  await once(raw, 'close').finally(() => clearTimeout(timer))
}
