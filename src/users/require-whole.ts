// What users change of their own asks for a session in which all factors are proven, or were proven a moment ago.
import { problem } from '../access/problem.ts'
import type { FoundSession } from './sessions.ts'

/** @throws Problem not_signed_in while a second factor is still asked for */
export function requireWhole(session: FoundSession): void {
  if (!session.whole) throw problem('not_signed_in')
}

/** @throws Problem not_signed_in, sign_in_again when all factors were proven more than ten minutes ago */
export function requireFresh(session: FoundSession): void {
  requireWhole(session)
  if (!session.fresh) throw problem('sign_in_again')
}
