// Whether a mailbox user may write from a mailbox: to one who may only read it, it is there and not to be written from; to anybody else it
// is absent. specification.md#who-writes-from-a-mailbox
import { absent, type Problem, problem } from './problem.ts'

/** `access`: that the user has. `missing`: what there is to say where it is none. @throws Problem not_found, not_allowed */
export function assertWrites(
  access: 'read' | 'write' | undefined,
  missing: Problem = absent('mailbox'),
): asserts access is 'write' {
  if (access === undefined) throw missing
  if (access === 'read') throw problem('not_allowed', { message: 'You may read this mailbox, and not write from it.' })
}
