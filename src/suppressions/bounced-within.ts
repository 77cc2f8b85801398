// Addresses that bounced or complained within a time, by their last one in it, and counted in it: what came later changes
// nothing. They are found among the bounces, of which a page looks through so many at most.
import type { TenantActor } from '../access/actor.ts'
import { DIRECTORY } from '../access/actor.ts'
import { type Db, sql, type Timestamp } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'
import type { AddressRow } from './bounced-address.ts'
import { type PlaceInTime, START_OF_TIME } from './place-in-time.ts'

/** Bounces that a page looks through: where one address has all of them, it is all that is found. */
const MOST_LOOKED_THROUGH = 2_000

export interface Within {
  kind: 'bounced' | 'complained' | null
  /** As addresses are compared. */
  address: string | null
  before: PlaceInTime
  /** Microseconds since 1970. */
  since: number
  until: number
  most: number
}

/** Newest first. `end`: where the bounces go on that were not looked through; undefined where there are no more of that time. */
export async function bouncedWithin(
  db: Db,
  actor: TenantActor,
  wanted: Within,
): Promise<{ rows: AddressRow[]; end: { at: Timestamp; id: Uuid } | undefined }> {
  // An address is looked up, whatever there is of others.
  const end = wanted.address === null ? await endOfLook(db, actor, wanted) : undefined
  return { rows: await addresses(db, actor, wanted, end), end }
}

function endOfLook(db: Db, { tenantId, environmentId }: TenantActor, { before, since, until }: Within) {
  return db.first(sql<{ at: Timestamp; id: Uuid }>`
    with bounds as materialized (
      select to_timestamp(0) + ${before.micros}::bigint * interval '1 microsecond' as before_at, ${before.id}::uuid as before_id,
        to_timestamp(0) + ${since}::bigint * interval '1 microsecond' as since,
        to_timestamp(0) + ${until}::bigint * interval '1 microsecond' as until
    )
    select b.at, b.id from bounces b
    where b.tenant_id = ${tenantId} and b.environment_id = ${environmentId}
      and (b.at, b.id) < (select before_at, before_id from bounds)
      and b.at >= (select since from bounds) and b.at < (select until from bounds)
    order by b.at desc, b.id desc offset ${MOST_LOOKED_THROUGH - 1} limit 1`)
}

/** Each stands where its last one of that kind and time does. */
function addresses(
  db: Db,
  { tenantId, environmentId }: TenantActor,
  { kind, address, before, since, until, most }: Within,
  end: { at: Timestamp; id: Uuid } | undefined,
): Promise<AddressRow[]> {
  return db.rows(sql<AddressRow>`
    with bounds as materialized (
      select to_timestamp(0) + ${before.micros}::bigint * interval '1 microsecond' as before_at, ${before.id}::uuid as before_id,
        to_timestamp(0) + ${since}::bigint * interval '1 microsecond' as since,
        to_timestamp(0) + ${until}::bigint * interval '1 microsecond' as until,
        coalesce(${end?.at ?? null}::timestamptz, to_timestamp(0)) as end_at, ${end?.id ?? START_OF_TIME.id}::uuid as end_id
    )
    select b.at as "placeAt", b.id as "placeId", b.address, c.bounces, c.complaints, c.first_at as "firstAt",
      b.at as "lastAt", b.kind as "lastKind", b.message_id as "lastMessageId", b.smtp_code as "smtpCode",
      b.enhanced_code as "enhancedCode", b.diagnostic, s.id as "stopId", s.created_at as "stoppedAt", s.reason,
      case when s.made_by_person is not null then 'person' when s.made_by_account is not null then 'operator' end as "byKind",
      coalesce(u.name, u.login) as "byName", s.message_id as "stoppedFor", s.note
    from (
      (
        select b.address, b.id, b.message_id, b.kind, b.at, b.smtp_code, b.enhanced_code, b.diagnostic
        from bounces b
        where ${address}::text is null and b.tenant_id = ${tenantId} and b.environment_id = ${environmentId}
          and (b.at, b.id) < (select before_at, before_id from bounds)
          and (b.at, b.id) >= (select end_at, end_id from bounds)
          and b.at >= (select since from bounds) and b.at < (select until from bounds)
          and (${kind}::text is null or b.kind = ${kind})
          and b.id = (
            select n.id from bounces n
            where n.tenant_id = ${tenantId} and n.environment_id = ${environmentId} and n.address = b.address
              and n.at < (select until from bounds) and (${kind}::text is null or n.kind = ${kind})
            order by n.at desc, n.id desc limit 1)
        order by b.at desc, b.id desc limit ${most}
      )
      union all
      (
        select b.address, b.id, b.message_id, b.kind, b.at, b.smtp_code, b.enhanced_code, b.diagnostic from (
          select b.address, b.id, b.message_id, b.kind, b.at, b.smtp_code, b.enhanced_code, b.diagnostic from bounces b
          where ${address}::text is not null and b.tenant_id = ${tenantId} and b.environment_id = ${environmentId}
            and b.address = ${address} and b.at >= (select since from bounds) and b.at < (select until from bounds)
            and (${kind}::text is null or b.kind = ${kind})
          order by b.at desc, b.id desc limit 1
        ) b
        where (b.at, b.id) < (select before_at, before_id from bounds)
      )
    ) b
    cross join lateral (
      select (count(*) filter (where n.kind = 'bounced'))::integer as bounces,
        (count(*) filter (where n.kind = 'complained'))::integer as complaints, min(n.at) as first_at
      from bounces n
      where n.tenant_id = ${tenantId} and n.environment_id = ${environmentId} and n.address = b.address
        and n.at >= (select since from bounds) and n.at < (select until from bounds)
    ) c
    left join suppressions s on s.tenant_id = ${tenantId} and s.environment_id = ${environmentId} and s.address = b.address
    left join users u on u.tenant_id = ${DIRECTORY} and u.id = s.made_by_person
    order by b.at desc, b.id desc`)
}
