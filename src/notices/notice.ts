// What notices there are: each kind with what its text says of the occasion.
import type { Timestamp } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'

/** What the queue of notices is called. Its lanes are tenants, its subjects notices. */
export const NOTICE_QUEUE = 'notices'

/** A notice that could not be mailed for so long is given up. specification.md#notices-by-mail */
export const NOTICE_GIVEN_UP_S = 86_400

interface EndpointFacts {
  endpointId: Uuid
  /** Of its URL, which may hold secrets. */
  host: string
  since: Timestamp
}

interface PlanFacts {
  /** `2026-11` */
  month: string
  recipients: number
  limit: number
}

/** What the Owners of a tenant are told, unless they want no notices. */
export type OwnerNotice =
  | { kind: 'new_sign_in'; facts: { at: Timestamp; clientAddress: string; userAgent: string | null } }
  | { kind: 'endpoint_failing'; facts: EndpointFacts }
  | { kind: 'endpoint_disabled'; facts: EndpointFacts }
  | { kind: 'domain_failing'; facts: { domain: string } }
  | { kind: 'plan_80'; facts: PlanFacts }
  | { kind: 'plan_100'; facts: PlanFacts }

/** A link that is mailed to whom it is for, because somebody asked for that. */
export interface LinkNotice {
  /** `recovery_address`: to confirm it by. `recovery_reset`: mailed there, of a user who asked for it. */
  kind: 'invitation' | 'reset' | 'recovery_address' | 'recovery_reset'
  /** `to`: where it goes, if not to the address by which its user signs in, or to the recovery address. */
  facts: { expiresAt: Timestamp; to?: string }
}

export type Notice = OwnerNotice | LinkNotice

/** Where the token of a notice is sealed to. */
export function placeOfNoticeToken({ tenantId, id }: { tenantId: Uuid; id: Uuid }): string {
  return `notices/${tenantId}/${id}`
}
