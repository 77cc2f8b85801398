// `/sign-in/sso/<tenant>`: to the tenant's OpenID provider, and back. What a provider says is never shown: pages say what is
// so in words of ours.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { SecretBox } from '../../lib/secret-box.ts'
import type { Database } from '../../lib/sql.ts'
import { isUuid, type Uuid } from '../../lib/uuid.ts'
import { beginRound, linkTo, proveAgain } from '../../people/single-sign-on/begin-round.ts'
import { type Finished, finishRound } from '../../people/single-sign-on/finish-round.ts'
import type { Providers } from '../../people/single-sign-on/provider.ts'
import type { RoundPurpose } from '../../people/single-sign-on/round.ts'
import { findLink } from '../../users/links.ts'
import type { FoundSession } from '../../users/sessions.ts'
import { originOf } from '../http/request-origin.ts'
import type { Server } from '../http/server.ts'
import { goTo } from '../sessions/pages/come-in.ts'
import type { SentForm } from '../sessions/pages/form.ts'
import { onwardPage, type Send } from '../sessions/pages/frame.ts'
import { ownPath } from '../sessions/pages/own-path.ts'
import { OPEN } from '../sessions/pages/page-deps.ts'
import { sessionOf } from '../sessions/session-door.ts'
import { keepSession, type Site } from '../sessions/site.ts'
import { keepLastTenant, keepRound, readLastTenant, readRoundCookie } from './round-cookie.ts'
import { absentPage, failedRoundPage, whichTenantPage } from './single-sign-on-views.ts'

export interface SingleSignOnDeps {
  database: Database
  site: Site
  box: SecretBox
  providers: Providers
}

interface OfTenant {
  Params: { tenantId: string }
}

export function singleSignOnPages(app: Server, deps: SingleSignOnDeps, send: Send): void {
  const { database, site } = deps

  app.get<{ Querystring: { to?: unknown } }>('/sign-in/sso', OPEN, async (request, reply) => {
    const last = readLastTenant(request, site)
    if (last === undefined || !isUuid(last)) return send(reply, whichTenantPage(site.origin()))
    return goTo(reply, `/sign-in/sso/${last}?to=${encodeURIComponent(ownPath(request.query.to))}`)
  })

  app.get<OfTenant & { Querystring: { to?: unknown } }>('/sign-in/sso/:tenantId', OPEN, async (request, reply) => {
    const tenantId = tenantOf(request)
    const to = ownPath(request.query.to)
    const session = await sessionOf(request, deps)
    if (session?.whole && session.inTenantId === tenantId) return goTo(reply, to)
    return begin(request, reply, tenantId, { purpose: { kind: 'sign_in' }, to })
  })

  // By a form of ours: no other site links an account of its own, or sends anybody to prove anything.
  app.post<OfTenant & { Body: SentForm }>('/sign-in/sso/:tenantId', OPEN, async (request, reply) => {
    const tenantId = tenantOf(request)
    const to = ownPath(request.body.get('to'))
    const session = await sessionOf(request, deps)
    const purpose = session && session.inTenantId === tenantId ? purposeOf(request.body, session) : undefined
    return purpose ? begin(request, reply, tenantId, { purpose, to }) : goTo(reply, to)
  })

  app.get<{ Params: { token: string } }>('/enter/:token/sso', OPEN, async (request, reply) => {
    const { token } = request.params
    const link = await findLink(database, 'person', token)
    if (link?.purpose !== 'invitation' || !link.forTenantId)
      return send(reply, failedRoundPage('no_invitation', request.id))
    return begin(request, reply, link.forTenantId, { purpose: { kind: 'invitation', token }, to: '/' })
  })

  app.get<OfTenant>('/sign-in/sso/:tenantId/callback', OPEN, async (request, reply) => {
    const tenantId = tenantOf(request)
    const cookie = readRoundCookie(request, site)
    keepRound(reply, site, null)
    const answer = { cookie: cookie ?? '', query: new URL(request.url, site.origin()).search }
    const finished = tenantId
      ? await finishRound({ ...deps, consoleUrl: site.origin() }, tenantId, answer, originOf(request))
      : ({ outcome: 'stale' } as const)
    switch (finished.outcome) {
      case 'signed_in':
        keepSession(reply, site, finished.session)
        keepLastTenant(reply, site, finished.tenantId)
        return send(reply, onwardPage(ownPath(finished.to)))
      case 'linked':
        return send(reply, onwardPage(ownPath(finished.to)))
    }
    tell(request, tenantId, finished)
    return send(reply, failedRoundPage(finished.outcome, request.id))
  })

  async function begin(
    request: FastifyRequest,
    reply: FastifyReply,
    tenantId: Uuid | undefined,
    about: { purpose: RoundPurpose; to: string },
  ): Promise<FastifyReply> {
    const begun = tenantId
      ? await beginRound({ ...deps, consoleUrl: site.origin() }, tenantId, about)
      : ({ outcome: 'absent' } as const)
    switch (begun.outcome) {
      case 'begun':
        keepRound(reply, site, begun.cookie)
        // A form may lead to pages of ours alone (form-action), and this page to the provider.
        return request.method === 'POST' ? send(reply, onwardPage(begun.url)) : goTo(reply, begun.url)
      case 'unavailable':
        tell(request, tenantId, begun)
        return send(reply, failedRoundPage('unavailable', request.id))
      case 'absent':
        return send(reply, absentPage())
    }
  }
}

/** Undefined for what is no id: there is nothing of it, as of one that is unknown. */
function tenantOf({ params: { tenantId } }: FastifyRequest<OfTenant>): Uuid | undefined {
  return isUuid(tenantId) ? tenantId.toLowerCase() : undefined
}

/** @throws Problem not_signed_in, sign_in_again, not_allowed */
function purposeOf(form: SentForm, session: FoundSession): RoundPurpose | undefined {
  return form.get('purpose') === 'link' ? linkTo(session) : proveAgain(session)
}

/** The operator is told what an Owner needs to hear. */
function tell(
  request: FastifyRequest,
  tenantId: Uuid | undefined,
  found: Finished | { outcome: 'unavailable'; detail: string },
) {
  const detail = 'detail' in found ? found.detail : undefined
  request.log.warn({ tenantId, outcome: found.outcome, detail }, 'single sign-on let nobody in')
}
