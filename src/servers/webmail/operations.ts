// The data operations of the webmail, in the order of its pages. A new one is a file and a line here.
import { ACCOUNT_OPERATIONS } from '../sessions/account/operations.ts'
import showFolder from './show-folder.ts'
import showMailboxes from './show-mailboxes.ts'

export const WEBMAIL_OPERATIONS = [...ACCOUNT_OPERATIONS, showMailboxes, showFolder] as const
