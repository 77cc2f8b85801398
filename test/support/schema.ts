// Describes a database's schema as SQL, in a fixed order, so that two can be compared as text.
import { type Database, sql } from '../../src/lib/sql.ts'

export const SCHEMA_FILE = new URL('../../schema.sql', import.meta.url).pathname

/** Tables with their columns, constraints and indexes, then functions and triggers. */
export async function describeSchema(database: Database): Promise<string> {
  const parts = [
    '-- What the migrations and the files of functions and triggers come to. Written by `npm run schema`; a test fails when it is out of date.',
    ...(await describeTables(database)),
    ...(await describeFunctions(database)),
    ...(await describeTriggers(database)),
  ]
  return `${parts.join('\n\n')}\n`
}

interface TableRow {
  name: string
  columns: string[]
  constraints: string[]
  indexes: string[]
  options: string[] | null
}

async function describeTables(database: Database): Promise<string[]> {
  const tables = await database.rows(sql<TableRow>`
    select c.relname as name, c.reloptions as options,
      array(
        select format('%I %s%s%s%s', a.attname, format_type(a.atttypid, a.atttypmod),
          case when a.attidentity = 'a' then ' generated always as identity' else '' end,
          case when d.adbin is not null then ' default ' || pg_get_expr(d.adbin, d.adrelid) else '' end,
          case when a.attnotnull then ' not null' else '' end)
        from pg_attribute a left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
        where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped order by a.attnum
      ) as columns,
      array(
        select format('constraint %I %s', n.conname, pg_get_constraintdef(n.oid))
        from pg_constraint n where n.conrelid = c.oid and n.contype in ('p', 'u', 'f', 'c')
        order by array_position(array['p', 'u', 'f', 'c'], n.contype::text), n.conname
      ) as constraints,
      array(
        select pg_get_indexdef(i.indexrelid)
        from pg_index i where i.indrelid = c.oid
          and not exists (select from pg_constraint n where n.conindid = i.indexrelid and n.contype in ('p', 'u'))
        order by i.indexrelid::regclass::text
      ) as indexes
    from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
    order by c.relname`)
  return tables.map(({ name, columns, constraints, indexes, options }) => {
    const lines = [...columns, ...constraints].map((line) => `  ${line}`).join(',\n')
    const settings = options ? ` with (${options.map((option) => option.replace('=', ' = ')).join(', ')})` : ''
    return [`create table ${name} (\n${lines}\n)${settings};`, ...indexes.map((index) => `${index};`)].join('\n')
  })
}

async function describeFunctions(database: Database): Promise<string[]> {
  const rows = await database.rows(sql<{ text: string }>`
    select pg_get_functiondef(p.oid) as text from pg_proc p
    where p.pronamespace = 'public'::regnamespace order by p.proname, p.oid`)
  return rows.map(({ text }) => `${text.trimEnd()};`)
}

async function describeTriggers(database: Database): Promise<string[]> {
  const rows = await database.rows(sql<{ text: string }>`
    select pg_get_triggerdef(t.oid) as text from pg_trigger t
    where not t.tgisinternal order by t.tgrelid::regclass::text, t.tgname`)
  return rows.map(({ text }) => `${text};`)
}
