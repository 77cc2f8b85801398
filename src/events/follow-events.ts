// Follows the events of whoever may read them. Of what a mailbox user hears, `changesWithin` leaves what concerns the
// mailboxes that the user has by then.
import type { MailboxUser, TenantActor } from '../access/actor.ts'
import { assertMay } from '../access/permissions.ts'
import type { FeedFollower, Follower } from './follow-feed.ts'

/** As `FeedFollower.follow` does. @throws Problem insufficient_scope, not_allowed */
export async function followEvents(
  feed: FeedFollower,
  actor: TenantActor | MailboxUser,
  cursor: string | undefined,
  follower: Follower,
): Promise<() => void> {
  assertMay(actor, 'readEvents')
  return feed.follow(actor, cursor, follower)
}
