// What single sign-on shows of itself.
import type { Finished } from '../../people/single-sign-on/finish-round.ts'
import type { PageContent } from '../sessions/pages/frame.ts'
import { html } from '../sessions/pages/html.ts'

type Failed = Exclude<Finished['outcome'], 'signed_in' | 'linked'>

const WORDS: Record<Failed, { title: string; words: string; status: number }> = {
  stale: {
    title: 'Begin again',
    words: 'This sign-in was not begun in this browser, or longer than ten minutes ago, or it is over.',
    status: 400,
  },
  declined: {
    title: 'You are not signed in',
    words: "Your organization's sign-in did not let you in.",
    status: 401,
  },
  unavailable: {
    title: "Your organization's sign-in does not answer",
    words: 'Try again in a minute. If it goes on, ask an Owner to look at the settings of single sign-on.',
    status: 503,
  },
  refused: {
    title: 'You are not signed in',
    words:
      "What came back from your organization's sign-in proves nothing. Ask an Owner to look at the settings of single sign-on.",
    status: 401,
  },
  unknown: {
    title: 'You have no access yet',
    words:
      'Nobody here is linked to the account that you signed in with. Ask an Owner for an invitation. If you have a password or a passkey here, sign in with it, and link single sign-on on your account page.',
    status: 403,
  },
  no_invitation: {
    title: 'This invitation is no good here',
    words:
      'It was used, taken back or is too old; or you can sign in already: then sign in with your password or passkey, and open the link again.',
    status: 403,
  },
  somebody_else: {
    title: 'This account is linked to somebody else',
    words: 'The account that you signed in with belongs to another person here. Sign in with your own.',
    status: 403,
  },
}

/** `requestId` is found in the log. */
export function failedRoundPage(outcome: Failed, requestId: string): PageContent {
  const { title, words, status } = WORDS[outcome]
  return {
    title,
    status,
    content: html`<p>${words}</p>
<p><a class="button wide" href="/sign-in">To the sign-in</a></p>
<p><small>Request ${requestId}</small></p>`,
  }
}

/** The same for every link that leads nowhere. */
export function absentPage(): PageContent {
  return {
    title: 'There is no single sign-on here',
    status: 404,
    content: html`<p>The link is not whole, or the organization does not use single sign-on.</p>
<p><a class="button wide" href="/sign-in">To the sign-in</a></p>`,
  }
}

/** No address is asked for: which organization it belongs to would be told to anybody. */
export function whichTenantPage(consoleUrl: string): PageContent {
  return {
    title: 'Single sign-on',
    content: html`<p>Open the link of your organization: it looks like <code>${consoleUrl}/sign-in/sso/…</code>. An Owner finds it on the page People.</p>
<p>Once you have signed in that way, this browser goes there by itself.</p>
<p><a class="button wide" href="/sign-in">To the sign-in</a></p>`,
  }
}
