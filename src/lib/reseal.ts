// Seals what an older key of the service sealed anew under the current one, row by row.
import { SealError } from './secret-box.ts'

/**
 * Gives how many rows there were. `reseal` opens and seals one and writes it back, guarded, so that a change meanwhile
 * wins; `name` says of which row it is told that its secret does not open.
 * @throws AggregateError, when all others are sealed, that names those that do not open
 */
export async function resealEach<Row>(
  rows: readonly Row[],
  name: (row: Row) => string,
  reseal: (row: Row) => Promise<unknown>,
): Promise<number> {
  const closed: Error[] = []
  for (const row of rows) {
    try {
      await reseal(row)
    } catch (cause) {
      if (!(cause instanceof SealError)) throw cause
      closed.push(new Error(`the secret of ${name(row)} does not open`, { cause }))
    }
  }
  if (closed.length > 0) throw new AggregateError(closed, closed.map(({ message }) => message).join('; '))
  return rows.length
}
