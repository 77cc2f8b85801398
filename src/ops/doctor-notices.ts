// The doctor's check of whether Owners can be told by mail.
import type { Config } from '../config.ts'
import type { Db } from '../lib/sql.ts'
import { canonicalAddress } from '../mail/mail-address.ts'
import { findSigningKey } from '../mailboxes/find-signing-key.ts'
import type { Check } from './check.ts'

export async function checkNotices({ noticesFrom }: Pick<Config, 'noticesFrom'>, db: Db): Promise<Check> {
  const name = 'notices'
  if (noticesFrom === undefined) {
    return {
      name,
      result: 'warn',
      found: 'none are mailed',
      repair: 'set MDK_NOTICE_FROM to the address they are from',
    }
  }
  const domain = canonicalAddress(noticesFrom).split('@').at(-1) as string
  const signs = (await findSigningKey(db, domain)) !== undefined
  const how = signs ? 'signed for its domain' : 'not signed here, as its domain has no verified key'
  return { name, result: 'ok', found: `from ${noticesFrom}, ${how}` }
}
