// How far a replay is, and how it ended, in words. Pure.
import type { ShownReplay } from '../../../src/servers/console/webhook-schemas.ts'

/** Beyond it nobody counts how many are left. */
const MOST_COUNTED = 10_000

const count = new Intl.NumberFormat('en')

/** `share`: in whole percent; undefined while it cannot be told. */
export function progressOf({ replayed, remaining }: Pick<ShownReplay, 'replayed' | 'remaining'>): {
  words: string
  share: number | undefined
} {
  const done = `${count.format(replayed)} replayed`
  if (remaining === null) return { words: `${done}.`, share: undefined }
  if (remaining >= MOST_COUNTED)
    return { words: `${done}, ${count.format(MOST_COUNTED)} or more left.`, share: undefined }
  const all = replayed + remaining
  const share = all === 0 ? undefined : Math.floor((replayed * 100) / all)
  return { words: `${done}, ${count.format(remaining)} left.`, share }
}

const STOPS: Readonly<Record<NonNullable<ShownReplay['stoppedBecause']>, string>> = {
  asked: 'Stopped',
  endpoint_disabled: 'Stopped because the endpoint was disabled',
  endpoint_deleted: 'Stopped because the endpoint was deleted',
  fault: 'Stopped by a fault on our side',
}

/** Of one that runs no more. */
export function endInWords({ stoppedBecause, replayed }: Pick<ShownReplay, 'stoppedBecause' | 'replayed'>): string {
  const deliveries = replayed === 1 ? '1 delivery' : `${count.format(replayed)} deliveries`
  if (stoppedBecause !== null) return `${STOPS[stoppedBecause]}: ${deliveries} replayed.`
  return replayed === 0 ? 'Nothing had died since then.' : `Replayed ${deliveries}.`
}
