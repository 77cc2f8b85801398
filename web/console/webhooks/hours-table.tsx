// What the bars of an endpoint show, in figures.
import { type Hour, msInWords } from './hours.ts'

const name = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' })

/** When it began, by the viewer's clock. */
export const hourName = (hour: string): string => name.format(new Date(hour))

export function HoursTable({ hours }: { hours: readonly Hour[] }) {
  return (
    <div class="table folds">
      <table>
        <thead>
          <tr>
            <th scope="col">Hour</th>
            {['Delivered', 'Dead', 'Pending', 'Half within', '95 % within'].map((column) => (
              <th key={column} scope="col" class="number">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {hours.map(({ hour, delivered, dead, pending, p50Ms, p95Ms }) => (
            <tr key={hour}>
              <th scope="row">{hourName(hour)}</th>
              <td data-label="Delivered" class="number">
                {delivered}
              </td>
              <td data-label="Dead" class="number">
                {dead}
              </td>
              <td data-label="Pending" class="number">
                {pending}
              </td>
              <td data-label="Half within" class="number">
                {p50Ms === null ? '–' : msInWords(p50Ms)}
              </td>
              <td data-label="95 % within" class="number">
                {p95Ms === null ? '–' : msInWords(p95Ms)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
