// Says which tables with rows of tenants a statement touches without binding the tenant: PostgreSQL plans it, and the
// plan shows by which conditions each row is found and where the tenant of a new row comes from. What functions and
// triggers of the database do inside is not seen.
import assert from 'node:assert/strict'
import type { ClientBase } from 'pg'
import { type Database, isUnavailable, type Sql, type Tx } from '../../src/lib/sql.ts'

/** What may touch rows of any tenant, and why. A statement is named by how it begins, white space made one. */
const UNBOUND: { begins: string; why: string }[] = [
  {
    begins: 'select k.public_id, k.tenant_id, k.app_id, k.id, k.secret_hash',
    why: 'keys are looked up by their public ids, and say which tenant they are of',
  },
  {
    begins: 'select tenant_id as "tenantId" from messages where id = $1 and direction',
    why: 'a relay reports on a message, whoever sent it; no key is asked for, the report is signed',
  },
  {
    begins: 'select id from domains where domain = $1 and verified and tenant_id <> $2',
    why: 'a name is verified for one tenant of all; that it is, and no more, is what the others are told',
  },
  {
    begins: 'delete from identities where person_id = $1 and ($2::uuid is null',
    why: 'whoever is reset or forgotten loses what every provider vouches for',
  },
  {
    begins: 'delete from sessions where only_tenant_id = $1',
    why: 'those of people lie with the directory, and say which tenant a provider has opened to them',
  },
  {
    begins: 'select exists (select from passwords p where p.tenant_id = $1 and p.user_id = $2) or exists',
    why: 'whether a person can sign in is so for every tenant that they have a role in',
  },
  {
    begins: 'select joined_at is not null as joined from memberships where person_id = $1',
    why: 'whoever has no role anywhere any more is forgotten',
  },
  {
    begins: 'select tenant_id as "tenantId", joined_at is not null as joined from memberships where person_id = $1',
    why: 'an Owner resets nobody who has a role elsewhere too',
  },
]

interface PlanNode {
  'Node Type': string
  Operation?: string
  'Relation Name'?: string
  Alias?: string
  'Join Type'?: string
  'CTE Name'?: string
  'Subplan Name'?: string
  'Parent Relationship'?: string
  Output?: string[]
  Plans?: PlanNode[]
  [condition: string]: unknown
}

/** `left` has the same tenant as `right`. */
interface Equality {
  left: string
  right: string
}

/** Statements that went through a database, each once. */
export interface Recorded {
  database: Database
  statements: Set<string>
}

/** The same database, which remembers what it is asked. */
export function recordStatements(database: Database): Recorded {
  const statements = new Set<string>()
  const recording = <D extends Pick<Tx, 'rows' | 'first'>>(db: D): D => ({
    ...db,
    rows: <Row>(statement: Sql<Row>) => {
      statements.add(statement.text)
      return db.rows(statement)
    },
    first: <Row>(statement: Sql<Row>) => {
      statements.add(statement.text)
      return db.first(statement)
    },
  })
  return {
    database: { ...recording(database), transaction: (work) => database.transaction((tx) => work(recording(tx))) },
    statements,
  }
}

/** What is wrong with each of the statements that has no leave to be so; empty when all bind the tenant. */
export async function scopeFaults(client: ClientBase, statements: Iterable<string>): Promise<string[]> {
  const tenantColumns = await readTenantColumns(client)
  const faults: string[] = []
  await client.query('begin')
  // Plans that follow the conditions, however few rows there are.
  for (const way of ['seqscan', 'hashjoin', 'mergejoin', 'bitmapscan', 'material']) {
    await client.query(`set local enable_${way} = off`)
  }
  for (const text of statements) {
    const words = text.trim().replace(/\s+/g, ' ')
    if (UNBOUND.some(({ begins }) => words.startsWith(begins))) continue
    const { rows } = await client.query(`explain (generic_plan, verbose, costs off, format json) ${text}`)
    const tables = unboundTables(rows[0]['QUERY PLAN'][0].Plan, tenantColumns)
    if (tables.length > 0) faults.push(`${tables.join(', ')} not bound to a tenant in: ${words}`)
  }
  await client.query('rollback')
  return faults
}

/** @throws AssertionError that names the statements at fault. A database that is away is left alone. */
export async function assertTenantScope(database: Database, statements: Iterable<string>): Promise<void> {
  const client = await database.pool.connect().catch((error: unknown) => {
    if (!isUnavailable(error)) throw error
  })
  if (!client) return
  try {
    assert.deepEqual(await scopeFaults(client, statements), [])
  } finally {
    client.release(true)
  }
}

/** For each table that has rows of tenants: the tenant's column and where it stands among the table's columns. */
type TenantColumns = Map<string, { name: string; position: number }>

async function readTenantColumns(client: ClientBase): Promise<TenantColumns> {
  const { rows } = await client.query<{ table: string; name: string; position: number }>(
    `select c.relname as table, a.attname as name,
       (select count(*)::int from pg_attribute b where b.attrelid = a.attrelid and b.attnum between 1 and a.attnum - 1)
         as position
     from pg_class c join pg_attribute a on a.attrelid = c.oid
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
       and (a.attname = 'tenant_id' or (c.relname = 'tenants' and a.attname = 'id'))`,
  )
  return new Map(rows.map(({ table, name, position }) => [table, { name, position }]))
}

/** The tables of a plan whose rows may be any tenant's. */
function unboundTables(plan: PlanNode, columns: TenantColumns): string[] {
  const nodes = [...walk(plan)]
  const writes = nodes.filter((node) => node['Node Type'] === 'ModifyTable' && node.Operation === 'Insert')
  const scans = nodes.filter((node) => node['Relation Name'] && node['Node Type'] !== 'ModifyTable')
  // What stands in a list was given to the statement.
  const bound = new Set(
    nodes.filter((node) => node['Node Type'] === 'Function Scan').flatMap((node) => node.Output ?? []),
  )
  const isBound = (expression: string) => isGiven(expression) || bound.has(expression)
  const columnOf = (node: PlanNode) => columns.get(node['Relation Name'] ?? '')
  const tenantOf = (node: PlanNode) => `${node.Alias}.${columnOf(node)?.name}`
  const newRows = (node: PlanNode) => node.Plans?.find((plan) => plan['Parent Relationship'] === 'Outer')?.Output
  const newTenant = (node: PlanNode) => bare(newRows(node)?.[columnOf(node)?.position ?? -1] ?? '')

  const equalities = nodes.flatMap(equalitiesOf)
  for (let before = -1; before !== bound.size; ) {
    before = bound.size
    for (const { left, right } of equalities) if (isBound(right)) bound.add(left)
    for (const node of writes) if (isBound(newTenant(node))) bound.add(tenantOf(node))
    for (const node of nodes) {
      const read = insideOf(node, nodes)?.Output?.map(bare) ?? []
      const tenants = read.filter((output) => isTenant(output) || isGiven(output))
      if (tenants.length === 0 || !tenants.every(isBound)) continue
      for (const output of node.Output?.filter(isTenant) ?? []) bound.add(output)
    }
  }
  const touched = [
    ...scans.map((node) => ({ node, isBound: bound.has(tenantOf(node)), what: '' })),
    ...writes.map((node) => ({ node, isBound: isBound(newTenant(node)), what: ' (new rows)' })),
  ]
  return touched
    .filter(({ node, isBound }) => columnOf(node) && !isBound)
    .map(({ node, what }) => `${node['Relation Name']}${what}`)
}

/** What a scan of a WITH or of a subquery reads from. */
function insideOf(node: PlanNode, nodes: PlanNode[]): PlanNode | undefined {
  if (node['Node Type'] === 'Subquery Scan') return node.Plans?.[0]
  const name = node['CTE Name']
  return name === undefined ? undefined : nodes.find((other) => other['Subplan Name'] === `CTE ${name}`)
}

const isTenant = (output: string) => /\.("tenantId"|tenant_id)$/.test(output)

/** Every node of a plan. */
function* walk(node: PlanNode): Generator<PlanNode> {
  yield node
  for (const child of node.Plans ?? []) yield* walk(child)
}

/** A parameter of the statement, or one of a list that is one. */
const isGiven = (expression: string) => /^(ANY \()?\$\d+\)?$/.test(expression)

/** Which columns a node's conditions make equal to what. Rows that an outer join keeps anyway are bound by none. */
function equalitiesOf(node: PlanNode): Equality[] {
  const conditions = Object.entries(node)
    .filter(([name, value]) => /(Cond|Filter)$/.test(name) && typeof value === 'string')
    .flatMap(([, value]) => conjuncts(value as string))
  const pairs = conditions.flatMap((condition) => {
    const [, left, right] = /^(\S+) = (.+)$/.exec(condition) ?? []
    return left && right ? [{ left: bare(left), right: bare(right) }] : []
  })
  const mayBind = bindable(node)
  return [...pairs, ...pairs.map(({ left, right }) => ({ left: right, right: left }))].filter(({ left }) =>
    mayBind(left),
  )
}

/** Whether a node's conditions bind what a column belongs to. */
function bindable(node: PlanNode): (column: string) => boolean {
  const type = node['Join Type']
  if (type === undefined) return (column) => node.Alias === undefined || column.startsWith(`${node.Alias}.`)
  if (type === 'Inner' || type === 'Semi' || type === 'Right Semi') return () => true
  const kept = type.startsWith('Right') ? 1 : 0
  const optional = node.Plans?.filter((child, i) => i !== kept && !child['Subplan Name']) ?? []
  const aliases = new Set(
    type === 'Full' ? [] : optional.flatMap((child) => [...walk(child)].map((inner) => inner.Alias)),
  )
  return (column) => aliases.has(column.split('.')[0])
}

/** The parts that all must hold: `((a = b) AND (c OR d))` has two. */
function conjuncts(condition: string): string[] {
  const inner = withoutParentheses(condition)
  const parts = splitAtTop(inner, ' AND ')
  return parts.length > 1 ? parts.flatMap(conjuncts) : [inner]
}

function withoutParentheses(text: string): string {
  if (!text.startsWith('(')) return text
  let depth = 0
  for (let i = 0; i < text.length; i++) {
    if (text[i] === '(') depth++
    if (text[i] === ')') depth--
    if (depth === 0) return i === text.length - 1 ? withoutParentheses(text.slice(1, -1)) : text
  }
  return text
}

function splitAtTop(text: string, separator: string): string[] {
  const parts: string[] = []
  let depth = 0
  let start = 0
  for (let i = 0; i < text.length; i++) {
    if (text[i] === '(') depth++
    if (text[i] === ')') depth--
    if (depth > 0 || !text.startsWith(separator, i)) continue
    parts.push(text.slice(start, i))
    start = i + separator.length
  }
  return [...parts, text.slice(start)]
}

/** Without casts and parentheses about it. */
function bare(expression: string): string {
  return withoutParentheses(expression).replace(/::[a-z ]+(\[\])?/g, '')
}
