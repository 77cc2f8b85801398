// Bars of several parts, with what each colour stands for.
import type { Tone } from '../../ui/badge.tsx'
import { Bars } from '../../ui/bars.tsx'

interface ChartProps {
  /** What it shows, and what it comes to. */
  label: string
  /** From the bottom up. */
  parts: readonly { name: string; tone: Tone }[]
  bars: readonly { title: string; values: readonly number[] }[]
  /** What the highest stands for, in words. */
  highest: string
}

export function Chart({ label, parts, bars, highest }: ChartProps) {
  return (
    <figure class="chart">
      <Bars label={label} tones={parts.map(({ tone }) => tone)} bars={bars} />
      <figcaption class="beside apart">
        <ul class="plain beside">
          {parts.map(({ name, tone }) => (
            <li key={name}>
              <span class={`swatch ${tone}`} /> {name}
            </li>
          ))}
        </ul>
        <span>{highest}</span>
      </figcaption>
    </figure>
  )
}
