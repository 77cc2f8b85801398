// A link that was made for a mailbox user, for whoever hands it on.
import type { ShownMailbox } from '../../../src/servers/console/mailbox-schemas.ts'
import type { MadeLink } from '../../../src/servers/console/schemas.ts'
import { MadeLinkDialog } from '../made-link-dialog.tsx'

export interface MadeUserLink {
  user: { login: string; hasRecoveryAddress: boolean }
  made: MadeLink
  purpose: 'invitation' | 'reset'
}

export function UserLinkDialog({
  mailbox,
  user: { login, hasRecoveryAddress },
  made,
  purpose,
  onClose,
}: MadeUserLink & { mailbox: ShownMailbox; onClose(): void }) {
  const to = hasRecoveryAddress
    ? { said: 'the recovery address that they have confirmed' }
    : { preset: login === mailbox.address ? '' : login }
  return (
    <MadeLinkDialog
      title={purpose === 'invitation' ? 'Link to the webmail' : 'Reset'}
      made={made}
      kind="mailbox_user"
      to={to}
      onClose={onClose}
    >
      {purpose === 'invitation'
        ? `${login} signs in to the webmail with this link, and finds ${mailbox.address} there.`
        : `${login} sets a new password with this link, which also ends their sessions and removes their other factors.`}
    </MadeLinkDialog>
  )
}
