// What became of a delivery and its attempts, in sentences: what happened, and what to do about it. Pure.
import type { ListedDelivery } from '../../../src/servers/console/webhook-schemas.ts'
import type { DeliveryError } from '../../../src/webhooks/delivery-state.ts'

interface Explained {
  what: string
  toDo: string
}

const ERRORS: Readonly<Record<Exclude<DeliveryError, 'http_status'>, Explained>> = {
  timeout: {
    what: 'No answer in time',
    toDo: 'Have the receiver answer 2xx at once, and do its work afterwards.',
  },
  unsafe_address: {
    what: 'The address is not public',
    toDo: 'Have the host name lead to public addresses only: no others are ever posted to.',
  },
  dns: {
    what: 'The host name was not found',
    toDo: 'Check the host name in the URL, and its DNS records.',
  },
  redirect: {
    what: 'Redirected elsewhere',
    toDo: 'Redirects are not followed. Give the endpoint the URL that they lead to.',
  },
  tls: {
    what: 'No secure connection',
    toDo: 'Check the receiver’s certificate: that it has not expired, is for this host name, and comes with its chain.',
  },
  network: {
    what: 'The connection failed',
    toDo: 'Check that the receiver is running, and that its firewall lets the connection in.',
  },
  endpoint_disabled: {
    what: 'The endpoint was disabled',
    toDo: 'Enable the endpoint, then replay.',
  },
  receptions_exhausted: {
    what: 'Interrupted on our side',
    toDo: 'It was taken up five times, and each time broke off or failed. The receiver may have it already. Replay it.',
  },
}

/** By the status that was answered, where somebody knows what to do about it. */
const STATUSES: Readonly<Record<number, string>> = {
  400: 'Look into the receiver’s log for what it has against the request.',
  401: 'Have the receiver let requests in by their signature, with the secret of this endpoint.',
  403: 'Have the receiver, or the firewall before it, let requests in that carry a good signature.',
  404: 'Check the path of the URL: nothing takes requests there.',
  405: 'Have the receiver take POST requests at this URL.',
  410: 'Check the path of the URL: what was there is gone.',
  413: 'Have the receiver take larger bodies.',
  429: 'Have the receiver take more requests a second.',
}

/** Why an attempt failed, or why a delivery was given up. `status`: what was answered, if anything was. */
export function explainError(error: DeliveryError, status: number | null): Explained {
  if (error !== 'http_status') return ERRORS[error]
  const what = `Answered ${status}`
  const known = STATUSES[status ?? 0]
  if (known) return { what, toDo: known }
  if (status !== null && status >= 500) {
    return { what, toDo: 'The receiver itself failed: look into its log at that time.' }
  }
  return { what, toDo: 'Have the receiver answer 2xx once it has the event.' }
}

const ATTEMPTS_OF_A_CYCLE = 5

/** Where a delivery stands, in a sentence. `nowMs`: Unix time. */
export function standingOf(delivery: ListedDelivery, nowMs: number): string {
  const { status, attemptCount: attempts, lastStatusCode, lastError, cycle } = delivery
  if (status === 'delivered') {
    return `The receiver accepted it with ${lastStatusCode}${attempts > 1 ? `, at attempt ${attempts}` : ''}.`
  }
  if (status === 'dead') {
    if (lastError === 'endpoint_disabled') return 'It was given up because its endpoint was disabled.'
    if (lastError === 'receptions_exhausted') return 'It was given up because it broke off on our side too often.'
    return `It was given up after ${times(attempts)}.`
  }
  const isDue = whenDue(delivery, nowMs) !== 'later'
  if (attempts > 0) return `Attempt ${attempts} of ${ATTEMPTS_OF_A_CYCLE} failed.`
  if (!isDue) return 'It waits until its endpoint is tried again.'
  return cycle > 1 ? 'It is being replayed.' : 'It is about to be posted.'
}

/** What is nearer is said to come in a moment. */
const SOON_MS = 45_000

/** Of one that is pending: its turn has come, comes in a moment, or later. */
export function whenDue(
  { nextAttemptAt }: Pick<ListedDelivery, 'nextAttemptAt'>,
  nowMs: number,
): 'due' | 'soon' | 'later' {
  const away = nextAttemptAt === null ? 0 : Date.parse(nextAttemptAt) - nowMs
  return away <= 0 ? 'due' : away < SOON_MS ? 'soon' : 'later'
}

/** What to do about one that has not arrived; undefined where there is nothing. */
export function adviceFor(
  { status, lastError, lastStatusCode }: ListedDelivery,
  endpointEnabled: boolean,
): string | undefined {
  if (status === 'delivered' || lastError === null) return undefined
  if (lastError === 'endpoint_disabled') {
    return endpointEnabled
      ? 'Replay it once the receiver works.'
      : 'Once the receiver works, have the endpoint enabled, then replay.'
  }
  const { what, toDo } = explainError(lastError, lastStatusCode)
  return `${what}. ${toDo}`
}

const times = (attempts: number): string => (attempts === 1 ? '1 attempt' : `${attempts} attempts`)

/** What came back last, in few words, however it ended; why nothing did, or undefined while nothing was tried. */
export function lastAnswerOf({ lastStatusCode, lastError }: ListedDelivery): string | undefined {
  if (lastStatusCode !== null) return `Answered ${lastStatusCode}`
  return lastError === null ? undefined : explainError(lastError, null).what
}
