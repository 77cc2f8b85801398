// The epoch of the feed. A dump restored into another cluster counts its transactions anew: what it brought along
// belongs to an earlier epoch, stays visible, and stays in front (DESIGN 5.3).
import { sql, type Tx } from '../lib/sql.ts'

/** Makes the first epoch, or begins the next one when this is another cluster than last time. Run after migrating. */
export async function keepFeedEpoch(tx: Tx): Promise<void> {
  await tx.rows(sql`
    insert into feed_epoch as f (epoch, system_identifier)
    select 1, system_identifier from pg_control_system()
    on conflict (single) do update set epoch = f.epoch + 1, system_identifier = excluded.system_identifier
    where f.system_identifier <> excluded.system_identifier`)
}
