// What one look at a soak finds: the memory of the service, how its tables stand, and what a claim costs on the
// server; and whether what must not grow has grown. Knows nothing of the load.
import { type Database, sql } from '../src/lib/sql.ts'

/** Whose rows come and go: they may be no larger in the end than early on. */
const PASSING = [
  'jobs',
  'idempotency_keys',
  'object_removals',
  'dead_letters',
  'rate_counts',
  'tenant_storage',
  'tenant_usage',
  'webhook_endpoints',
]
/** Which keep what has happened. */
const KEEPING = [
  'messages',
  'message_entries',
  'message_states',
  'message_contents',
  'events',
  'webhook_deliveries',
  'audit_log',
]

/** How much more than in the second quarter may be there in the last: a table reaches its size in leaps. */
const TABLE_GROWTH = 1.5
const MEMORY_GROWTH = 1.25
/** A table of a few pages that takes one more has not grown. */
const SLACK_KIB = 256

/** A table as PostgreSQL's statistics show it. What is counted is counted since the beginning. */
export interface TableFigures {
  table: string
  live: number
  dead: number
  vacuums: number
  updates: number
  /** Updates that kept to their page and wrote no index (PostgreSQL: heap-only tuples). */
  hot: number
  /** With its oversized values. */
  tableKib: number
  indexKib: number
}

/** Of all claims and all messages since the beginning. */
export interface DatabaseFigures {
  messages: number
  jobs: number
  databaseKib: number
  claims: number
  claimMs: number
  tables: TableFigures[]
}

/** Has the server time what its functions take, in sessions that begin from now on. Only its superuser may ask that. */
export async function timeFunctions(database: Database): Promise<void> {
  await database.pool.query(`do $$ begin
    execute format('alter database %I set track_functions = pl', current_database());
  end $$`)
}

export async function lookAt(database: Database): Promise<DatabaseFigures> {
  const totals = await database.first(sql<Omit<DatabaseFigures, 'tables'>>`
    select (select count(*) from messages) as messages, (select count(*) from jobs) as jobs,
      pg_database_size(current_database()) / 1024 as "databaseKib",
      coalesce((select f.calls from pg_stat_user_functions f where f.funcname = 'claim_jobs'), 0) as claims,
      coalesce((select f.total_time from pg_stat_user_functions f where f.funcname = 'claim_jobs'), 0) as "claimMs"`)
  if (!totals) throw new Error('the database says nothing of itself')
  const tables = await database.rows(sql<TableFigures>`
    select s.relname as "table", s.n_live_tup as live, s.n_dead_tup as dead, s.autovacuum_count as vacuums,
      s.n_tup_upd as updates, s.n_tup_hot_upd as hot,
      pg_table_size(s.relid) / 1024 as "tableKib", pg_indexes_size(s.relid) / 1024 as "indexKib"
    from pg_stat_user_tables s join unnest(${[...PASSING, ...KEEPING]}::text[]) with ordinality as n (name, place)
      on n.name = s.relname
    order by n.place`)
  return { ...totals, tables }
}

/** What of it no message and no event stays in. */
export function passingKib({ tables }: DatabaseFigures): number {
  return tables.filter(({ table }) => PASSING.includes(table)).reduce((sum, figures) => sum + sizeKib(figures), 0)
}

/** What was larger at its largest in the last quarter than in the second, by more than it may. */
export function grown(looks: readonly { residentMib: number; database: DatabaseFigures }[]): string[] {
  const quarter = looks.length / 4
  const early = looks.slice(Math.floor(quarter), Math.ceil(2 * quarter))
  const late = looks.slice(Math.floor(3 * quarter))
  const memory = (of: typeof early) => Math.max(...of.map((look) => look.residentMib))
  const table = (name: string) => (of: typeof early) =>
    Math.max(...of.map((look) => sizeKib(look.database.tables.find((figures) => figures.table === name))))
  return [
    ...above('memory in MiB', memory(early), memory(late), MEMORY_GROWTH, 0),
    ...PASSING.flatMap((name) =>
      above(`${name} in KiB`, table(name)(early), table(name)(late), TABLE_GROWTH, SLACK_KIB),
    ),
  ]
}

function above(what: string, early: number, late: number, factor: number, slack: number): string[] {
  return late > early * factor + slack ? [`${what} grew from ${Math.round(early)} to ${Math.round(late)}`] : []
}

function sizeKib(figures: TableFigures | undefined): number {
  return figures === undefined ? 0 : figures.tableKib + figures.indexKib
}
