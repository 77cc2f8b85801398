// A chart of amounts side by side, each of one part or of several over one another. What it shows stands in a table as well;
// whoever points at a bar reads its own.
import type { Tone } from './badge.tsx'
import { stackParts } from './stack-parts.ts'

const WIDTH = 10
const GAP = 2
const HEIGHT = 100
/** What is more than nothing is seen. */
const LEAST = 3

interface BarsProps {
  /** What it shows, in words. */
  label: string
  /** Of the parts, from the bottom up. */
  tones: readonly Tone[]
  /** From left to right: what each stands for, in words, and one value for each part. */
  bars: readonly { title: string; values: readonly number[] }[]
}

export function Bars({ label, tones, bars }: BarsProps) {
  const places = stackParts(bars.map(({ values }) => values))
  return (
    <svg
      class="bars"
      viewBox={`0 0 ${bars.length * WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      {bars.map(({ title, values }, i) => (
        <g key={title}>
          <title>{title}</title>
          <rect class="ground" x={i * WIDTH} y={0} width={WIDTH} height={HEIGHT} />
          {places[i]?.map(({ top, height }, part) => {
            const shown = (values[part] ?? 0) > 0 ? Math.max(height * HEIGHT, LEAST) : 0
            return (
              <rect
                key={tones[part]}
                class={tones[part]}
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
  )
}
