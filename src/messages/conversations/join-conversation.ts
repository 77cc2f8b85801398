// Puts a received message, or an answer that was written here, into the conversation that it belongs to. Knows nothing of how it came.
import { sql, type Tx } from '../../lib/sql.ts'
import type { Uuid } from '../../lib/uuid.ts'
import { digestOfId, mentionedIds, sentIdIn } from './mentioned-ids.ts'

/** How many messages a conversation has at most: behind them another begins. specification.md#conversations */
export const MOST_IN_CONVERSATION = 500

/** For the transaction that has just written it. */
export async function joinConversation(
  tx: Tx,
  message: { tenantId: Uuid; id: Uuid; messageId: string | null; inReplyTo: string | null; references: string[] },
  most = MOST_IN_CONVERSATION,
): Promise<void> {
  const ids = mentionedIds(message)
  if (ids.length === 0) return
  const sent = ids
    .map(sentIdIn)
    .filter((found) => found !== undefined)
    .filter(({ id }) => id !== message.id)
  await tx.rows(sql`
    select join_conversation(${message.tenantId}, ${message.id}, ${ids.map(digestOfId)}::bigint[],
      ${sent.map(({ id }) => id)}::uuid[], ${sent.map(({ domain }) => domain)}::text[], ${most})`)
}
