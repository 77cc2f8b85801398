// What the palette offers for what was typed: pages by their words, an address, and what the server has found. Pure.
import type { FoundThing } from '../../../src/servers/console/found-schemas.ts'

/** Somewhere to go. */
export interface Choice {
  href: string
  words: string
  /** What it is. */
  kind: string
  about?: string | undefined
}

/** A page of the console. `also`: what one may call it beside its label. */
export interface NamedPage {
  path: string
  label: string
  also?: string | undefined
}

/** Gives a path in the environment where the page is. */
type Here = (path: string) => string

const ADDRESS = /^[^\s@<>]+@[^\s@<>]+$/
const NO_SUBJECT = '(no subject)'

/** All pages, or those that have a word beginning with each that was typed; the label before other words. */
export function pagesFor(text: string, pages: readonly NamedPage[], here: Here): Choice[] {
  const wanted = wordsOf(text)
  const fits = (words: string) => wanted.every((word) => wordsOf(words).some((own) => own.startsWith(word)))
  const byLabel = pages.filter(({ label }) => fits(label))
  const byWords = pages.filter((page) => !byLabel.includes(page) && fits(`${page.label} ${page.also ?? ''}`))
  return [...byLabel, ...byWords].map(({ path, label }) => ({ href: here(path), words: label, kind: 'Page' }))
}

const wordsOf = (text: string): string[] =>
  text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)

/** What there is of a whole address. */
export function addressFor(text: string, here: Here): Choice[] {
  const address = text.trim()
  if (!ADDRESS.test(address)) return []
  const recipient = encodeURIComponent(address)
  return [
    { path: '/messages', words: `Messages to ${address}` },
    { path: '/bounces', words: `Bounces of ${address}` },
  ].map(({ path, words }) => ({ href: here(`${path}?recipient=${recipient}`), words, kind: 'Address' }))
}

/** Where what was found is shown. */
export function choiceOf(found: FoundThing, here: Here): Choice {
  const { kind, id, words } = found
  const about = found.about ?? undefined
  switch (kind) {
    case 'message':
      return { href: here(`/messages/${id}`), words: words.trim() || NO_SUBJECT, kind: 'Message', about }
    case 'event':
      return { href: here(`/events?${eventAlone(found)}`), words, kind: 'Event', about }
    case 'delivery':
      return { href: here(`/deliveries/${id}`), words, kind: 'Delivery', about }
    case 'request':
      return { href: here(`/requests/${id}`), words, kind: 'Refused request', about }
    case 'endpoint':
      return { href: here(`/webhooks/${id}`), words, kind: 'Endpoint', about }
    case 'app':
      return { href: here(`/apps/${id}`), words, kind: 'Application', about }
    case 'domain':
      return { href: here(`/domains/${id}`), words, kind: 'Domain', about }
    case 'mailbox':
      return { href: here(`/mailboxes/${id}`), words, kind: 'Mailbox', about }
  }
}

/** Of its resource, at its instant: bounds of a list are in milliseconds, instants of events finer. */
function eventAlone({ resourceId, at }: FoundThing): URLSearchParams {
  const ms = Date.parse(at ?? '')
  return new URLSearchParams({
    resourceId: resourceId ?? '',
    since: new Date(ms).toISOString(),
    until: new Date(ms + 1).toISOString(),
  })
}

/** The one before or behind, around the ends; the first where none is chosen. */
export function nextOf(chosen: number, step: 1 | -1, count: number): number {
  return count === 0 ? -1 : (chosen + step + count) % count
}
