// What was just done, in a corner, for as long as it takes to read.
import { signal } from '@preact/signals'
import type { ComponentChildren } from 'preact'

const SHOWN_MS = 6_000
/** With something to press on it. */
const OFFERED_MS = 15_000

interface Offer {
  label: string
  act(): void
}

interface Toast {
  id: number
  words: ComponentChildren
  offer: Offer | undefined
}

const toasts = signal<readonly Toast[]>([])
let made = 0

/** Gives what takes it away again. `offer`: a button on it. */
export function toast(words: ComponentChildren, offer?: Offer, shownMs = offer ? OFFERED_MS : SHOWN_MS): () => void {
  const shown = { id: ++made, words, offer }
  toasts.value = [...toasts.value, shown]
  const forget = () => {
    toasts.value = toasts.value.filter((each) => each !== shown)
  }
  setTimeout(forget, shownMs)
  return forget
}

export function Toasts() {
  return (
    <div class="toasts" role="status">
      {toasts.value.map(({ id, words, offer }) => (
        <p key={id}>
          {words}
          {offer && (
            <button type="button" onClick={offer.act}>
              {offer.label}
            </button>
          )}
        </p>
      ))}
    </div>
  )
}
