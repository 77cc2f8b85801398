// Stops mail to an address that somebody names, whether it ever bounced or not.
import { Dialog } from '../../ui/dialog.tsx'
import { Field, Form, Submit } from '../../ui/form.tsx'
import { go } from '../../ui/router.ts'
import { here } from '../place.ts'
import { stopMailing } from './stops.ts'

export function StopDialog({ onClose }: { onClose(): void }) {
  return (
    <Dialog title="Stop mailing an address" onClose={onClose}>
      <Form onSubmit={stop}>
        <Field
          label="Address"
          name="address"
          type="email"
          autoComplete="off"
          hint="Whatever is sent to it fails at once, also what is waiting now. What the relay already has cannot be called back."
          required
          autoFocus
        />
        <Field
          label="Note"
          name="note"
          autoComplete="off"
          maxLength={200}
          hint="Why, for whoever looks later. Optional."
        />
        <div class="actions end">
          <Submit>Stop mailing</Submit>
        </div>
      </Form>
    </Dialog>
  )

  async function stop({ address = '', note = '' }: Record<string, string>): Promise<void> {
    await stopMailing(address.trim(), note.trim())
    onClose()
    go(here('/bounces?status=stopped'))
  }
}
