// A link that was made for somebody, shown this once to whoever hands it on.
import type { MadeLink } from '../../../src/servers/console/schemas.ts'
import { CopyField } from '../../ui/copy.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Time } from '../../ui/time.tsx'

interface LinkDialogProps {
  email: string
  made: MadeLink
  purpose: 'invitation' | 'reset'
  onClose(): void
}

export function LinkDialog({ email, made: { link, expiresAt }, purpose, onClose }: LinkDialogProps) {
  return (
    <Dialog title={purpose === 'invitation' ? 'Invitation' : 'Reset'} onClose={onClose}>
      <div class="stack">
        <p>
          {purpose === 'invitation'
            ? `By this link ${email} comes in. `
            : `By this link ${email} sets a new password; their factors and sessions end then. `}
          Hand it to them alone: it is shown this once, works once, and ends <Time at={expiresAt} />.
        </p>
        <CopyField label="Link" value={link} />
        <div class="actions end">
          <button type="button" class="primary" onClick={onClose}>
            Done
          </button>
        </div>
      </div>
    </Dialog>
  )
}
