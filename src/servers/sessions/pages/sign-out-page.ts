// `/sign-out`: here, or everywhere.
import { endOwnSessions, signOut } from '../../../users/end-own-sessions.ts'
import { originOf } from '../../http/request-origin.ts'
import type { Server } from '../../http/server.ts'
import { sessionOf } from '../session-door.ts'
import { keepSession } from '../site.ts'
import { goTo } from './come-in.ts'
import { button, form } from './fields.ts'
import type { SentForm } from './form.ts'
import type { Send } from './frame.ts'
import { html } from './html.ts'
import { ownPath } from './own-path.ts'
import { OPEN, type PagesDeps } from './page-deps.ts'
import { signInPath } from './sign-in-views.ts'

export function signOutRoutes(app: Server, deps: PagesDeps, send: Send): void {
  const { database, site } = deps

  app.get('/sign-out', OPEN, async (request, reply) => {
    const session = await sessionOf(request, deps)
    if (!session) return goTo(reply, '/sign-in')
    return send(reply, {
      title: 'Sign out',
      content: html`<p>You are signed in as ${session.login}.</p>
${form('/sign-out', button('Sign out'))}
${session.whole && form('/sign-out', button('Sign out everywhere', ''), { everywhere: 'yes' })}
<p><a href="/">Back</a></p>`,
    })
  })

  app.post<{ Body: SentForm }>('/sign-out', OPEN, async (request, reply) => {
    const session = await sessionOf(request, deps)
    const isEverywhere = session?.whole && request.body.has('everywhere')
    if (isEverywhere) await endOwnSessions(database, session, 'all', originOf(request))
    else if (session) await signOut(database, session, originOf(request))
    keepSession(reply, site, null)
    return goTo(reply, signInPath(ownPath(request.body.get('to'))))
  })
}
