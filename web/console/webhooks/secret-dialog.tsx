// A secret, shown this once.
import type { ComponentChildren } from 'preact'
import { CopyField } from '../../ui/copy.tsx'
import { Dialog } from '../../ui/dialog.tsx'

interface SecretDialogProps {
  title: string
  secret: string
  onClose(): void
  /** What it is for. */
  children: ComponentChildren
}

export function SecretDialog({ title, secret, onClose, children }: SecretDialogProps) {
  return (
    <Dialog title={title} onClose={onClose}>
      <div class="stack">
        <p>{children} It is shown only now.</p>
        <CopyField label="Secret" value={secret} />
        <div class="actions end">
          <button type="button" class="primary" onClick={onClose}>
            Done
          </button>
        </div>
      </div>
    </Dialog>
  )
}
