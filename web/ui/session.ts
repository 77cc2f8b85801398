// Who is signed in.
import { signal } from '@preact/signals'
import type { SignedIn } from '../../src/servers/sessions/session-schema.ts'
import { read } from './request.ts'

const signedIn = signal<SignedIn | undefined>(undefined)

/** Before anything shows, and whenever it may have changed. @throws Refusal */
export async function loadSession(): Promise<void> {
  signedIn.value = await read<SignedIn>('/data/session')
}

export function session(): SignedIn {
  if (!signedIn.value) throw new Error('nobody is signed in')
  return signedIn.value
}
