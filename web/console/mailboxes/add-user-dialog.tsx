// Gives somebody access to a mailbox: who and to do what, and then the link to hand on.
import { useState } from 'preact/hooks'
import type { ShownMailbox } from '../../../src/servers/console/mailbox-schemas.ts'
import type { MadeLink } from '../../../src/servers/console/schemas.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Field, Form, Submit } from '../../ui/form.tsx'
import { changed } from '../../ui/query.ts'
import { send } from '../../ui/request.ts'
import { AccessField } from './access-field.tsx'
import { UserLinkDialog } from './user-link-dialog.tsx'

export function AddUserDialog({ mailbox, onClose }: { mailbox: ShownMailbox; onClose(): void }) {
  const [added, setAdded] = useState<{ login: string; made: MadeLink }>()
  if (added) {
    const user = { login: added.login, hasRecoveryAddress: false }
    return <UserLinkDialog mailbox={mailbox} user={user} made={added.made} purpose="invitation" onClose={onClose} />
  }
  return (
    <Dialog title="Add user" onClose={onClose}>
      <Form onSubmit={add}>
        <Field
          label="Login"
          name="login"
          type="email"
          hint={`The address that they sign in with: ${mailbox.address}, or one that they have elsewhere.`}
          autoComplete="off"
          required
          autoFocus
        />
        <AccessField chosen="write" />
        <div class="actions end">
          <Submit>Add user</Submit>
        </div>
      </Form>
    </Dialog>
  )

  async function add({ login = '', access }: Record<string, string>): Promise<void> {
    const made = await send<MadeLink>('POST', `/data/mailboxes/${mailbox.id}/users`, { login: login.trim(), access })
    setAdded({ login: login.trim(), made })
    await changed('/data/mailboxes')
  }
}
