// Which subject of a tenant's OpenID provider is which person. A provider vouches for its own tenant alone: the role there,
// the provider, and what links the two go together.
import { type Db, sql, type Tx } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'

/** Never an address: those change hands, and a provider may say any. */
export interface Identity {
  tenantId: Uuid
  /** As the provider calls itself. */
  issuer: string
  /** As the provider calls whoever signed in there. */
  subject: string
}

/** The person with a role in the tenant; undefined when nobody is linked to it, or has not joined. */
export async function findPersonOf(db: Db, { tenantId, issuer, subject }: Identity): Promise<Uuid | undefined> {
  const row = await db.first(sql<{ personId: Uuid }>`
    select i.person_id as "personId"
    from identities i join memberships m on m.tenant_id = i.tenant_id and m.person_id = i.person_id
    where i.tenant_id = ${tenantId} and i.issuer = ${issuer} and i.subject = ${subject} and m.joined_at is not null`)
  return row?.personId
}

/**
 * Whoever asks has locked the person, the role and the provider. True when it is so already; false when the identity is
 * linked to somebody else.
 */
export async function linkIdentity(tx: Tx, identity: Identity, personId: Uuid): Promise<boolean> {
  const linked = await tx.first(sql<{ personId: Uuid }>`
    insert into identities as i (tenant_id, issuer, subject, person_id)
    values (${identity.tenantId}, ${identity.issuer}, ${identity.subject}, ${personId})
    on conflict (tenant_id, issuer, subject) do update set linked_at = i.linked_at where i.person_id = excluded.person_id
    returning i.person_id as "personId"`)
  return linked !== undefined
}

/** Takes a person's identities in a tenant away, or everywhere. False when there were none. */
export async function unlinkIdentities(
  tx: Tx,
  personId: Uuid,
  where: { tenantId: Uuid } | 'everywhere',
): Promise<boolean> {
  const tenantId = where === 'everywhere' ? null : where.tenantId
  const gone = await tx.rows(sql<{ subject: string }>`
    delete from identities where person_id = ${personId} and (${tenantId}::uuid is null or tenant_id = ${tenantId})
    returning subject`)
  return gone.length > 0
}
