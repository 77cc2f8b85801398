// `/forgotten`: who helps somebody who cannot sign in. It asks for nothing, so that it tells nobody who has an account.
import type { Server } from '../../http/server.ts'
import type { SiteName } from '../site.ts'
import type { Send } from './frame.ts'
import { type Html, html } from './html.ts'
import { OPEN, type PagesDeps } from './page-deps.ts'

const HELP: Record<SiteName, Html> = {
  console: html`<p>Ask an Owner of your organization for a link to set a new password. Owners make one on the page People.</p>
<p>Nobody else is an Owner? Whoever runs this service makes the link.</p>`,
  webmail: html`<p>Ask whoever gave you your mailbox for a link to set a new password.</p>`,
}

export function forgottenRoutes(app: Server, { site }: PagesDeps, send: Send): void {
  app.get('/forgotten', OPEN, async (_request, reply) =>
    send(reply, {
      title: 'Forgotten your password?',
      content: html`${HELP[site.name]}
<p>Do you have a passkey? It signs you in without the password.</p>
<p><a href="/sign-in">Back to the sign-in</a></p>`,
    }),
  )
}
