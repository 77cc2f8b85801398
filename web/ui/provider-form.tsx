// Leaves for the sign-in of one's organization, and comes back to where one is. A form and no link: other sites cannot have it
// followed.
import type { ComponentChildren } from 'preact'
import type { SignedIn } from '../../src/servers/sessions/session-schema.ts'
import { attempt } from './attempt.ts'
import { read } from './request.ts'
import { proveAgain } from './step-up.ts'

interface ProviderFormProps {
  tenantId: string
  /** `prove`: that it is still the same person. `link`: that the account there signs in here too. */
  purpose: 'prove' | 'link'
  children: ComponentChildren
}

export function ProviderForm({ tenantId, purpose, children }: ProviderFormProps) {
  return (
    <form method="post" action={`/sign-in/sso/${tenantId}`} onSubmit={purpose === 'link' ? proveFirst : undefined}>
      <input type="hidden" name="purpose" value={purpose} />
      <input type="hidden" name="to" value={location.pathname + location.search} />
      <button type="submit" class={purpose === 'prove' ? 'primary' : ''}>
        {children}
      </button>
    </form>
  )
}

/** What one signs in with is changed by whom has proven a moment ago who it is. */
function proveFirst(event: SubmitEvent): void {
  event.preventDefault()
  const form = event.currentTarget as HTMLFormElement
  attempt(async () => {
    const { fresh } = await read<SignedIn>('/data/session')
    if (fresh || (await proveAgain())) form.submit()
  })
}
