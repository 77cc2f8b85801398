// How an endpoint stands, in words. Pure.
import type { ShownEndpoint } from '../../../src/servers/console/webhook-schemas.ts'
import type { Tone } from '../../ui/badge.tsx'

type Standing = Pick<ShownEndpoint, 'enabled' | 'consecutiveFailures' | 'failureLimit'>

/** In a badge. */
export function stateOf({ enabled, consecutiveFailures, failureLimit }: Standing): { words: string; tone: Tone } {
  if (!enabled) return { words: 'Disabled', tone: 'bad' }
  if (consecutiveFailures > 0) return { words: `Failing ${consecutiveFailures}/${failureLimit}`, tone: 'warn' }
  return { words: 'Enabled', tone: 'good' }
}

/** Why it was disabled. */
export function disabledBecause({
  disabledReason,
  failureLimit,
}: Pick<ShownEndpoint, 'disabledReason' | 'failureLimit'>) {
  if (disabledReason === 'consecutive failed attempts') return `${failureLimit} attempts in a row failed`
  return disabledReason ?? 'disabled'
}

/** `message.sent, message.bounced`; `All events` */
export function eventsInWords(eventTypes: readonly string[]): string {
  return eventTypes.includes('*') ? 'All events' : eventTypes.join(', ')
}

const DAY_MS = 24 * 60 * 60 * 1000

/** Since when what died is replayed unless somebody says otherwise: the first failure in a row, the latest there was. */
export function replayFrom(
  {
    failingSince,
    disabledAt,
    lastFailingSince,
  }: Pick<ShownEndpoint, 'failingSince' | 'disabledAt' | 'lastFailingSince'>,
  nowMs: number,
): string {
  return failingSince ?? disabledAt ?? lastFailingSince ?? new Date(nowMs - DAY_MS).toISOString()
}

/**
 * The types that a form has chosen: of every type a box, `type:` before its name, unless all are.
 * @throws Error in words for whoever fills it in, when there is none
 */
export function chosenTypes(values: Readonly<Record<string, string>>): string[] {
  if (values.events !== 'some') return ['*']
  const types = Object.keys(values).flatMap((name) => (name.startsWith('type:') ? [name.slice('type:'.length)] : []))
  if (types.length === 0) throw new Error('Choose one type of event, or more, or all of them.')
  return types
}
