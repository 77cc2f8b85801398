// What shows when it could not be found out who is signed in. Whoever is not is on the way to the sign-in already.
import { Refusal } from './request.ts'
import { FaultState } from './states.tsx'

export function StartFault({ fault }: { fault: Error }) {
  if (fault instanceof Refusal && fault.status === 401) return null
  return (
    <main class="alone">
      <FaultState fault={fault} again={() => location.reload()} />
    </main>
  )
}
