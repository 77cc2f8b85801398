// A link that was made for a person, for whoever hands it on.
import type { MadeLink } from '../../../src/servers/console/schemas.ts'
import { MadeLinkDialog } from '../made-link-dialog.tsx'

interface LinkDialogProps {
  email: string
  made: MadeLink
  purpose: 'invitation' | 'reset'
  onClose(): void
}

export function LinkDialog({ email, made, purpose, onClose }: LinkDialogProps) {
  const title = purpose === 'invitation' ? 'Invitation' : 'Reset'
  return (
    <MadeLinkDialog title={title} made={made} kind="person" to={{ said: email }} onClose={onClose}>
      {purpose === 'invitation'
        ? `${email} joins by this link.`
        : `${email} sets a new password by this link, which also ends their sessions and removes their other factors.`}
    </MadeLinkDialog>
  )
}
