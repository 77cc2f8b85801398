// `/enter/<token>`: whoever has a link comes in by it. Mail is looked at by programs that follow links, so that only a form
// uses an invitation or a reset up. A link of the operator's signs in by itself, when a browser shows it.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { absent } from '../../../access/problem.ts'
import { acceptInvitation } from '../../../people/accept-invitation.ts'
import { joinTenant } from '../../../people/join-tenant.ts'
import { readInvitation } from '../../../people/read-invitation.ts'
import { confirmRecoveryAddress } from '../../../users/confirm-recovery-address.ts'
import { findLink } from '../../../users/links.ts'
import { findRecoveryAddress } from '../../../users/recovery-address.ts'
import { type FoundSession, renewSession } from '../../../users/sessions.ts'
import { signInByLink } from '../../../users/sign-in-by-link.ts'
import { offerFirstPasskey } from '../../../users/take-up-link-by-passkey.ts'
import { originOf } from '../../http/request-origin.ts'
import type { Server } from '../../http/server.ts'
import { sessionOf } from '../session-door.ts'
import { comeIn, goTo, isLookingAhead } from './come-in.ts'
import {
  acceptPage,
  confirmPage,
  firstFactorPage,
  goneLinkPage,
  providerPage,
  signInLinkPage,
  somebodyElsePage,
} from './enter-views.ts'
import type { SentForm } from './form.ts'
import type { Send } from './frame.ts'
import { ownPath } from './own-path.ts'
import { OPEN, type PagesDeps } from './page-deps.ts'
import { signInPath } from './sign-in-views.ts'
import { tryToTakeUp } from './take-up.ts'
import { type WayIn, wayIn } from './way-in.ts'

interface Enter {
  Params: { token: string }
  /** Where a link that signs in leads to; whoever has come in by it before is led there all the same. */
  Querystring: { to?: unknown }
}
type EnterRequest = FastifyRequest<Enter>
interface Visit {
  way: WayIn
  session: FoundSession | undefined
}

export function enterRoutes(app: Server, deps: PagesDeps, send: Send): void {
  const { database, site } = deps

  app.get<Enter>('/enter/:token', OPEN, async (request, reply) => {
    const visit = await look(deps, request)
    if (visit.way.kind === 'link' && !isLookingAhead(request)) return byLink(request, reply, visit)
    return show(request, reply, visit.way)
  })

  app.get<Enter>('/enter/:token/passkey', OPEN, async ({ params: { token } }) => {
    const offer = await offerFirstPasskey(deps, site.kind, token)
    if (!offer) throw absent('link')
    return offer
  })

  app.post<Enter & { Body: SentForm }>('/enter/:token', OPEN, async (request, reply) => {
    const visit = await look(deps, request)
    const { way, session } = visit
    if (way.kind === 'link') return byLink(request, reply, visit)
    if (way.kind === 'accept') return accept(request, reply, way.session)
    if (way.kind === 'confirm') return confirm(request, reply, way.session)
    if (way.kind !== 'first_factor') return show(request, reply, way)
    const taken = await tryToTakeUp(deps, request.params.token, request.body, originOf(request))
    if (!taken) return send(reply, goneLinkPage())
    if ('fault' in taken) return send(reply, firstFactorPage(pathOf(request), way, taken.fault))
    return comeIn(deps, request, reply, { session: taken.session, former: session, to: '/' })
  })

  async function byLink(request: EnterRequest, reply: FastifyReply, { session: former }: Visit): Promise<FastifyReply> {
    const { token } = request.params
    const session = await signInByLink({ database, join: joinTenant }, site.kind, token, originOf(request))
    return session ? comeIn(deps, request, reply, { session, former, to: toOf(request) }) : gone(request, reply)
  }

  async function gone(request: EnterRequest, reply: FastifyReply): Promise<FastifyReply> {
    const isIn = request.query.to !== undefined && (await sessionOf(request, deps))?.whole
    return isIn ? goTo(reply, toOf(request)) : send(reply, goneLinkPage())
  }

  async function accept(request: EnterRequest, reply: FastifyReply, session: FoundSession): Promise<FastifyReply> {
    const inTenantId = await acceptInvitation(database, session, request.params.token, originOf(request))
    if (!inTenantId) return send(reply, goneLinkPage())
    const facts = { whole: true, proven: false, inTenantId }
    const renewed = await database.transaction((tx) => renewSession(tx, session, facts))
    return renewed ? comeIn(deps, request, reply, { session: renewed, to: '/' }) : goTo(reply, '/')
  }

  async function confirm(request: EnterRequest, reply: FastifyReply, session: FoundSession): Promise<FastifyReply> {
    const confirmed = await confirmRecoveryAddress(database, session, request.params.token, originOf(request))
    return confirmed ? goTo(reply, '/account') : send(reply, goneLinkPage())
  }

  async function show(request: EnterRequest, reply: FastifyReply, way: WayIn): Promise<FastifyReply> {
    const path = pathOf(request)
    switch (way.kind) {
      case 'gone':
        return gone(request, reply)
      case 'link':
        return send(reply, signInLinkPage(`${path}?to=${encodeURIComponent(toOf(request))}`))
      case 'first_factor':
        return send(reply, firstFactorPage(path, way))
      case 'provider':
        return send(reply, providerPage(path, way))
      case 'accept':
        return send(reply, acceptPage(path, way))
      case 'somebody_else':
        return send(reply, somebodyElsePage(path, way))
      case 'confirm': {
        const recovery = await findRecoveryAddress(database, way.session)
        return send(reply, recovery ? confirmPage(path, way.session, recovery) : goneLinkPage())
      }
      case 'sign_in':
        return goTo(reply, signInPath(path))
      case 'done':
        return goTo(reply, '/')
    }
  }
}

async function look(deps: PagesDeps, request: EnterRequest): Promise<Visit> {
  const { database, site } = deps
  const link = await findLink(database, site.kind, request.params.token)
  const invited = link && (await readInvitation(database, link))
  const session = link && (await sessionOf(request, deps))
  return { way: wayIn(link, invited, session), session }
}

const toOf = ({ query }: EnterRequest) => ownPath(query.to)

function pathOf({ params }: EnterRequest): string {
  return `/enter/${encodeURIComponent(params.token)}`
}
