// Sums of what was used on each day. Pure.

/** By day, of all rows. */
export function sumsByDay(days: number, rows: readonly (readonly number[])[]): number[] {
  return Array.from({ length: days }, (_, day) => rows.reduce((sum, row) => sum + (row[day] ?? 0), 0))
}

export const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0)
