// Invites somebody: an address and a role, and then the link to hand on.
import { useState } from 'preact/hooks'
import type { MadeLink } from '../../../src/servers/console/schemas.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Field, Form, Submit } from '../../ui/form.tsx'
import { changed } from '../../ui/query.ts'
import { send } from '../../ui/request.ts'
import { LinkDialog } from './link-dialog.tsx'
import { RoleField } from './role-dialog.tsx'

export function InviteDialog({ onClose }: { onClose(): void }) {
  const [invited, setInvited] = useState<{ email: string; made: MadeLink }>()
  if (invited) return <LinkDialog {...invited} purpose="invitation" onClose={onClose} />
  return (
    <Dialog title="Invite" onClose={onClose}>
      <Form onSubmit={invite}>
        <Field label="E-mail" name="email" type="email" autoComplete="off" required autoFocus />
        <RoleField chosen="admin" />
        <div class="actions end">
          <Submit>Invite</Submit>
        </div>
      </Form>
    </Dialog>
  )

  async function invite({ email = '', role }: Record<string, string>): Promise<void> {
    const made = await send<MadeLink>('POST', '/data/people', { email: email.trim(), role })
    setInvited({ email: email.trim(), made })
    await changed('/data/people')
  }
}
