// What must hold of stopped addresses, and of bounces.
import { sql } from '../lib/sql.ts'
import { type Breaches, type Invariant, only } from './invariant.ts'

export const SUPPRESSION_INVARIANTS: Invariant[] = [
  [
    'every tenant has as many stopped addresses as it says',
    (db) =>
      only(
        db.first(sql<Breaches>`
          select count(*) as count, (array_agg(t.id::text))[1:3] as examples
          from tenants t
          left join (select s.tenant_id, count(*) as count from suppressions s group by s.tenant_id) s on s.tenant_id = t.id
          where t.suppressions <> coalesce(s.count, 0)`),
      ),
  ],
  [
    'every bounce and complaint that is kept is counted with its address',
    (db) =>
      only(
        db.first(sql<Breaches>`
          select count(*) as count, (array_agg(b.environment_id::text))[1:3] as examples
          from (
            select b.tenant_id, b.environment_id, b.address, count(*) filter (where b.kind = 'bounced') as bounces,
              count(*) filter (where b.kind = 'complained') as complaints
            from bounces b group by 1, 2, 3
          ) b
          left join bounced_addresses a on a.tenant_id = b.tenant_id and a.environment_id = b.environment_id
            and a.address = b.address
          -- Those of an address go with the last of them, by and by.
          where a.bounces < b.bounces or a.complaints < b.complaints`),
      ),
  ],
]
