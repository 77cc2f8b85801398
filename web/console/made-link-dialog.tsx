// A link that was made for somebody, shown this once to whoever hands it on, or has it mailed.
import type { ComponentChildren } from 'preact'
import { useRef, useState } from 'preact/hooks'
import type { MadeLink } from '../../src/servers/console/schemas.ts'
import { CopyField } from '../ui/copy.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Field, Form, Submit } from '../ui/form.tsx'
import { send } from '../ui/request.ts'
import { Time } from '../ui/time.tsx'

interface MadeLinkDialogProps {
  title: string
  made: MadeLink
  /** Of whom. */
  kind: 'person' | 'mailbox_user'
  /** Where it is mailed to: as that is said, or what the field says first by which it is asked for. */
  to: { said: string } | { preset: string }
  onClose(): void
  /** What the link is for. */
  children: ComponentChildren
}

export function MadeLinkDialog({ title, made, kind, to, onClose, children }: MadeLinkDialogProps) {
  const { link, expiresAt, canBeMailed } = made
  const [mailedTo, setMailedTo] = useState<string>()
  const done = useRef<HTMLButtonElement>(null)

  async function mail(values: Record<string, string>): Promise<void> {
    const token = link.slice(link.lastIndexOf('/') + 1)
    await send('POST', '/data/links/mail', { kind, token, ...('preset' in to ? { to: values.to?.trim() } : {}) })
    setMailedTo('preset' in to ? values.to?.trim() : to.said)
    // The button that had it goes.
    done.current?.focus()
  }

  return (
    <Dialog title={title} onClose={onClose}>
      <div class="stack">
        <p>
          {children} Hand it to nobody else: it is shown only now, works once, and expires <Time at={expiresAt} />.
        </p>
        <CopyField label="Link" value={link} />
        {canBeMailed && mailedTo === undefined && (
          <Form onSubmit={mail}>
            {'preset' in to && (
              <Field
                label="Mail it to"
                name="to"
                type="email"
                autoComplete="off"
                defaultValue={to.preset}
                hint="An address that they can read now: without the link they cannot open the mailbox."
              />
            )}
            <div class="actions">
              <Submit quiet>Mail it</Submit>
            </div>
          </Form>
        )}
        <div class="actions end">
          <span role="status">{mailedTo !== undefined && `It is on its way to ${mailedTo}.`}</span>
          <button type="button" class="primary" ref={done} onClick={onClose}>
            Done
          </button>
        </div>
      </div>
    </Dialog>
  )
}
