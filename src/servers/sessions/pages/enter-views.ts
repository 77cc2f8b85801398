// What `/enter/<token>` shows.
import type { InvitedTo } from '../../../people/read-invitation.ts'
import type { LinkPurpose } from '../../../users/links.ts'
import { alert, button, field, form, passkeyForm } from './fields.ts'
import type { PageContent } from './frame.ts'
import { type Html, html } from './html.ts'
import type { FactorFault } from './take-up.ts'

export function goneLinkPage(): PageContent {
  return {
    title: 'This link no longer works',
    status: 404,
    content: html`<p>A link works once, and not for long. If you have used it already, sign in.</p>
<p>Otherwise ask whoever gave it to you for a new one.</p>
<p><a class="button wide" href="/sign-in">To the sign-in</a></p>`,
  }
}

export function signInLinkPage(path: string): PageContent {
  return { title: 'Sign in', content: html`<p>This link signs you in, once.</p>${form(path, button('Sign in'))}` }
}

/** Whoever holds the link chooses what to sign in by. */
export function firstFactorPage(
  path: string,
  {
    link: { purpose, login },
    invited,
  }: { link: { purpose: LinkPurpose; login: string }; invited: InvitedTo | undefined },
  fault?: FactorFault,
): PageContent {
  const isReset = purpose === 'reset'
  const faultAt = (at: FactorFault['field']) => (fault?.field === at ? fault.words : undefined)
  const fields = html`${field({ name: 'login', label: 'E-mail', autocomplete: 'username', value: login, readonly: true })}
${field({
  name: 'password',
  label: 'New password',
  type: 'password',
  autocomplete: 'new-password',
  hint: 'At least 15 characters. Four unrelated words are easy to keep in mind.',
  fault: faultAt('password'),
  focused: fault?.field !== 'again',
})}
${field({
  name: 'again',
  label: 'New password, once more',
  type: 'password',
  autocomplete: 'new-password',
  fault: faultAt('again'),
  focused: fault?.field === 'again',
})}
${button(isReset ? 'Set password' : 'Accept and sign in')}`
  return {
    title: isReset ? 'Choose a new password' : 'Welcome',
    status: fault ? 400 : 200,
    content: html`${fault?.field === 'passkey' && alert(fault.words)}
${invited && !isReset && welcomeTo(invited)}
${isReset && html`<p>Whatever you signed in with before stops working: password, passkeys, authenticator app and recovery codes. Open sessions end.</p>`}
${form(path, fields)}
${invited?.singleSignOn && !isReset && html`<a class="button wide" href="${path}/sso">Use single sign-on instead</a>`}
${passkeyForm(path, 'Use a passkey instead', { options: `${path}/passkey`, ceremony: 'create' })}`,
  }
}

export function providerPage(path: string, { invited }: { invited: InvitedTo }): PageContent {
  return {
    title: 'Welcome',
    content: html`${welcomeTo(invited)}
<p><a class="button primary wide" href="${path}/sso">Use single sign-on</a></p>`,
  }
}

export function acceptPage(
  path: string,
  { session: { login }, invited }: { session: { login: string }; invited: InvitedTo },
): PageContent {
  return {
    title: 'Accept the invitation',
    content: html`${welcomeTo(invited)}
<p>You are signed in as ${login}.</p>
${form(path, button('Accept'))}
<p><a href="/">Not now</a></p>`,
  }
}

export function confirmPage(path: string, { login }: { login: string }, { address }: { address: string }): PageContent {
  return {
    title: 'Confirm your recovery address',
    content: html`<p>When ${login} cannot sign in any more, a link to set a new password is mailed to ${address}.</p>
${form(path, button('Confirm'))}
<p><a href="/account">Not now</a></p>`,
  }
}

export function somebodyElsePage(
  path: string,
  { link, session }: { link: { login: string }; session: { login: string } },
): PageContent {
  return {
    title: 'This link is for somebody else',
    content: html`<p>It is for ${link.login}, and you are signed in as ${session.login}.</p>
${form('/sign-out', button('Sign out, and sign in again'), { to: path })}
<p><a href="/">Go on as ${session.login}</a></p>`,
  }
}

const ROLES = { owner: 'an Owner', admin: 'an Admin' } as const

function welcomeTo({ tenantName, role }: InvitedTo): Html {
  return html`<p>You are invited to <strong>${tenantName}</strong> as ${ROLES[role]}.</p>`
}
