// The data operations of the webmail, in the order of its pages. A new one is a file and a line here.
import { ACCOUNT_OPERATIONS } from '../sessions/account/operations.ts'

export const WEBMAIL_OPERATIONS = [...ACCOUNT_OPERATIONS] as const
