// A link that was made for somebody, shown this once to whoever hands it on.
import { useRef, useState } from 'preact/hooks'
import type { MadeLink } from '../../../src/servers/console/schemas.ts'
import { attempt } from '../../ui/attempt.ts'
import { CopyField } from '../../ui/copy.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { send } from '../../ui/request.ts'
import { Time } from '../../ui/time.tsx'

interface LinkDialogProps {
  email: string
  made: MadeLink
  purpose: 'invitation' | 'reset'
  onClose(): void
}

export function LinkDialog({ email, made: { link, expiresAt, canBeMailed }, purpose, onClose }: LinkDialogProps) {
  const [mailed, setMailed] = useState(false)
  const done = useRef<HTMLButtonElement>(null)

  async function mail(): Promise<void> {
    await send('POST', '/data/links/mail', { kind: 'person', token: link.slice(link.lastIndexOf('/') + 1) })
    setMailed(true)
    // The button that had it goes.
    done.current?.focus()
  }

  return (
    <Dialog title={purpose === 'invitation' ? 'Invitation' : 'Reset'} onClose={onClose}>
      <div class="stack">
        <p>
          {purpose === 'invitation'
            ? `${email} joins by this link. `
            : `${email} sets a new password by this link, which also ends their sessions and removes their other factors. `}
          Hand it to nobody else: it is shown only now, works once, and expires <Time at={expiresAt} />.
        </p>
        <CopyField label="Link" value={link} />
        <div class="actions end">
          <span role="status">{mailed && `It is on its way to ${email}.`}</span>
          {canBeMailed && !mailed && (
            <button type="button" onClick={() => attempt(mail)}>
              Mail it
            </button>
          )}
          <button type="button" class="primary" ref={done} onClick={onClose}>
            Done
          </button>
        </div>
      </div>
    </Dialog>
  )
}
