// What was used on each day: bars of all of it, and beneath them a row for each that used it. The last row is the sum.
import type { ComponentChildren } from 'preact'
import { Bars } from '../../ui/bars.tsx'
import { sumOf, sumsByDay } from './usage-sums.ts'

interface DailyTableProps {
  title: string
  /** What the rows stand for. */
  of: string
  /** By what days are counted. */
  about: ComponentChildren
  days: readonly string[]
  rows: readonly { id: string; name: ComponentChildren; values: readonly number[] }[]
  /** Shown where nothing was used. */
  empty: string
}

const count = new Intl.NumberFormat('en')

export function DailyTable({ title, of, about, days, rows, empty }: DailyTableProps) {
  const used = rows.filter(({ values }) => sumOf(values) > 0)
  const sums = sumsByDay(
    days.length,
    used.map(({ values }) => values),
  )
  const titleId = `${of.toLowerCase()}-usage`
  return (
    <section class="stack" aria-labelledby={titleId}>
      <h2 id={titleId}>{title}</h2>
      {used.length === 0 ? (
        <p class="soft">{empty}</p>
      ) : (
        <>
          <div class="card usage">
            <strong class="figure">{count.format(sumOf(sums))}</strong>
            <Bars
              label={`${title}, by the day`}
              tones={['accent']}
              bars={days.map((day, i) => ({ title: `${day}: ${count.format(sums[i] ?? 0)}`, values: [sums[i] ?? 0] }))}
            />
          </div>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what is too wide for a phone is scrolled by the keyboard too. */}
          <section class="table" tabIndex={0} aria-label={`${title} as a table`}>
            <table>
              <thead>
                <tr>
                  <th scope="col">{of}</th>
                  {days.map((day) => (
                    <th key={day} scope="col" class="number">
                      {day}
                    </th>
                  ))}
                  <th scope="col" class="number">
                    Total
                  </th>
                </tr>
              </thead>
              <tbody>
                {used.map(({ id, name, values }) => (
                  <tr key={id}>
                    <th scope="row" class="address">
                      {name}
                    </th>
                    <Numbers days={days} values={values} />
                  </tr>
                ))}
                {used.length > 1 && (
                  <tr>
                    <th scope="row">
                      <strong>Total</strong>
                    </th>
                    <Numbers days={days} values={sums} />
                  </tr>
                )}
              </tbody>
            </table>
          </section>
          <p class="soft">{about}</p>
        </>
      )}
    </section>
  )
}

function Numbers({ days, values }: { days: readonly string[]; values: readonly number[] }) {
  return (
    <>
      {days.map((day, i) => (
        <td key={day} class="number">
          {count.format(values[i] ?? 0)}
        </td>
      ))}
      <td class="number">
        <strong>{count.format(sumOf(values))}</strong>
      </td>
    </>
  )
}
