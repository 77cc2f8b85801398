// One mailbox: how it stands, and who has it. Owners suspend and rename it, and give people access.
import { useState } from 'preact/hooks'
import type { MailboxUsers, ShownMailbox } from '../../../src/servers/console/mailbox-schemas.ts'
import { Ask } from '../../ui/ask.tsx'
import { Badge } from '../../ui/badge.tsx'
import { bytesInWords } from '../../ui/bytes-in-words.ts'
import { CopyId } from '../../ui/copy.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field, Form, Submit } from '../../ui/form.tsx'
import { Page } from '../../ui/page.tsx'
import { changed, useQuery } from '../../ui/query.ts'
import { send } from '../../ui/request.ts'
import { EmptyState, Loaded } from '../../ui/states.tsx'
import { Time } from '../../ui/time.tsx'
import { toast } from '../../ui/toast.tsx'
import { OfAllEnvironments } from '../of-all-environments.tsx'
import { here, isOwner } from '../place.ts'
import { AddUserDialog } from './add-user-dialog.tsx'
import { UsersTable } from './users-table.tsx'

/** What is counted is a moment behind what happens. */
const LOOK_EVERY_MS = 10_000

export function MailboxPage({ mailboxId = '' }: Record<string, string>) {
  const shown = useQuery<ShownMailbox>(here(`/data/mailboxes/${mailboxId}`), () => LOOK_EVERY_MS)
  const [open, setOpen] = useState<'user' | 'status' | 'name'>()
  const close = () => setOpen(undefined)
  const mailbox = shown.data
  return (
    <Page
      title={mailbox?.address ?? 'Mailbox'}
      product="Console"
      actions={
        isOwner() &&
        mailbox && (
          <>
            <button type="button" onClick={() => setOpen('name')}>
              Rename
            </button>
            <button type="button" onClick={() => setOpen('status')}>
              {mailbox.status === 'active' ? 'Suspend' : 'Resume'}
            </button>
            <button type="button" class="primary" onClick={() => setOpen('user')}>
              Add user
            </button>
          </>
        )
      }
    >
      <OfAllEnvironments what="Mailboxes" />
      <Loaded query={shown}>
        {(found) => (
          <div class="stack loose">
            {found.status === 'suspended' && (
              <p class="alert warn">
                This mailbox is suspended: it sends nothing, and mail to it is refused. What is in it can be read.
              </p>
            )}
            <Facts {...found} />
            <Users mailbox={found} />
            {open === 'user' && <AddUserDialog mailbox={found} onClose={close} />}
            {open === 'status' && <AskStatus {...found} onClose={close} />}
            {open === 'name' && <NameDialog {...found} onClose={close} />}
          </div>
        )}
      </Loaded>
    </Page>
  )
}

const count = new Intl.NumberFormat('en')

function Facts({ id, displayName, status, unread, storedBytes, createdAt }: ShownMailbox) {
  return (
    <dl class="card facts">
      <dt>Name</dt>
      <dd>
        <bdi>{displayName}</bdi>
      </dd>
      <dt>Status</dt>
      <dd>{status === 'active' ? <Badge tone="good">Active</Badge> : <Badge tone="warn">Suspended</Badge>}</dd>
      <dt>Unread</dt>
      <dd>{count.format(unread)} in the inbox</dd>
      <dt>Stored</dt>
      <dd>
        <a href={here(`/messages?mailbox=${id}`)}>{bytesInWords(storedBytes)} of messages</a>
      </dd>
      <dt>Created</dt>
      <dd>
        <Time at={createdAt} />
      </dd>
      <dt>Id</dt>
      <dd>
        <CopyId id={id} label="mailbox id" />
      </dd>
    </dl>
  )
}

function Users({ mailbox }: { mailbox: ShownMailbox }) {
  const users = useQuery<MailboxUsers>(here(`/data/mailboxes/${mailbox.id}/users`), () => LOOK_EVERY_MS)
  return (
    <section class="stack" aria-labelledby="users-title">
      <h2 id="users-title">Users</h2>
      <Loaded query={users}>
        {({ items }) =>
          items.length > 0 ? (
            <UsersTable mailbox={mailbox} users={items} />
          ) : (
            <EmptyState title="Nobody reads it in the webmail">
              {isOwner()
                ? 'Add a user, and hand them the link: they sign in to the webmail and find it there.'
                : 'An Owner gives people access. Programs reach it by their keys all the same.'}
            </EmptyState>
          )
        }
      </Loaded>
    </section>
  )
}

function AskStatus({ id, address, status, onClose }: ShownMailbox & { onClose(): void }) {
  const next = status === 'active' ? 'suspended' : 'active'
  async function change(): Promise<void> {
    await send('PUT', here(`/data/mailboxes/${id}/status`), { status: next })
    await changed('/data/mailboxes')
    toast(next === 'suspended' ? `${address} is suspended.` : `${address} is resumed.`)
  }
  return next === 'suspended' ? (
    <Ask title={`Suspend ${address}?`} verb="Suspend" onYes={change} onClose={onClose}>
      It sends nothing more, and mail to it is refused, until you resume it. What it has sent already still goes out,
      and what is in it can be read.
    </Ask>
  ) : (
    <Ask title={`Resume ${address}?`} verb="Resume" onYes={change} onClose={onClose}>
      It sends and receives again at once. Whoever was refused meanwhile has to send again.
    </Ask>
  )
}

function NameDialog({ id, address, displayName, onClose }: ShownMailbox & { onClose(): void }) {
  async function save({ name = '' }: Record<string, string>): Promise<void> {
    await send('PUT', here(`/data/mailboxes/${id}/name`), { name: name.trim() })
    onClose()
    await changed('/data/mailboxes')
    toast(`${address} has its new name.`)
  }
  return (
    <Dialog title={`Rename ${address}`} onClose={onClose}>
      <Form onSubmit={save}>
        <Field
          label="Name"
          name="name"
          hint="Recipients see it beside the address."
          autoComplete="off"
          defaultValue={displayName}
          required
          autoFocus
        />
        <div class="actions end">
          <Submit>Rename</Submit>
        </div>
      </Form>
    </Dialog>
  )
}
