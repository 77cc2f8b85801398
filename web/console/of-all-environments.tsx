// Says in a sandbox that what a page shows is the organization's, and not the sandbox's alone.
import { environment } from './place.ts'

export function OfAllEnvironments({ what }: { what: string }) {
  if (environment() === undefined) return null
  return <p class="soft">{what} belong to the organization: they are the same in production and in every sandbox.</p>
}
