// Who is signed in, and where the page is: whose data, and whether it is a sandbox's.
import { signal } from '@preact/signals'
import type { SignedIn } from '../../src/servers/sessions/session-schema.ts'
import { read } from '../ui/request.ts'
import { query } from '../ui/router.ts'

const signedIn = signal<SignedIn | undefined>(undefined)

/** Before anything shows. @throws Refusal */
export async function loadSession(): Promise<void> {
  signedIn.value = await read<SignedIn>('/data/session')
}

export function session(): SignedIn {
  if (!signedIn.value) throw new Error('nobody is signed in')
  return signedIn.value
}

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
