// Reads what a form of a page has sent. Pure.
import { problem } from '../../../access/problem.ts'

/** The fields, by their names. */
export type SentForm = ReadonlyMap<string, string>

/** `body` is application/x-www-form-urlencoded. @throws Problem validation_error for what no form of ours sends */
export function readForm(body: Buffer): SentForm {
  const form = new Map<string, string>()
  for (const [name, value] of new URLSearchParams(body.toString())) {
    if (form.has(name)) throw problem('validation_error', { message: 'The form has a field twice.' })
    // PostgreSQL has no NUL in texts.
    if (value.includes('\0')) throw problem('validation_error', { message: 'The form has a NUL character in a field.' })
    form.set(name, value)
  }
  return form
}
