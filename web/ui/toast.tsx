// What was just done, in a corner, for as long as it takes to read.
import { signal } from '@preact/signals'

const SHOWN_MS = 6_000

interface Toast {
  id: number
  words: string
}

const toasts = signal<readonly Toast[]>([])
let made = 0

export function toast(words: string): void {
  const shown = { id: ++made, words }
  toasts.value = [...toasts.value, shown]
  setTimeout(() => {
    toasts.value = toasts.value.filter((each) => each !== shown)
  }, SHOWN_MS)
}

export function Toasts() {
  return (
    <div class="toasts" role="status">
      {toasts.value.map(({ id, words }) => (
        <p key={id}>{words}</p>
      ))}
    </div>
  )
}
