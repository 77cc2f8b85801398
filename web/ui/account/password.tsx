// The password: set, or changed.
import { useState } from 'preact/hooks'
import type { Account } from '../../../src/servers/sessions/account-schemas.ts'
import { Dialog } from '../dialog.tsx'
import { Field, Form, Submit } from '../form.tsx'
import { changed } from '../query.ts'
import { send } from '../request.ts'
import { toast } from '../toast.tsx'

export function Password({ account }: { account: Account }) {
  const [open, setOpen] = useState(false)
  const verb = account.hasPassword ? 'Change password' : 'Set password'
  return (
    <div class="beside apart">
      <div>
        <h3>Password</h3>
        <p class="soft">{account.hasPassword ? 'You sign in with a password.' : 'You have none.'}</p>
      </div>
      <button type="button" onClick={() => setOpen(true)}>
        {verb}
      </button>
      {open && (
        <Dialog title={verb} onClose={() => setOpen(false)}>
          <Form onSubmit={save}>
            <input hidden value={account.login} autoComplete="username" readOnly />
            <Field
              label="New password"
              name="password"
              type="password"
              autoComplete="new-password"
              autoFocus
              hint="15 characters or more; with a second factor 8 are enough. All other sessions end."
            />
            <div class="actions end">
              <Submit>{verb}</Submit>
            </div>
          </Form>
        </Dialog>
      )}
    </div>
  )

  async function save({ password }: Record<string, string>): Promise<void> {
    await send('PUT', '/data/account/password', { password })
    setOpen(false)
    await changed('/data/account')
    toast('Your password is changed.')
  }
}
