// The data operations of the console, in the order of its pages. A new one is a file and a line here.
import { ACCOUNT_OPERATIONS } from '../sessions/account/operations.ts'
import enterTenant from './enter-tenant.ts'
import readSurroundings from './read-surroundings.ts'

export const CONSOLE_OPERATIONS = [...ACCOUNT_OPERATIONS, readSurroundings, enterTenant] as const
