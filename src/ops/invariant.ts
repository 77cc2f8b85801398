// What an invariant is: its name, and how what breaches it is looked for.
import type { Db } from '../lib/sql.ts'

export interface Breaches {
  count: number
  /** Some of the ids at fault. */
  examples: string[] | null
}

export type Invariant = [name: string, look: (db: Db) => Promise<Breaches>]

/** The one row of a statement that counts. */
export const only = async (row: Promise<Breaches | undefined>): Promise<Breaches> =>
  (await row) ?? { count: 0, examples: [] }
