// Whether the IP guard lets the keys of a plan make use of their limit.
import { type ListedPlan, listPlans } from '../apps/find-plan.ts'
import type { Config } from '../config.ts'
import type { Db } from '../lib/sql.ts'

/**
 * What to say of a plan whose keys may ask more often in a minute than one address is let in; undefined when they may not.
 * `keyPerMinute`, `ipPerMinute`: 0 is unlimited.
 */
export function limitBeyondGuard(
  { name, keyPerMinute }: Pick<ListedPlan, 'name' | 'keyPerMinute'>,
  { ipPerMinute, ipAllow }: Pick<Config, 'ipPerMinute' | 'ipAllow'>,
): string | undefined {
  // Whoever names networks has thought of those that ask much.
  if (ipPerMinute === 0 || ipAllow.length > 0) return undefined
  if (keyPerMinute !== 0 && keyPerMinute <= ipPerMinute) return undefined
  const most = keyPerMinute === 0 ? 'as many requests a minute as it likes' : `${keyPerMinute} requests a minute`
  return (
    `plan ${name}: a key may make ${most}, and one address only ${ipPerMinute}. Name the addresses of its programs in ` +
    'MDK_IP_ALLOW, or raise MDK_IP_PER_MINUTE (0 turns it off)'
  )
}

/** What is to be said of the plans that tenants have. */
export async function limitsBeyondGuard(db: Db, config: Pick<Config, 'ipPerMinute' | 'ipAllow'>): Promise<string[]> {
  const plans = (await listPlans(db)).filter(({ tenants }) => tenants > 0)
  return plans.map((plan) => limitBeyondGuard(plan, config)).filter((warning) => warning !== undefined)
}
