// Things done with one press of a button, outside any form: what goes wrong is said in a corner.
import { toast } from './toast.tsx'

/** Runs it, and says what it throws. */
export function attempt(act: () => Promise<unknown>): void {
  act().catch((error: Error) => toast(error.message))
}
