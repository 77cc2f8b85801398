// How commands print: one JSON object for programs, text for people.
import { harmless, harmlessLine } from '../lib/terminal-text.ts'
import type { Cli } from './cli.ts'

/** What is shown of a thing, and under which heading. */
export type Columns = Readonly<Record<string, string>>

/** Prints what a command gives: one JSON object, or its text, in which nothing of strangers can steer the terminal. */
export function print(cli: Cli, result: object, text: string): void {
  process.stdout.write(cli.json ? `${JSON.stringify(result)}\n` : `${harmless(text)}\n`)
}

/** Tells of what is wrong, on a line of standard error. */
export function complain(cli: Cli, code: string, message: string): void {
  process.stderr.write(cli.jsonErrors ? `${JSON.stringify({ code, message })}\n` : `mdk: ${harmless(message)}\n`)
}

/** Characters in a line of the terminal. */
const lineWidth = () => process.stdout.columns ?? Number.POSITIVE_INFINITY

/** Rows as aligned columns under their headings; as a block for each where a line would not hold one. */
export function table(rows: readonly object[], columns: Columns, none: string, width: number = lineWidth()): string {
  if (rows.length === 0) return none
  const headings = Object.values(columns)
  const lines = [headings, ...rows.map((row) => Object.keys(columns).map((key) => shown(row, key)))]
  const widths = headings.map((_, i) => Math.max(...lines.map((line) => line[i]?.length ?? 0)))
  const aligned = lines.map((line) =>
    line
      .map((text, i) => text.padEnd(widths[i] ?? 0))
      .join('  ')
      .trimEnd(),
  )
  if (aligned.some((line) => line.length > width)) return rows.map((row) => details(row, columns)).join('\n\n')
  return aligned.join('\n')
}

/** One thing, a line for each of its members. */
export function details(row: object, columns: Columns): string {
  const widest = Math.max(...Object.values(columns).map((heading) => heading.length))
  return Object.entries(columns)
    .map(([key, heading]) => `${heading.padEnd(widest)}  ${shown(row, key)}`)
    .join('\n')
}

/** `2026-01-01T00:00:00.000000Z`, as the database's clock says. */
const INSTANT = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)\.\d{6}Z$/

/** An instant of the database as text shows it, to the second. */
export const readableInstant = (at: string): string => at.replace(INSTANT, '$1 $2Z')

function shown(row: object, key: string): string {
  const value: unknown = (row as Record<string, unknown>)[key]
  if (value === null || value === undefined || value === '') return '-'
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (Array.isArray(value)) return harmlessLine(value.join(' ')) || '-'
  return harmlessLine(readableInstant(String(value)))
}
