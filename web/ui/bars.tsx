// A chart of bars, small enough to stand beside a figure. What it shows stands in a table as well.
import type { Tone } from './badge.tsx'
import { heightsOf } from './bars.ts'

interface BarsProps {
  /** What it shows, in words. */
  label: string
  /** From left to right, each with what its bar stands for. */
  bars: readonly { label: string; value: number }[]
  tone?: Tone
}

const WIDTH = 10
const GAP = 2
const HEIGHT = 40

export function Bars({ label, bars, tone = 'accent' }: BarsProps) {
  const heights = heightsOf(bars.map(({ value }) => value))
  return (
    <svg
      class={`bars ${tone}`}
      viewBox={`0 0 ${bars.length * WIDTH} ${HEIGHT + 1}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      {bars.map((bar, i) => {
        const height = heights[i] ?? 0
        return (
          <g key={bar.label}>
            <title>{`${bar.label}: ${bar.value}`}</title>
            <rect class="ground" x={i * WIDTH} y={0} width={WIDTH} height={HEIGHT + 1} />
            <rect x={i * WIDTH + GAP / 2} y={HEIGHT - height} width={WIDTH - GAP} height={height} />
          </g>
        )
      })}
      <line x1={0} x2={bars.length * WIDTH} y1={HEIGHT + 0.5} y2={HEIGHT + 0.5} />
    </svg>
  )
}
