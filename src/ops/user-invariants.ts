// What must hold of who signs in. People lie with the directory, which foreign keys do not reach.
import { sql } from '../lib/sql.ts'
import { type Breaches, type Invariant, only } from './invariant.ts'

export const USER_INVARIANTS: Invariant[] = [
  [
    'every role is of a person, and every person has a role',
    (db) =>
      only(
        db.first(sql<Breaches>`
          select count(*) as count, (array_agg(x.id::text))[1:3] as examples
          from (
            select m.person_id as id from memberships m
            where not exists (select from users u where u.id = m.person_id and u.kind = 'person')
            union all
            select u.id from users u
            where u.kind = 'person' and not exists (select from memberships m where m.person_id = u.id)
          ) x`),
      ),
  ],
  [
    'every mailbox user has a mailbox',
    (db) =>
      only(
        db.first(sql<Breaches>`
          select count(*) as count, (array_agg(u.id::text))[1:3] as examples
          from users u
          where u.kind = 'mailbox_user' and not exists (
            select from mailbox_access a where a.tenant_id = u.tenant_id and a.mailbox_user_id = u.id)`),
      ),
  ],
  [
    'no short password stands alone',
    (db) =>
      only(
        db.first(sql<Breaches>`
          select count(*) as count, (array_agg(p.user_id::text))[1:3] as examples
          from passwords p
          where not p.stands_alone
            and not exists (select from passkeys k where k.tenant_id = p.tenant_id and k.user_id = p.user_id)
            and not exists (
              select from totp_keys t
              where t.tenant_id = p.tenant_id and t.user_id = p.user_id and t.confirmed_at is not null)`),
      ),
  ],
  [
    'whoever is signed in belongs somewhere',
    (db) =>
      only(
        db.first(sql<Breaches>`
          select count(*) as count, (array_agg(s.id::text))[1:3] as examples
          from sessions s join users u on u.tenant_id = s.tenant_id and u.id = s.user_id
          where u.kind = 'person' and not exists (
            select from memberships m where m.person_id = u.id and m.joined_at is not null)`),
      ),
  ],
]
