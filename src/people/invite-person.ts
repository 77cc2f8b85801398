// Invites somebody to a role in a tenant: makes a link by which they come in.
import type { TenantActor } from '../access/actor.ts'
import { assertMay, type PersonRole } from '../access/permissions.ts'
import { invalidField } from '../access/problem.ts'
import { recordAct } from '../audit/record.ts'
import { isEmailAddress } from '../lib/formats.ts'
import { type Database, sql, type Timestamp } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'
import { findOrMakePerson } from '../users/find-or-make-user.ts'
import { normalizeLogin } from '../users/find-user.ts'
import { makeLink } from '../users/links.ts'
import { personRef } from '../users/user.ts'

export interface Invitation {
  /** The person's. */
  id: Uuid
  /** Of the link, `/enter/<token>`; `mailMadeLink` mails it. */
  token: string
  expiresAt: Timestamp
}

/**
 * Somebody who was invited before gets a new link, and the former is no good any more.
 * @throws Problem validation_error for an address that is none or has a role already
 */
export async function invitePerson(
  database: Database,
  actor: TenantActor,
  request: { email: string; role: PersonRole },
): Promise<Invitation> {
  assertMay(actor, 'managePeople')
  const email = normalizeLogin(request.email)
  if (!isEmailAddress(email)) throw invalidField('email', `"${request.email}" is not an email address`)
  const { tenantId } = actor
  return database.transaction(async (tx) => {
    const id = await findOrMakePerson(tx, email)
    const invited = await tx.first(sql<{ role: PersonRole }>`
      insert into memberships as m (tenant_id, person_id, role) values (${tenantId}, ${id}, ${request.role})
      on conflict (tenant_id, person_id) do update set role = excluded.role, invited_at = clock_timestamp()
        where m.joined_at is null
      returning m.role`)
    if (!invited) throw invalidField('email', `${email} has a role in this tenant already`)
    const link = await makeLink(tx, personRef(id), 'invitation', tenantId)
    await recordAct(tx, actor, { operation: 'person.invite', resourceType: 'person', resourceId: id })
    return { id, ...link }
  })
}
