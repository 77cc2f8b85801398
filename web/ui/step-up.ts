// Some things want whoever is signed in to prove it anew. The dialog that asks is shown by whoever reads `asking`.
import { signal } from '@preact/signals'

/** Set while somebody is asked; called with whether they proved it. */
export const asking = signal<((proven: boolean) => void) | undefined>(undefined)

let asked: Promise<boolean> | undefined

/** Asks once, however many requests wait for it. */
export function proveAgain(): Promise<boolean> {
  asked ??= new Promise<boolean>((resolve) => {
    asking.value = resolve
  }).finally(() => {
    asked = undefined
    asking.value = undefined
  })
  return asked
}
