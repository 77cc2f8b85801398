// What a key is called, how it stands, and whether one that was replaced is still needed. Pure: what time it is comes in.
import type { ConsoleKey } from '../../../src/servers/console/app-schemas.ts'

const DAY_MS = 86_400_000
/** So long before its end a key is marked. */
export const SOON_MS = 14 * DAY_MS
/** A key that was replaced and not used for so long is no longer needed. */
export const UNUSED_MS = DAY_MS

export type KeyState = 'good' | 'expires_soon' | 'expired' | 'revoked'

export function stateOf(
  { revokedAt, expiresAt }: Pick<ConsoleKey, 'revokedAt' | 'expiresAt'>,
  nowMs: number,
): KeyState {
  if (revokedAt !== null) return 'revoked'
  if (expiresAt === null) return 'good'
  const leftMs = Date.parse(expiresAt) - nowMs
  if (leftMs <= 0) return 'expired'
  return leftMs <= SOON_MS ? 'expires_soon' : 'good'
}

export function isUsable(state: KeyState): boolean {
  return state === 'good' || state === 'expires_soon'
}

/** Its name, or what it begins with. */
export const calledOf = ({ name, prefix }: Pick<ConsoleKey, 'name' | 'prefix'>): string => name ?? `${prefix}…`

export interface Replacement {
  by: ConsoleKey
  /** Nobody seems to use the former any more. */
  isUnused: boolean
}

/** Of a key whose place another one has that is good; undefined otherwise. */
export function replacementOf(
  key: Pick<ConsoleKey, 'id' | 'lastUsedAt'>,
  keys: readonly ConsoleKey[],
  nowMs: number,
): Replacement | undefined {
  const by = keys.find(({ replaces, ...other }) => replaces === key.id && isUsable(stateOf(other, nowMs)))
  if (!by) return undefined
  return { by, isUnused: key.lastUsedAt === null || nowMs - Date.parse(key.lastUsedAt) > UNUSED_MS }
}
