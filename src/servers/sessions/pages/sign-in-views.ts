// What `/sign-in` shows.
import type { ListedFactors } from '../../../users/list-factors.ts'
import type { SiteName } from '../site.ts'
import { alert, button, field, form, passkeyForm, waitWords } from './fields.ts'
import type { PageContent } from './frame.ts'
import { html } from './html.ts'
import type { FailedStep, TriedBy } from './sign-in-page.ts'

/** What was wrong with what was tried. */
interface Failed {
  by: TriedBy
  step: FailedStep
}

const OPTIONS = '/sign-in/passkey'

export function signInPath(to: string): string {
  return `/sign-in?to=${encodeURIComponent(to)}`
}

interface FirstStep {
  to: string
  login?: string
  siteName: SiteName
}

export function firstStepPage({ to, login = '', siteName }: FirstStep, failed?: Failed): PageContent {
  const { at, words, status } = faultOf(failed)
  const fields = html`${field({
    name: 'login',
    label: 'E-mail',
    autocomplete: 'username',
    value: login,
    fault: at === 'login' ? words : undefined,
    focused: at === 'login' || (at === undefined && login === ''),
  })}
${field({
  name: 'password',
  label: 'Password',
  type: 'password',
  autocomplete: 'current-password',
  fault: at === 'password' ? words : undefined,
  focused: at === 'password',
})}
${button('Sign in')}`
  return {
    title: 'Sign in',
    status,
    content: html`${at === 'passkey' && alert(words)}
${form('/sign-in', fields, { to })}
${passkeyForm('/sign-in', 'Sign in with a passkey', { options: OPTIONS, ceremony: 'get', hidden: { to } })}
${siteName === 'console' && html`<a class="button wide" href="/sign-in/sso?to=${encodeURIComponent(to)}">Single sign-on</a>`}
<p><a href="/forgotten">Forgotten your password?</a></p>`,
  }
}

/** Whoever knows the password proves one thing more: what the user has of it. */
export function secondStepPage(
  { totpAddedAt, recoveryCodes, passkeys }: Pick<ListedFactors, 'totpAddedAt' | 'recoveryCodes' | 'passkeys'>,
  to: string,
  failed?: Failed,
): PageContent {
  const { at, words, status } = faultOf(failed)
  const hasApp = totpAddedAt !== null
  const takesCode = hasApp || recoveryCodes > 0
  const code = html`${field({
    name: 'code',
    label: hasApp ? 'Code' : 'Recovery code',
    autocomplete: 'one-time-code',
    hint: hasApp ? 'The six digits that your authenticator app shows now, or one of your recovery codes.' : undefined,
    fault: at === 'code' ? words : undefined,
    focused: at !== 'passkey',
  })}
${button('Sign in')}`
  return {
    title: 'Second step',
    status,
    content: html`${at === 'passkey' && alert(words)}
${takesCode && form('/sign-in', code, { to })}
${
  passkeys.length > 0 &&
  html`${passkeyForm('/sign-in', 'Use a passkey', { options: OPTIONS, ceremony: 'get', kind: takesCode ? '' : 'primary', hidden: { to } })}
<noscript><p class="alert">Passkeys need JavaScript.</p></noscript>`
}
<form method="post" action="/sign-out"><button type="submit" class="quiet wide">Start over</button></form>`,
  }
}

const WRONG = {
  password: 'E-mail or password is wrong.',
  code: 'That code is wrong, or was used before.',
  passkey: 'That passkey does not sign in here.',
}
const MISSING = { login: 'Type your e-mail address.', password: 'Type your password.', code: 'Type a code.' }

/** Where a fault is shown, in which words, under which status. */
function faultOf(failed: Failed | undefined): {
  at?: 'login' | 'password' | 'code' | 'passkey'
  words: string
  status: number
} {
  if (!failed) return { words: '', status: 200 }
  const { by, step } = failed
  switch (step.outcome) {
    case 'missing':
      return { at: step.field, words: MISSING[step.field], status: 400 }
    case 'wrong':
      return { at: by, words: WRONG[by], status: 401 }
    case 'delayed':
      return { at: by, words: waitWords(step.seconds), status: 429 }
  }
}
