// What is said while the server does not take what is asked of it: each way of that in words of its own. Pure.
import type { Away } from './draft-parts.ts'

/** Of a message that is to be sent. */
export function queuedWords(away: Away | undefined): string {
  if (away?.kind === 'limited') return `Too many requests in a minute. It is sent by itself in ${secondsOf(away)}.`
  if (away?.kind === 'busy') return 'The service is busy. It is sent by itself as soon as it can be.'
  return 'Offline. It is sent as soon as the service can be reached.'
}

/** Of a text that is to be saved. */
export function unsavedWords(away: Away | undefined): string {
  if (away?.kind === 'limited') return 'Too many requests in a minute, kept in this browser'
  if (away?.kind === 'busy') return 'The service is busy, kept in this browser'
  return 'Offline, kept in this browser'
}

const secondsOf = ({ retryInSeconds }: Away): string =>
  retryInSeconds === 1 ? '1 second' : `${retryInSeconds} seconds`
