// What a list is as a file: its columns, and its rows page by page, as whoever asks may read them.
import type { TenantActor } from '../access/actor.ts'
import type { AuditedOperation } from '../audit/operations.ts'
import type { Cell } from '../lib/csv.ts'
import type { Db } from '../lib/sql.ts'

export interface ExportedPage {
  /** A cell for each column. */
  rows: Cell[][]
  /** Where the next page begins; null on the last one. A page may have no rows, and yet a cursor. */
  nextCursor: string | null
}

export interface ListExport<Filters extends object> {
  /** As its file and its path are named: `messages`. */
  name: string
  /** As the audit log names it: `exportMessages`. */
  operation: AuditedOperation
  /** What its rows are. */
  resourceType: string
  columns: readonly string[]
  /** @throws Problem for filters that are no good, and for whoever may not read the list */
  readPage(db: Db, actor: TenantActor, filters: Filters, cursor: string | undefined): Promise<ExportedPage>
}

/** Defines one, whose rows are objects with a member for each column. */
export function listExport<Filters extends object, const Column extends string>({
  read,
  columns,
  ...rest
}: Pick<ListExport<Filters>, 'name' | 'operation' | 'resourceType'> & {
  columns: readonly Column[]
  read(
    db: Db,
    actor: TenantActor,
    page: Filters & { limit: number; cursor?: string },
  ): Promise<{ items: Record<Column, Cell>[]; nextCursor: string | null }>
}): ListExport<Filters> {
  return {
    ...rest,
    columns,
    async readPage(db, actor, filters, cursor) {
      const page = { ...filters, limit: ROWS_OF_A_PAGE, ...(cursor === undefined ? {} : { cursor }) }
      const { items, nextCursor } = await read(db, actor, page)
      return { rows: items.map((item) => columns.map((column) => item[column])), nextCursor }
    },
  }
}

/** That are read, and held, at once. */
const ROWS_OF_A_PAGE = 1_000
