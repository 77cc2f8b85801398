// What the signed-in person may do, and where the page is: in production, or in a sandbox.
import { query } from '../ui/router.ts'
import { session } from '../ui/session.ts'

/** Owners change things; Admins look. */
export const isOwner = (): boolean => session().role === 'owner'

/** `sandbox:<appId>`; undefined in production. */
export const environment = (): string | undefined => {
  const given = query().get('environment')
  return given?.startsWith('sandbox:') ? given : undefined
}

/** A path of ours, in the environment where the page is. */
export function here(path: string): string {
  const mode = environment()
  return mode === undefined ? path : `${path}${path.includes('?') ? '&' : '?'}environment=${encodeURIComponent(mode)}`
}
