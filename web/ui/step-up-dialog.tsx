// Asks whoever is signed in to prove it anew: by password and, with an authenticator app, a code; or by a passkey; or where
// single sign-on has them sign in.
import type { Account } from '../../src/servers/sessions/account-schemas.ts'
import { Dialog } from './dialog.tsx'
import { Field, Form, Submit } from './form.tsx'
import { ProviderForm } from './provider-form.tsx'
import { useQuery } from './query.ts'
import { send, signIn } from './request.ts'
import { session } from './session.ts'
import { Loaded } from './states.tsx'
import { asking } from './step-up.ts'

export function StepUpDialog() {
  const answer = asking.value
  const account = useQuery<Account>(answer ? '/data/account' : undefined)
  if (!answer) return null
  return (
    <Dialog title="Confirm that it is you" onClose={() => answer(false)}>
      <p class="soft">This changes something that matters, and you signed in a while ago.</p>
      {session().bySingleSignOn ? (
        <ProviderForm tenantId={session().tenantId} purpose="prove">
          Sign in at your organization
        </ProviderForm>
      ) : (
        <Loaded query={account}>{(own) => <Proofs account={own} onProven={() => answer(true)} />}</Loaded>
      )}
    </Dialog>
  )
}

/** What the user has. Beside passkeys alone the password is not enough. */
function Proofs({ account, onProven }: { account: Account; onProven(): void }) {
  const { login, hasPassword, hasTotp, passkeys } = account
  const byPassword = hasPassword && (hasTotp || passkeys.length === 0)
  return (
    <div class="stack">
      {passkeys.length > 0 && (
        <Form onSubmit={byPasskey}>
          <Submit>Use a passkey</Submit>
        </Form>
      )}
      {byPassword && (
        <Form onSubmit={(proof) => send('POST', '/data/step-up', proof).then(onProven)}>
          {/* For password managers. */}
          <input hidden value={login} autoComplete="username" readOnly />
          <Field label="Password" name="password" type="password" autoComplete="current-password" autoFocus />
          {hasTotp && (
            <Field
              label="Code"
              name="code"
              hint="Of your authenticator app, or one of your recovery codes."
              autoComplete="one-time-code"
            />
          )}
          <div class="actions end">
            <Submit>Confirm</Submit>
          </div>
        </Form>
      )}
      {!byPassword && passkeys.length === 0 && (
        <button type="button" class="primary" onClick={signIn}>
          Sign in again
        </button>
      )}
    </div>
  )

  async function byPasskey(): Promise<void> {
    const { startAuthentication } = await import('@simplewebauthn/browser')
    const { optionsJSON } = await send<{ optionsJSON: never }>('POST', '/data/step-up/passkey-options')
    await send('POST', '/data/step-up/passkey', { response: await startAuthentication({ optionsJSON }) })
    onProven()
  }
}
