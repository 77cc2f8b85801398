// Which of the messages that logs have brought are in mailboxes that somebody reads, and as many of the events as leave their texts
// within what is read at once.
import type { Tx } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'
import { FIRST_EVENTS } from './make-searchable.ts'
import type { FollowedEvent } from './read-followed-events.ts'
import { findReadMail, type HadMail, MOST_OCTETS_READ, weighAddresses } from './read-mail.ts'

/** The events of each log from its first on, one of each in any case, and what they bring. */
export async function takeMail(
  tx: Tx,
  events: readonly FollowedEvent[],
): Promise<{ events: readonly FollowedEvent[]; mail: HadMail[] }> {
  const first = events.filter(({ type }) => FIRST_EVENTS.includes(type))
  if (first.length === 0) return { events, mail: [] }
  const messages = first.map(({ tenantId, resourceId }) => ({ tenantId, messageId: resourceId }))
  // Those are searched that nobody reads here too: their texts are not, but their addresses.
  const [found, octetsOf] = await Promise.all([findReadMail(tx, messages), weighAddresses(tx, messages)])
  if (found.length === 0 && octetsOf.size === 0) return { events, mail: [] }
  for (const { messageId, octets } of new Map(found.map((one) => [one.messageId, one])).values()) {
    octetsOf.set(messageId, (octetsOf.get(messageId) ?? 0) + octets)
  }
  const taken = cutLogs(events, octetsOf)
  const ids = new Set(taken.map(({ resourceId }) => resourceId))
  return { events: taken, mail: found.filter(({ messageId }) => ids.has(messageId)) }
}

/** Each log has its share of what is read. */
function cutLogs(events: readonly FollowedEvent[], octetsOf: ReadonlyMap<Uuid, number>): FollowedEvent[] {
  const logs = [...Map.groupBy(events, ({ environmentId, build }) => `${environmentId} ${build}`).values()]
  const share = MOST_OCTETS_READ / logs.length
  return logs.flatMap((log) => {
    let octets = 0
    const end = log.findIndex((event, i) => {
      octets += FIRST_EVENTS.includes(event.type) ? (octetsOf.get(event.resourceId) ?? 0) : 0
      return i > 0 && octets > share
    })
    return end < 0 ? log : log.slice(0, end)
  })
}
