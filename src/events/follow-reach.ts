// Which of the changes of a log somebody hears of who has some of its mailboxes. Pure.
import type { Uuid } from '../lib/uuid.ts'
import type { Change } from './follow-feed.ts'

/**
 * The changes that concern one of these mailboxes, and of the mailboxes that each concerns these alone: who has one does
 * not learn who else received a message.
 */
export function changesWithin(changes: readonly Change[], mailboxes: { has(id: Uuid): boolean }): Change[] {
  return changes.flatMap((change) => {
    const mailboxIds = change.mailboxIds.filter((id) => mailboxes.has(id))
    return mailboxIds.length === 0 ? [] : [{ ...change, mailboxIds }]
  })
}
