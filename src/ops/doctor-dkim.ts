// The doctor's check of DKIM keys that are half-way to the next.
import type { Db } from '../lib/sql.ts'
import { countDkimTurns } from '../mailboxes/count-dkim-turns.ts'
import type { Check } from './check.ts'

export async function checkDkimTurns(db: Db): Promise<Check> {
  const name = 'DKIM keys'
  const { prepared, over } = await countDkimTurns(db)
  if (prepared + over === 0) return { name, result: 'ok', found: 'none is half-way to the next' }
  const found = [
    ...(prepared > 0 ? [`${prepared} next keys wait for their DNS record`] : []),
    ...(over > 0 ? [`${over} records of former keys may go`] : []),
  ]
  return { name, result: 'warn', found: found.join('; '), repair: 'run mdk domain rotate-dkim for each of them' }
}
