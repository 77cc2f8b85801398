// The data operations of the webmail, in the order of its pages. A new one is a file and a line here.
import { ACCOUNT_OPERATIONS } from '../sessions/account/operations.ts'
import readRecoveryAddress from './read-recovery-address.ts'
import removeRecoveryAddress from './remove-recovery-address.ts'
import setRecoveryAddress from './set-recovery-address.ts'
import showFolder from './show-folder.ts'
import showMailboxes from './show-mailboxes.ts'

export const WEBMAIL_OPERATIONS = [
  ...ACCOUNT_OPERATIONS,
  readRecoveryAddress,
  setRecoveryAddress,
  removeRecoveryAddress,
  showMailboxes,
  showFolder,
] as const
