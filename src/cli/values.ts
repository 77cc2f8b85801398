// What arguments and options are read as.
import { InvalidArgumentError } from 'commander'
import { SCOPES, type Scope } from '../access/permissions.ts'
import { parseDuration } from '../lib/duration.ts'
import { isUuid, type Uuid } from '../lib/uuid.ts'

/** An id, where nothing has a name. */
export function id(text: string): Uuid {
  if (!isUuid(text)) throw new InvalidArgumentError('It is not an id (a UUID).')
  return text.toLowerCase()
}

/** A whole number from 0. */
export function count(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('It is not a whole number from 0.')
  return Number(text)
}

/** More than anybody reads, and no more than memory holds. */
const MOST_LISTED = 10_000

/** How many a list shows at most. */
export function limit(text: string): number {
  const most = count(text)
  if (most < 1 || most > MOST_LISTED)
    throw new InvalidArgumentError(`It is not a whole number from 1 to ${MOST_LISTED}.`)
  return most
}

/** A number the service has given to something. */
export function serial(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError('It is not a number as the list shows it.')
  return Number(text)
}

/** Such as 90d, in milliseconds. */
export function duration(text: string): number {
  try {
    return parseDuration(text)
  } catch (error) {
    throw new InvalidArgumentError((error as Error).message)
  }
}

/** A scope, which may be given several times. */
export function scopes(text: string, before: Scope[] = []): Scope[] {
  const scope = SCOPES.find((known) => known === text)
  if (!scope) throw new InvalidArgumentError(`It is none of ${SCOPES.join(', ')}.`)
  return [...before, scope]
}
