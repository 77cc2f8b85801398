// `/sign-in`: an address and a password, then a code or a passkey; or a passkey alone. `to` says where that leads to.
import type { RequestOrigin } from '../../../access/request-origin.ts'
import { listFactors } from '../../../users/list-factors.ts'
import { proveCode } from '../../../users/prove-code.ts'
import type { FoundSession, NewSession } from '../../../users/sessions.ts'
import { signIn } from '../../../users/sign-in.ts'
import { askForPasskey, signInByPasskey } from '../../../users/sign-in-by-passkey.ts'
import { originOf } from '../../http/request-origin.ts'
import type { Server } from '../../http/server.ts'
import { sessionOf } from '../session-door.ts'
import { comeIn, goTo, isFromElsewhere } from './come-in.ts'
import type { SentForm } from './form.ts'
import { onwardPage, type Send } from './frame.ts'
import { ownPath } from './own-path.ts'
import { OPEN, type PagesDeps } from './page-deps.ts'
import { readPasskeyAnswer } from './passkey-answer.ts'
import { firstStepPage, secondStepPage, signInPath } from './sign-in-views.ts'

export function signInRoutes(app: Server, deps: PagesDeps, send: Send): void {
  const { database, site } = deps

  app.get<{ Querystring: { to?: unknown } }>('/sign-in', OPEN, async (request, reply) => {
    const to = ownPath(request.query.to)
    const session = await sessionOf(request, deps)
    if (session?.whole) return goTo(reply, to)
    if (session) return send(reply, secondStepPage(await listFactors(database, session), to))
    return send(
      reply,
      isFromElsewhere(request) ? onwardPage(`${signInPath(to)}&again=`) : firstStepPage({ to, siteName: site.name }),
    )
  })

  app.get('/sign-in/passkey', OPEN, async () => askForPasskey(deps, site.kind))

  app.post<{ Body: SentForm }>('/sign-in', OPEN, async (request, reply) => {
    const given = request.body
    const to = ownPath(given.get('to'))
    const session = await sessionOf(request, deps)
    const half = session?.whole === false ? session : undefined
    const step = await tryStep(deps, half, given, originOf(request))
    switch (step.outcome) {
      case 'signed_in':
        return comeIn(deps, request, reply, { session: step.session, former: session, to })
      case 'proven':
        return comeIn(deps, request, reply, { session: step.session, to })
      case 'second_factor':
        return comeIn(deps, request, reply, { session: step.session, former: session, to: signInPath(to) })
      case 'over':
        return goTo(reply, signInPath(to))
    }
    const failed = { by: triedBy(given), step }
    if (step.outcome === 'delayed') reply.header('retry-after', step.seconds)
    const page = half
      ? secondStepPage(await listFactors(database, half), to, failed)
      : firstStepPage({ to, login: given.get('login') ?? '', siteName: site.name }, failed)
    return send(reply, page)
  })
}

/** What was tried: by it a fault is told. */
export type TriedBy = 'password' | 'code' | 'passkey'

type Step =
  /** A session of its own, or the one that asked for a second factor, under a new pair. */
  | { outcome: 'signed_in' | 'second_factor' | 'proven'; session: NewSession }
  /** What asked for a code has ended, or has got one meanwhile. */
  | { outcome: 'over' }
  | FailedStep

export type FailedStep =
  | { outcome: 'wrong' }
  | { outcome: 'delayed'; seconds: number }
  | { outcome: 'missing'; field: 'login' | 'password' | 'code' }

function triedBy(given: SentForm): TriedBy {
  if (given.has('passkey')) return 'passkey'
  return given.has('code') ? 'code' : 'password'
}

/** @throws Problem service_unavailable when too many sign in at once */
function tryStep(
  deps: PagesDeps,
  half: FoundSession | undefined,
  given: SentForm,
  origin: RequestOrigin,
): Promise<Step> | Step {
  const text = (name: string) => given.get(name) ?? ''
  switch (triedBy(given)) {
    case 'passkey':
      return byPasskey(deps, half, text('passkey'), origin)
    case 'code':
      if (!half) return { outcome: 'over' }
      return text('code').trim() === ''
        ? { outcome: 'missing', field: 'code' }
        : proveCode(deps, half, text('code'), origin)
    case 'password': {
      const request = { login: text('login'), password: text('password') }
      if (request.login.trim() === '') return { outcome: 'missing', field: 'login' }
      if (request.password === '') return { outcome: 'missing', field: 'password' }
      return signIn(deps, deps.site.kind, request, origin)
    }
  }
}

async function byPasskey(
  deps: PagesDeps,
  half: FoundSession | undefined,
  text: string,
  origin: RequestOrigin,
): Promise<Step> {
  const response = readPasskeyAnswer(text)
  if (!response) return { outcome: 'wrong' }
  const request = { response, session: half }
  const tried = await signInByPasskey(deps, deps.site.kind, request, origin)
  return tried.outcome === 'signed_in' && half ? { ...tried, outcome: 'proven' } : tried
}
