// What a thread for mail authentication is started with: does something when it is loaded.
import type { DnsAnswer } from '../lib/resolver.ts'
import { serveThread } from '../lib/thread-pool/serve-thread.ts'
import { authenticateMessage, type Envelope, type Query } from './authenticate-message.ts'
import type { Authentication } from './authentication.ts'

export interface AuthenticateTask {
  envelope: Envelope
  signatures: boolean
}

export interface DnsQuestion {
  name: string
  type: Parameters<Query>[1]
}

serveThread<AuthenticateTask, Authentication, DnsQuestion, DnsAnswer<never>>(async (task, raw, ask) => {
  const query: Query = (name, type) => ask({ name, type })
  return { answer: await authenticateMessage(raw, task.envelope, query, task.signatures) }
})
