// The data operations of the console, in the order of its pages. A new one is a file and a line here.
import readSession from '../sessions/read-session.ts'

export const CONSOLE_OPERATIONS = [readSession] as const
