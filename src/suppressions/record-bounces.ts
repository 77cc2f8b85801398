// Notes whom mail came back from for good, and who complained, in the transaction that records it; and stops their addresses
// where the tenant wants that (ADR 56).
import { sql, type Tx } from '../lib/sql.ts'
import { newId, type Uuid } from '../lib/uuid.ts'
import { isAddressGone } from './is-address-gone.ts'
import { suppressionKey } from './suppressed.ts'
import { insertSuppressions, lockSuppressions, MOST_SUPPRESSIONS, type NewSuppression } from './tenant-stops.ts'

/** Mail that came back from an address for good, or a complaint of it. */
export interface Bounce {
  tenantId: Uuid
  environmentId: Uuid
  messageId: Uuid
  address: string
  kind: 'bounced' | 'complained'
  smtpCode: number | null
  /** Enhanced status code (RFC 3463). */
  enhancedCode: string | null
  diagnostic: string | null
}

/**
 * Notes them, and stops their addresses where the tenant wants it. What else the transaction locks it has locked before: the
 * rows of an address are taken in one order, and the tenant's last.
 */
export async function recordBounces(tx: Tx, given: readonly Bounce[]): Promise<void> {
  if (given.length === 0) return
  const bounces = given
    .map((bounce) => ({ ...bounce, address: suppressionKey(bounce.address) }))
    .sort((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1))
  await insertBounces(tx, bounces)
  const lasting = bounces.filter(({ kind, enhancedCode }) => kind === 'complained' || isAddressGone(enhancedCode))
  for (const tenantId of await wantStops(tx, lasting)) {
    const used = (await lockSuppressions(tx, tenantId)) ?? 0
    const theirs = lasting.filter((bounce) => bounce.tenantId === tenantId)
    await insertSuppressions(tx, tenantId, theirs.map(stopFor), MOST_SUPPRESSIONS - used)
  }
}

const keyOf = ({ tenantId, environmentId, address }: Bounce): string => `${tenantId} ${environmentId} ${address}`

async function insertBounces(tx: Tx, bounces: readonly Bounce[]): Promise<void> {
  const rows = bounces.map((bounce) => ({
    tenant_id: bounce.tenantId,
    environment_id: bounce.environmentId,
    address: bounce.address,
    id: newId(),
    message_id: bounce.messageId,
    kind: bounce.kind,
    smtp_code: bounce.smtpCode,
    enhanced_code: bounce.enhancedCode,
    diagnostic: bounce.diagnostic,
  }))
  await tx.rows(sql`
    with given as materialized (
      select g.* from rows from (json_to_recordset(${JSON.stringify(rows)}::json) as (tenant_id uuid, environment_id uuid,
        address text, id uuid, message_id uuid, kind text, smtp_code integer, enhanced_code text, diagnostic text))
        with ordinality as g (tenant_id, environment_id, address, id, message_id, kind, smtp_code, enhanced_code, diagnostic, n)
    ),
    each as (
      insert into bounces (tenant_id, environment_id, address, id, message_id, kind, at, smtp_code, enhanced_code, diagnostic)
      select g.tenant_id, g.environment_id, g.address, g.id, g.message_id, g.kind, statement_timestamp(), g.smtp_code,
        g.enhanced_code, g.diagnostic
      from given g
    )
    insert into bounced_addresses as a (tenant_id, environment_id, address, id, bounces, complaints, first_at, last_at,
      last_message_id, last_kind, smtp_code, enhanced_code, diagnostic)
    select l.tenant_id, l.environment_id, l.address, l.id, l.bounces, l.complaints, statement_timestamp(),
      statement_timestamp(), l.message_id, l.kind, l.smtp_code, l.enhanced_code, l.diagnostic
    from (
      select distinct on (g.tenant_id, g.environment_id, g.address) g.*,
        count(*) filter (where g.kind = 'bounced') over address as bounces,
        count(*) filter (where g.kind = 'complained') over address as complaints
      from given g
      window address as (partition by g.tenant_id, g.environment_id, g.address)
      order by g.tenant_id, g.environment_id, g.address, g.n desc
    ) l
    order by l.n
    on conflict (tenant_id, environment_id, address) do update set bounces = a.bounces + excluded.bounces,
      complaints = a.complaints + excluded.complaints, last_at = greatest(a.last_at, excluded.last_at),
      last_message_id = excluded.last_message_id, last_kind = excluded.last_kind, smtp_code = excluded.smtp_code,
      enhanced_code = excluded.enhanced_code, diagnostic = excluded.diagnostic`)
}

/** Those tenants of them that have addresses stopped automatically, in the order in which their rows are locked. */
async function wantStops(tx: Tx, lasting: readonly Bounce[]): Promise<Uuid[]> {
  if (lasting.length === 0) return []
  const tenants = [...new Set(lasting.map(({ tenantId }) => tenantId))]
  const rows = await tx.rows(sql<{ id: Uuid }>`
    select id from tenants where id = any(${tenants}::uuid[]) and stops_bounced order by id`)
  return rows.map((row) => row.id)
}

function stopFor({ environmentId, address, kind, messageId }: Bounce): NewSuppression {
  const reason = kind === 'complained' ? 'complaint' : 'bounce'
  return { environmentId, address, reason, madeByPerson: null, madeByAccount: null, messageId, note: null }
}
