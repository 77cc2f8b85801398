// Why no connection to the relay could be opened, in words that the sender of a message may read: they name no host and no
// credentials, as the operator's do. Pure.
import type { NodemailerError } from 'nodemailer/lib/errors'
import { ownWords, parseReply, type Reply } from './relay-reply.ts'

/** By the system's own code. */
const SYSTEM_FAULTS: Record<string, string> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'the relay closed the connection',
  EPIPE: 'the relay closed the connection',
  EHOSTUNREACH: 'no route to the relay',
  ENETUNREACH: 'no route to the relay',
  ETIMEDOUT: 'the relay did not answer in time',
}

/** By nodemailer's. */
const FAULTS: Record<string, string> = {
  EDNS: 'the name of the relay could not be resolved',
  ETIMEDOUT: 'the relay did not answer in time',
  ETLS: 'no secure connection to the relay',
  EAUTH: 'the relay did not let this service authenticate',
  ECONNECTION: 'the relay closed the connection',
}

/** The relay's own refusal to talk (a greeting of 4xx or 5xx) where it gave one, else words of ours, without a code. */
export function connectionFault(error: NodemailerError & { originalCode?: string }): Reply {
  const { code = '', originalCode = '', response } = error
  // What is said to credentials may repeat them.
  const reply = code === 'EAUTH' || !response ? undefined : parseReply(response)
  if (reply?.code && reply.code >= 400) return reply
  if (/CERT|TLS|SSL|SIGNATURE/.test(originalCode)) return ownWords(FAULTS.ETLS as string)
  return ownWords(SYSTEM_FAULTS[originalCode] ?? FAULTS[code] ?? 'the connection to the relay failed')
}
