// Who has access to a mailbox, a row each. Owners change it.
import { useState } from 'preact/hooks'
import type { ShownMailbox, ShownMailboxUser } from '../../../src/servers/console/mailbox-schemas.ts'
import type { MadeLink } from '../../../src/servers/console/schemas.ts'
import { Ask } from '../../ui/ask.tsx'
import { attempt } from '../../ui/attempt.ts'
import { Badge } from '../../ui/badge.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Form, Submit } from '../../ui/form.tsx'
import { changed } from '../../ui/query.ts'
import { send } from '../../ui/request.ts'
import { Time } from '../../ui/time.tsx'
import { toast } from '../../ui/toast.tsx'
import { isOwner } from '../place.ts'
import { AccessField, accessInWords } from './access-field.tsx'
import { type MadeUserLink, UserLinkDialog } from './user-link-dialog.tsx'

interface OfMailbox {
  mailbox: ShownMailbox
}

type Shown = { kind: 'access' | 'remove'; user: ShownMailboxUser } | ({ kind: 'link' } & MadeUserLink)

export function UsersTable({ mailbox, users }: OfMailbox & { users: readonly ShownMailboxUser[] }) {
  const [shown, setShown] = useState<Shown>()
  const close = () => setShown(undefined)
  return (
    <div class="table folds">
      <table>
        <thead>
          <tr>
            <th scope="col">User</th>
            <th scope="col">Access</th>
            <th scope="col">Last seen</th>
            {isOwner() && (
              <th scope="col">
                <span class="unseen">Actions</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {users.map((user) => (
            <tr key={user.id}>
              <User user={user} />
              <td data-label="Access">{accessInWords(user.access)}</td>
              <td data-label="Last seen">{user.lastSeenAt ? <Time at={user.lastSeenAt} /> : '–'}</td>
              {isOwner() && (
                <td class="actions-cell">
                  <Actions user={user} onShow={setShown} />
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
      {shown?.kind === 'link' && <UserLinkDialog {...shown} mailbox={mailbox} onClose={close} />}
      {shown?.kind === 'access' && <AccessDialog mailbox={mailbox} user={shown.user} onClose={close} />}
      {shown?.kind === 'remove' && <AskRemove mailbox={mailbox} user={shown.user} onClose={close} />}
    </div>
  )
}

function User({ user: { login, name, status, others } }: { user: ShownMailboxUser }) {
  return (
    <th scope="row" class="address">
      <strong>
        <bdi>{name ?? login}</bdi>
      </strong>{' '}
      {status === 'invited' && <Badge tone="warn">Invited</Badge>}
      {name && (
        <>
          <br />
          <small>{login}</small>
        </>
      )}
      {others.length > 0 && (
        <>
          <br />
          <small title={others.join(', ')}>
            {others.length === 1 ? `Also has ${others[0]}` : `Also has ${others.length} other mailboxes`}
          </small>
        </>
      )}
    </th>
  )
}

function Actions({ user, onShow }: { user: ShownMailboxUser; onShow(shown: Shown): void }) {
  const purpose = user.status === 'invited' ? 'invitation' : 'reset'
  async function link(): Promise<void> {
    const made = await send<MadeLink>('POST', `/data/mailbox-users/${user.id}/${purpose}`)
    onShow({ kind: 'link', user, made, purpose })
  }
  const of = <span class="unseen"> {user.login}</span>
  return (
    <>
      <button type="button" class="quiet small" onClick={() => attempt(link)}>
        {purpose === 'invitation' ? 'New link' : 'Reset'}
        {of}
      </button>
      <button type="button" class="quiet small" onClick={() => onShow({ kind: 'access', user })}>
        Change access{of}
      </button>
      <button type="button" class="quiet small danger" onClick={() => onShow({ kind: 'remove', user })}>
        Remove{of}
      </button>
    </>
  )
}

interface UserDialogProps extends OfMailbox {
  user: ShownMailboxUser
  onClose(): void
}

function AccessDialog({ mailbox, user, onClose }: UserDialogProps) {
  async function save({ access }: Record<string, string>): Promise<void> {
    await send('PUT', `/data/mailboxes/${mailbox.id}/users/${user.id}/access`, { access })
    onClose()
    await changed('/data/mailboxes')
    toast(`${user.login} may ${access === 'write' ? 'read and write' : 'only read'} now.`)
  }
  return (
    <Dialog title={`Access of ${user.name ?? user.login}`} onClose={onClose}>
      <Form onSubmit={save}>
        <AccessField chosen={user.access} autoFocus />
        <div class="actions end">
          <Submit>Change access</Submit>
        </div>
      </Form>
    </Dialog>
  )
}

function AskRemove({ mailbox, user: { id, login, others }, onClose }: UserDialogProps) {
  async function remove(): Promise<void> {
    await send('DELETE', `/data/mailboxes/${mailbox.id}/users/${id}`)
    await changed('/data/mailboxes')
    toast(`${login} no longer has ${mailbox.address}.`)
  }
  return (
    <Ask title={`Remove ${login}?`} verb="Remove" onYes={remove} onClose={onClose}>
      They do not see {mailbox.address} any more, from now on.{' '}
      {others.length > 0
        ? 'Their other mailboxes stay with them.'
        : 'They have no other mailbox: their sessions end, and their password is forgotten.'}{' '}
      The mail stays.
    </Ask>
  )
}
