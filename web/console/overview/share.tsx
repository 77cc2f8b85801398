// How much is used of something, of which a plan gives so much. A warning from four fifths on.
import { shareOf } from './amounts.ts'

const WARNED_PERCENT = 80

interface ShareProps {
  label: string
  used: number
  /** Null: none. */
  limit: number | null
  words(amount: number): string
}

export function Share({ label, used, limit, words }: ShareProps) {
  const share = shareOf(used, limit)
  return (
    <div class="stack tight">
      <div class="beside apart">
        <h3>{label}</h3>
        <span class="soft">{limit === null ? words(used) : `${words(used)} of ${words(limit)}`}</span>
      </div>
      {limit !== null && <meter aria-label={label} min={0} max={100} high={WARNED_PERCENT} optimum={0} value={share} />}
      {share >= 100 ? (
        <p class="alert bad">All of it is used: more is refused.</p>
      ) : (
        share >= WARNED_PERCENT && <p class="alert warn">{share} % of it is used.</p>
      )}
    </div>
  )
}
