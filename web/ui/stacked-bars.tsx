// A chart of amounts side by side, each of several parts. Exact figures stand in a table beneath, which the page gives; whoever points
// at a bar reads its own.
import type { Tone } from './badge.tsx'
import { stackParts } from './stack-parts.ts'

const WIDTH = 10
const GAP = 2
const HEIGHT = 100
/** What is more than nothing is seen. */
const LEAST = 1.5

interface Bar {
  key: string
  /** Shown to whoever points at it. */
  title: string
  /** One for each part. */
  values: readonly number[]
}

interface StackedBarsProps {
  /** What they show, and what they come to. */
  label: string
  /** From the bottom up. */
  parts: readonly { name: string; tone: Tone }[]
  bars: readonly Bar[]
  /** What the highest stands for, in words. */
  highest: string
}

export function StackedBars({ label, parts, bars, highest }: StackedBarsProps) {
  const places = stackParts(bars.map(({ values }) => values))
  return (
    <figure class="stacked-bars">
      <svg viewBox={`0 0 ${bars.length * WIDTH} ${HEIGHT}`} preserveAspectRatio="none" role="img" aria-label={label}>
        {bars.map(({ key, title, values }, i) => (
          <g key={key}>
            <title>{title}</title>
            <rect class="ground" x={i * WIDTH} y={0} width={WIDTH} height={HEIGHT} />
            {places[i]?.map(({ top, height }, part) => {
              const shown = (values[part] ?? 0) > 0 ? Math.max(height * HEIGHT, LEAST) : 0
              return (
                <rect
                  key={parts[part]?.name}
                  class={parts[part]?.tone}
                  x={i * WIDTH + GAP / 2}
                  y={Math.min(top * HEIGHT, HEIGHT - shown)}
                  width={WIDTH - GAP}
                  height={shown}
                />
              )
            })}
          </g>
        ))}
      </svg>
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
