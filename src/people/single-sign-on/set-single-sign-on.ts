// Names the provider by which a tenant's people may sign in.
import type { TenantActor } from '../../access/actor.ts'
import { assertMay } from '../../access/permissions.ts'
import { type FieldFault, invalidField, invalidFields } from '../../access/problem.ts'
import { recordAct } from '../../audit/record.ts'
import type { Secret } from '../../lib/secret.ts'
import type { SecretBox } from '../../lib/secret-box.ts'
import { type Database, sql } from '../../lib/sql.ts'
import { endVouchedSessions } from '../../users/sessions.ts'
import { placeOfClientSecret } from './find-single-sign-on.ts'
import { assertOwnersGetIn } from './owners-get-in.ts'
import type { Providers } from './provider.ts'

export interface SingleSignOnRequest {
  /** `https://id.example.com` */
  issuer: string
  clientId: string
  clientSecret: Secret
}

const MOST_CLIENT_ID = 500
const MOST_CLIENT_SECRET = 2_000

/**
 * The provider is asked first. Where it is another one than before, the former's links to people go.
 * @throws Problem validation_error that says what is wrong with the provider, sign_in_again, not_allowed
 */
export async function setSingleSignOn(
  { database, box, providers }: { database: Database; box: SecretBox; providers: Pick<Providers, 'discover'> },
  actor: TenantActor,
  request: SingleSignOnRequest,
): Promise<void> {
  assertMay(actor, 'manageSingleSignOn')
  const faults = faultsOf(request)
  if (faults.length > 0) throw invalidFields(faults)
  const found = await providers.discover(request.issuer)
  if (found.kind !== 'provider') throw invalidField('issuer', wordsFor(found))
  const { tenantId } = actor
  const secret = box.seal(request.clientSecret, placeOfClientSecret(tenantId))
  await database.transaction(async (tx) => {
    const former = await tx.first(sql<{ issuer: string }>`
      delete from single_sign_on where tenant_id = ${tenantId} and issuer <> ${found.issuer} returning issuer`)
    if (former) {
      await assertOwnersGetIn(tx, actor)
      await endVouchedSessions(tx, tenantId, 'of all')
    }
    await tx.rows(sql`
      insert into single_sign_on (tenant_id, issuer, client_id, client_secret)
      values (${tenantId}, ${found.issuer}, ${request.clientId}, ${secret})
      on conflict (tenant_id) do update set issuer = excluded.issuer, client_id = excluded.client_id,
        client_secret = excluded.client_secret, set_at = clock_timestamp()`)
    await recordAct(tx, actor, { operation: 'singleSignOn.set', resourceType: 'tenant', resourceId: tenantId })
  })
}

function faultsOf({ issuer, clientId, clientSecret }: SingleSignOnRequest): FieldFault[] {
  const faults: FieldFault[] = []
  const wrong = (path: string, message: string) => faults.push({ path, code: 'invalid', message })
  if (!URL.canParse(issuer) || /[?#]/.test(issuer)) {
    wrong('issuer', 'must be a URL such as https://id.example.com, without a query')
  }
  if (!isPrintable(clientId, MOST_CLIENT_ID)) wrong('clientId', `must have 1 to ${MOST_CLIENT_ID} printable characters`)
  if (!isPrintable(clientSecret.reveal(), MOST_CLIENT_SECRET)) {
    wrong('clientSecret', `must have 1 to ${MOST_CLIENT_SECRET} printable characters`)
  }
  return faults
}

/** RFC 6749, appendix A: ids and secrets of clients. */
function isPrintable(text: string, most: number): boolean {
  return /^[\x20-\x7e]+$/.test(text) && text.length <= most
}

function wordsFor({ kind, detail }: { kind: string; detail: string }): string {
  return kind === 'unreachable'
    ? `cannot be read at /.well-known/openid-configuration: ${detail}`
    : `is not the address of an OpenID Connect provider: ${detail}`
}
