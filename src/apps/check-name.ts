// What tenants, applications and keys may be called.
import { invalidField } from '../access/problem.ts'

/** @throws Problem validation_error */
export function checkName(name: string): void {
  if (name.trim() === '' || name.length > 255 || /\p{Cc}/u.test(name) || !name.isWellFormed()) {
    throw invalidField('name', 'must have 1 to 255 characters, no control characters among them')
  }
}
