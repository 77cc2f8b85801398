// Where the user is mailed a link on the day on which they cannot sign in: named, confirmed, removed.
import { useState } from 'preact/hooks'
import type { RecoveryAddress } from '../../../src/servers/webmail/schemas.ts'
import { Ask } from '../../ui/ask.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field, Form, Submit } from '../../ui/form.tsx'
import { changed, useQuery } from '../../ui/query.ts'
import { send } from '../../ui/request.ts'
import { Loaded } from '../../ui/states.tsx'
import { toast } from '../../ui/toast.tsx'

const PATH = '/data/account/recovery-address'

export function RecoveryAddressCard() {
  const recovery = useQuery<RecoveryAddress>(PATH)
  const [shown, setShown] = useState<'set' | 'remove'>()
  const close = () => setShown(undefined)
  return (
    <section class="card stack" id="recovery" aria-labelledby="recovery-title">
      <h2 id="recovery-title">Recovery address</h2>
      <Loaded query={recovery}>
        {({ address, isConfirmed, mailsLinks }) => (
          <div class="beside apart">
            <div>
              {address !== null && (
                <p>
                  <strong>{address}</strong>{' '}
                  {isConfirmed ? <Badge tone="good">Confirmed</Badge> : <Badge tone="warn">Not confirmed</Badge>}
                </p>
              )}
              <p class="soft">{wordsFor({ address, isConfirmed, mailsLinks })}</p>
            </div>
            <div class="actions">
              {mailsLinks && (
                <button type="button" onClick={() => setShown('set')}>
                  {address === null ? 'Add' : 'Change'}
                  <span class="unseen"> recovery address</span>
                </button>
              )}
              {address !== null && (
                <button type="button" class="danger" onClick={() => setShown('remove')}>
                  Remove<span class="unseen"> recovery address</span>
                </button>
              )}
            </div>
          </div>
        )}
      </Loaded>
      {shown === 'set' && (
        <Dialog title="Recovery address" onClose={close}>
          <Form onSubmit={save}>
            <Field
              label="E-mail"
              name="address"
              type="email"
              autoComplete="email"
              hint="Of another mailbox than those that you read here. It takes the place of the one before."
              autoFocus
            />
            <div class="actions end">
              <Submit>Mail the link</Submit>
            </div>
          </Form>
        </Dialog>
      )}
      {shown === 'remove' && (
        <Ask title="Remove the recovery address?" verb="Remove" onYes={remove} onClose={close}>
          When you cannot sign in any more, only whoever gave you your mailbox can help you.
        </Ask>
      )}
    </section>
  )

  async function save({ address }: Record<string, string>): Promise<void> {
    await send('PUT', PATH, { address })
    close()
    await changed(PATH)
    toast(`A link to confirm it is on its way to ${address}.`)
  }

  async function remove(): Promise<void> {
    await send('DELETE', PATH)
    await changed(PATH)
    toast('The recovery address is removed.')
  }
}

function wordsFor({ address, isConfirmed, mailsLinks }: RecoveryAddress): string {
  if (!mailsLinks) return 'No links are mailed here: whoever gave you your mailbox helps you when you cannot sign in.'
  if (address === null) return 'A link to set a new password is mailed there when you cannot sign in.'
  if (isConfirmed) return 'When you cannot sign in, ask for a link on the page “Forgotten your password?”.'
  return 'Open the link that was mailed there within 24 hours. To get another, set the address again.'
}
