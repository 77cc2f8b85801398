// Has the statements of a transaction find what many keys name, and the next of a folder, by an index. The planner would otherwise
// read a table or a mailbox whole for some hundred keys where it holds some hundred thousand rows, or believes that it holds few.
// Statements are planned each time: for many rows at once that is nothing.
import { sql, type Tx } from '../../lib/sql.ts'

/** From now on keys are looked up one by one. */
export async function lookUpByKeys(tx: Tx): Promise<void> {
  await tx.rows(sql`
    select set_config(s.name, s.value, true)
    from (values ('plan_cache_mode', 'force_custom_plan'), ('enable_seqscan', 'off'), ('enable_hashjoin', 'off'),
      ('enable_mergejoin', 'off'), ('enable_sort', 'on')) as s (name, value)`)
}

/** From now on, until keys are looked up, what is asked for in an order is read in that order. */
export async function readInOrder(tx: Tx): Promise<void> {
  await tx.rows(sql`
    select set_config(s.name, s.value, true)
    from (values ('plan_cache_mode', 'force_custom_plan'), ('enable_seqscan', 'off'), ('enable_sort', 'off'))
      as s (name, value)`)
}
