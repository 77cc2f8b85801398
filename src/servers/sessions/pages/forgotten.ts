// `/forgotten`: who helps somebody who cannot sign in. In the webmail it mails a link to the recovery address, and says the same,
// after the same time, whoever is asked for: what depends on that is done once the answer is out.
import type { FastifyReply } from 'fastify'
import { problem } from '../../../access/problem.ts'
import { admitResetRequest, mailReset } from '../../../users/ask-for-reset.ts'
import { originOf } from '../../http/request-origin.ts'
import type { Server } from '../../http/server.ts'
import { button, field, form } from './fields.ts'
import type { SentForm } from './form.ts'
import type { PageContent, Send } from './frame.ts'
import { type Html, html } from './html.ts'
import { OPEN, type PagesDeps } from './page-deps.ts'

/** Requests whose link is still to be made: beyond them nobody's is taken. */
const MOST_WAITING = 100

const ASK_OWNER = html`<p>Ask an Owner of your organization for a link to set a new password. Owners make one on the page People.</p>
<p>Nobody else is an Owner? Whoever runs this service makes the link.</p>`
const ASK_GIVER = html`<p>Ask whoever gave you your mailbox for a link to set a new password.</p>`

export function forgottenRoutes(app: Server, deps: PagesDeps, send: Send): void {
  const { site, mailsLinks } = deps
  const mails = site.name === 'webmail' && mailsLinks
  const help = site.name === 'console' ? ASK_OWNER : ASK_GIVER
  app.get('/forgotten', OPEN, async (_request, reply) => send(reply, mails ? askPage() : page(help)))
  if (mails) mailRoute(app, deps, send)
}

function mailRoute(app: Server, deps: PagesDeps, send: Send): void {
  const waiting = new Set<Promise<void>>()
  let last = Promise.resolve()
  app.addHook('onClose', () => Promise.all(waiting))

  app.post<{ Body: SentForm }>('/forgotten', OPEN, async (request, reply) => {
    const login = request.body.get('login') ?? ''
    if (login.trim() === '') return send(reply, askPage('Type the address that you sign in with.'))
    if (waiting.size >= MOST_WAITING) throw problem('service_unavailable')
    const origin = originOf(request)
    if (await admitResetRequest(deps.database, login, origin)) {
      const onError = (error: unknown) =>
        request.log.error({ err: error }, 'a link that somebody asked for could not be made')
      const mailing = answered(reply).then(async () => {
        // One after the other, so that they take nothing from whoever signs in.
        last = last.then(() => mailReset(deps, login, origin)).catch(onError)
        await last
        waiting.delete(mailing)
      })
      waiting.add(mailing)
    }
    return send(reply, sentPage())
  })
}

/** Resolves when the answer is out, or its client gone. */
function answered({ raw }: FastifyReply): Promise<void> {
  return new Promise((resolve) => raw.once('close', resolve))
}

function askPage(fault?: string): PageContent {
  const login = field({
    name: 'login',
    label: 'E-mail',
    autocomplete: 'username',
    hint: 'The address that you sign in with. The link goes to your recovery address.',
    fault,
    focused: true,
  })
  return page(
    html`${form('/forgotten', html`${login}\n${button('Mail me a link')}`)}
<p>You have no recovery address? Ask whoever gave you your mailbox for a link.</p>`,
    fault === undefined ? 200 : 400,
  )
}

function sentPage(): PageContent {
  return page(html`<p role="status">If somebody signs in with this address and has confirmed a recovery address, a link to set a new password is on its way there. It works once, for 30 minutes.</p>
<p>Three links are mailed in an hour at most. Does none arrive? Ask whoever gave you your mailbox.</p>`)
}

function page(help: Html, status = 200): PageContent {
  return {
    title: 'Forgotten your password?',
    status,
    content: html`${help}
<p>Do you have a passkey? It signs you in without the password.</p>
<p><a href="/sign-in">Back to the sign-in</a></p>`,
  }
}
