// Reads a whole list from one snapshot, as the lines of a CSV file. Knows nothing of whoever reads them, nor for how long.
import type { TenantActor } from '../access/actor.ts'
import { recordAct } from '../audit/record.ts'
import { csvLine } from '../lib/csv.ts'
import { openSnapshot, type Snapshot } from '../lib/snapshot.ts'
import type { Database } from '../lib/sql.ts'
import type { ExportedPage, ListExport } from './list-export.ts'

export interface RunningExport {
  /** Its lines, many at a time: the columns' names first. */
  text: AsyncGenerator<string, void>
  /** Ends it, wherever it is. */
  close(): void
}

/**
 * Records who takes away what, once it is known that they may. The filters are those of the list. `signal`: nobody waits for it
 * any more, from when on the database works no more for it.
 * @throws Problem as the list does; whatever the database throws once nobody waits
 */
export async function beginExport<Filters extends object>(
  database: Database,
  actor: TenantActor,
  list: ListExport<Filters>,
  filters: Filters,
  signal: AbortSignal,
): Promise<RunningExport> {
  signal.throwIfAborted()
  const snapshot = await openSnapshot(database, 'mdk-export')
  signal.addEventListener('abort', snapshot.close, { once: true })
  try {
    signal.throwIfAborted()
    const first = await list.readPage(snapshot, actor, filters, undefined)
    await database.transaction((tx) =>
      recordAct(tx, actor, {
        operation: list.operation,
        resourceType: list.resourceType,
        resourceId: null,
        details: { ...filters, environment: environmentOf(actor) },
      }),
    )
    return { text: textOf(snapshot, actor, list, filters, first), close: snapshot.close }
  } catch (error) {
    snapshot.close()
    throw error
  }
}

const environmentOf = ({ tenantId, environmentId }: TenantActor): string =>
  environmentId === tenantId ? 'production' : `sandbox:${environmentId}`

async function* textOf<Filters extends object>(
  snapshot: Snapshot,
  actor: TenantActor,
  list: ListExport<Filters>,
  filters: Filters,
  first: ExportedPage,
): AsyncGenerator<string, void> {
  yield csvLine(list.columns)
  for (let page = first; ; ) {
    const { rows, nextCursor } = page
    // While these are written, the database reads on.
    const next = nextCursor === null ? undefined : list.readPage(snapshot, actor, filters, nextCursor)
    // Whoever ends here does not wait for it.
    next?.catch(() => {})
    if (rows.length > 0) yield rows.map(csvLine).join('')
    if (!next) return
    page = await next
  }
}
