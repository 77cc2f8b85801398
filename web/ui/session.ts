// Who is signed in.
import { signal } from '@preact/signals'
import type { SignedIn } from '../../src/servers/sessions/session-schema.ts'
import { read } from './request.ts'

const signedIn = signal<SignedIn | undefined>(undefined)

let asked = 0

/** Before anything shows, and whenever it may have changed. What was asked for last counts. @throws Refusal */
export async function loadSession(): Promise<void> {
  const turn = ++asked
  const answer = await read<SignedIn>('/data/session')
  if (turn === asked) signedIn.value = answer
}

export function session(): SignedIn {
  if (!signedIn.value) throw new Error('nobody is signed in')
  return signedIn.value
}
