// Defines the data operations that give a list as a file: CSV, as it is read.
import type { TObject } from 'typebox'
import type { ListExport } from '../../exports/list-export.ts'
import { Type } from '../../lib/schema-types.ts'
import { Closed } from '../../lib/schemas.ts'
import { FILE } from '../sessions/sent-file.ts'
import { consoleData } from './console-data.ts'
import type { Exports } from './exports.ts'

/** What a page adds to the filters: words that then stand behind the last line, by which it knows that the file is whole. */
const Mark = Type.Optional(Type.String({ pattern: '^[a-z0-9-]{8,64}$' }))

/** `filters`: those of the list, without its cursor. `filtersOf`: as the list's feature names them. */
export function exportData<Asked, Filters extends object>(
  list: ListExport<Filters>,
  filters: TObject,
  filtersOf: (asked: Asked) => Filters,
) {
  const { cursor: _, ...properties } = filters.properties
  return consoleData(
    {
      method: 'GET',
      path: `/data/exports/${list.name}.csv`,
      query: Closed({ ...properties, mark: Mark }),
      answer: FILE,
      withoutHead: true,
    },
    ({ exports }: { exports: Exports }) =>
      async ({ actor, session: { sessionId }, query, gone }) => {
        const { mark, ...asked } = query as { mark?: string }
        return {
          filename: `${list.name}-${new Date().toISOString().slice(0, 10)}.csv`,
          mediaType: 'text/csv; charset=utf-8',
          bytes: await exports.open({ actor, sessionId, mark, gone }, list, filtersOf(asked as Asked)),
        }
      },
  )
}
