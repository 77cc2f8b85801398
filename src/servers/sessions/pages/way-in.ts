// What a link is good for, given who has followed it. Pure.
import type { InvitedTo } from '../../../people/read-invitation.ts'
import type { FoundLink } from '../../../users/links.ts'
import type { FoundSession } from '../../../users/sessions.ts'
import { isEnough } from '../../../users/take-up-link.ts'

export type WayIn =
  /** No good, or no longer. */
  | { kind: 'gone' }
  /** The operator's: it signs in. */
  | { kind: 'link' }
  /** Its holder chooses a password or a passkey. */
  | { kind: 'first_factor'; link: FoundLink; invited: InvitedTo | undefined }
  /** An invitation of somebody whom another tenant's provider lets in, and nothing else: this tenant's lets them in here. */
  | { kind: 'provider'; invited: InvitedTo }
  /** An invitation of somebody who can sign in already: not done, done by somebody else, done. */
  | { kind: 'sign_in' }
  | { kind: 'somebody_else'; link: FoundLink; session: FoundSession }
  | { kind: 'accept'; session: FoundSession; invited: InvitedTo }
  /** To confirm a recovery address by. */
  | { kind: 'confirm'; session: FoundSession }
  /** Nothing is left to accept. */
  | { kind: 'done' }

/** `invited`: what an invitation of a person is to; undefined when it was taken back. */
export function wayIn(
  link: FoundLink | undefined,
  invited: InvitedTo | undefined,
  session: FoundSession | undefined,
): WayIn {
  if (!link) return { kind: 'gone' }
  if (link.purpose === 'sign_in') return { kind: 'link' }
  const isToTenant = link.purpose === 'invitation' && link.kind === 'person'
  if (isToTenant && !invited) return { kind: 'gone' }
  if (isEnough(link)) return { kind: 'first_factor', link, invited }
  if (session?.whole && session.userId !== link.userId) return { kind: 'somebody_else', link, session }
  if (isToTenant && invited?.singleSignOn && !link.hasOwnFactor) return { kind: 'provider', invited }
  if (!session?.whole) return { kind: 'sign_in' }
  if (link.purpose === 'recovery_address') return { kind: 'confirm', session }
  // Who was given another mailbox has it already.
  return isToTenant && invited ? { kind: 'accept', session, invited } : { kind: 'done' }
}
