// Gives an endpoint another secret, shown this once. The one before holds for a while.
import { useState } from 'preact/hooks'
import type { ShownEndpoint, ShownRotation } from '../../../src/servers/console/webhook-schemas.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Form, Submit } from '../../ui/form.tsx'
import { send } from '../../ui/request.ts'
import { Time } from '../../ui/time.tsx'
import { here } from '../place.ts'
import { SecretDialog } from './secret-dialog.tsx'

export function RotateSecret({ endpoint, onClose }: { endpoint: ShownEndpoint; onClose(): void }) {
  const [rotated, setRotated] = useState<ShownRotation>()
  if (rotated) {
    return (
      <SecretDialog title="New secret" secret={rotated.secret} onClose={onClose}>
        Give it to the receiver. What is posted until <Time at={rotated.previousUntil} /> is signed with the one before,
        too.
      </SecretDialog>
    )
  }
  return (
    <Dialog title="Rotate the secret?" onClose={onClose}>
      <Form onSubmit={rotate}>
        <p>
          A new secret is made and shown once. The present one still signs for a day, so that the receiver can change
          over.
        </p>
        <div class="actions end">
          <button type="button" onClick={onClose}>
            Keep
          </button>
          <Submit danger>Rotate secret</Submit>
        </div>
      </Form>
    </Dialog>
  )

  async function rotate(): Promise<void> {
    setRotated(await send<ShownRotation>('POST', here(`/data/webhooks/${endpoint.id}/secret`)))
  }
}
