// What a thread for mail authentication is started with: does something when it is loaded.
import { serveThread } from '../../lib/thread-pool/serve-thread.ts'
import {
  type CheckedSender,
  type Envelope,
  type Found,
  type Step,
  senderStep,
  signaturesStep,
  verdictStep,
} from './authenticate-message.ts'
import type { Authentication, Signer } from './authentication.ts'
import type { DnsAnswers } from './dns-answers.ts'
import { type HeaderFacts, readHeaderFacts } from './signing-header.ts'

/** `header` reads the beginning of the message, `signatures` all of it, the others nothing of it. */
export type AuthenticateTask =
  | { kind: 'header' }
  | { kind: 'sender'; envelope: Envelope; answers: DnsAnswers }
  | { kind: 'signatures'; answers: DnsAnswers }
  | { kind: 'verdict'; found: Found; answers: DnsAnswers }

export type AuthenticateAnswer = HeaderFacts | Step<CheckedSender> | Step<Signer[]> | Step<Authentication>

serveThread<AuthenticateTask, AuthenticateAnswer>(async (task, raw) => ({ answer: await take(task, raw) }))

async function take(task: AuthenticateTask, raw: Uint8Array): Promise<AuthenticateAnswer> {
  switch (task.kind) {
    case 'header':
      return readHeaderFacts(raw)
    case 'sender':
      return senderStep(task.envelope, task.answers)
    case 'signatures':
      return signaturesStep(raw, task.answers)
    case 'verdict':
      return verdictStep(task.found, task.answers)
  }
}
