// Passkeys: added, and removed.
import { useState } from 'preact/hooks'
import type { Account } from '../../../src/servers/sessions/account-schemas.ts'
import { Ask } from '../ask.tsx'
import { Dialog } from '../dialog.tsx'
import { Field, Form, Submit } from '../form.tsx'
import { changed } from '../query.ts'
import { send } from '../request.ts'
import { loadSession } from '../session.ts'
import { Time } from '../time.tsx'
import { toast } from '../toast.tsx'

type Passkey = Account['passkeys'][number]

export function Passkeys({ account }: { account: Account }) {
  const [adding, setAdding] = useState(false)
  const [removing, setRemoving] = useState<Passkey>()
  return (
    <div class="stack">
      <div class="beside apart">
        <div>
          <h3>Passkeys</h3>
          <p class="soft">Sign in with your fingerprint, face or device: nothing to type, nothing to steal.</p>
        </div>
        <button type="button" onClick={() => setAdding(true)}>
          Add passkey
        </button>
      </div>
      {account.passkeys.length > 0 && (
        <ul class="plain rows">
          {account.passkeys.map((passkey) => (
            <li key={passkey.id} class="beside apart">
              <div>
                <strong>{passkey.name}</strong>
                <br />
                <small>
                  Added <Time at={passkey.createdAt} />
                  {passkey.lastUsedAt && (
                    <>
                      , last used <Time at={passkey.lastUsedAt} />
                    </>
                  )}
                </small>
              </div>
              <button type="button" class="quiet small danger" onClick={() => setRemoving(passkey)}>
                Remove<span class="unseen"> {passkey.name}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
      {adding && (
        <Dialog title="Add passkey" onClose={() => setAdding(false)}>
          <Form onSubmit={add}>
            <Field
              label="Name"
              name="name"
              maxLength={60}
              hint="By which you tell it from others, such as “Laptop”."
              autoFocus
            />
            <div class="actions end">
              <Submit>Add passkey</Submit>
            </div>
          </Form>
        </Dialog>
      )}
      {removing && (
        <Ask
          title={`Remove ${removing.name}?`}
          verb="Remove"
          onYes={() => remove(removing)}
          onClose={() => setRemoving(undefined)}
        >
          You will not sign in with it any more.
        </Ask>
      )}
    </div>
  )

  async function add({ name = '' }: Record<string, string>): Promise<void> {
    const [{ startRegistration }, { optionsJSON }] = await Promise.all([
      import('@simplewebauthn/browser'),
      send<{ optionsJSON: never }>('POST', '/data/account/passkeys/options'),
    ])
    const response = await startRegistration({ optionsJSON }).catch(() => {
      throw new Error('No passkey was made. Try again, or use another device.')
    })
    await send('POST', '/data/account/passkeys', { name, response })
    setAdding(false)
    await changed('/data/account')
    await loadSession()
    toast(`${name} is added.`)
  }

  async function remove({ id, name }: Passkey): Promise<void> {
    await send('DELETE', `/data/account/passkeys/${id}`)
    await changed('/data/account')
    await loadSession()
    toast(`${name} is removed.`)
  }
}
