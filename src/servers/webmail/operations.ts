// The data operations of the webmail, in the order of its pages. A new one is a file and a line here.
import readSession from '../sessions/read-session.ts'

export const WEBMAIL_OPERATIONS = [readSession] as const
