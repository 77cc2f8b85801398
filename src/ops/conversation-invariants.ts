// What must hold of conversations.
import { sql } from '../lib/sql.ts'
import { MOST_IN_CONVERSATION } from '../messages/conversations/join-conversation.ts'
import { type Breaches, type Invariant, only } from './invariant.ts'

export const CONVERSATION_INVARIANTS: Invariant[] = [
  [
    'every message of a conversation is there, in its place, and of the production of its tenant',
    (db) =>
      only(
        db.first(sql<Breaches>`
          select count(*) as count, (array_agg(c.message_id::text))[1:3] as examples
          from conversation_messages c
          where not exists (
            select from messages m
            where m.tenant_id = c.tenant_id and m.id = c.message_id and m.environment_id = c.tenant_id and m.gone is null
              and m.created_at = c.created_at and m.seq = c.seq)`),
      ),
  ],
  [
    'every conversation is named after a message of its tenant or one that is gone, and has no more messages than it may',
    (db) =>
      only(
        db.first(sql<Breaches>`
          select count(*) as count, (array_agg(x.conversation_id::text))[1:3] as examples
          from (
            select c.conversation_id from conversation_messages c
            group by c.tenant_id, c.conversation_id
            having count(*) > ${MOST_IN_CONVERSATION} or exists (
              select from messages m
              where m.id = c.conversation_id and (m.tenant_id <> c.tenant_id or m.environment_id <> c.tenant_id))
          ) x`),
      ),
  ],
  [
    'every Message-ID that is kept is kept of a received message that is there',
    (db) =>
      only(
        db.first(sql<Breaches>`
          select count(*) as count, (array_agg(r.message_id::text))[1:3] as examples
          from message_references r
          where not exists (
            select from messages m
            where m.tenant_id = r.tenant_id and m.id = r.message_id and m.direction = 'inbound' and m.gone is null)`),
      ),
  ],
]
