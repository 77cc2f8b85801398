// What one SMTP transaction came to, judged from how it ended. Pure; knows nothing of connections.
import type { NodemailerError } from 'nodemailer/lib/errors'
import { isPermanent, ownWords, parseReply, type Reply, shortLine } from './relay-reply.ts'

export interface Refusal {
  permanent: boolean
  reply: Reply
}

/** What became of a submission. `refusals` go by the recipient's place in the list that was given. */
export type Submission =
  /** The relay has it, for all recipients but those refused. `reply` is its final one. */
  | { kind: 'accepted'; reply: Reply; refusals: ReadonlyMap<number, Refusal> }
  /** The relay does not have it; every recipient is in `refusals`. Permanent when all of them are. */
  | { kind: 'refused'; permanent: boolean; reply: Reply; refusals: ReadonlyMap<number, Refusal> }
  /**
   * The relay does not have it, for a reason that is not this message's, in the relay's words or ours. `noConnection`: none
   * could be opened, so that nothing of the message was tried.
   */
  | { kind: 'unavailable'; reply: Reply; noConnection?: true }
  /** The relay was given all of it and did not say whether it has it. `stopped`: it was not waited for any longer. */
  | { kind: 'unknown'; reason: string; stopped?: true }
  /** It was not this message's turn before the service stopped, or somebody else has it by now. */
  | { kind: 'not_tried'; reason: string }

/** How far a transaction got: nothing of the message sent, some of it, or possibly all. */
export type Phase = 'envelope' | 'sending' | 'sent'

/** Judges a transaction that nodemailer reports as done. */
export function judgeSuccess(
  recipients: readonly string[],
  response: string,
  refused: readonly NodemailerError[],
): Submission {
  const reply = parseReply(response)
  if (!reply || reply.code === null || reply.code >= 300) return unclear(response)
  return { kind: 'accepted', reply, refusals: refusalsAtRcpt(recipients, refused) }
}

/** Judges a transaction that nodemailer reports as failed. `refused` are its errors of single recipients. */
export function judgeFailure(
  recipients: readonly string[],
  error: NodemailerError,
  refused: readonly NodemailerError[],
  phase: Phase,
): Submission {
  // Any other error than these two is about the connection, even when it quotes a reply.
  const answered = error.code === 'EENVELOPE' || error.code === 'EMESSAGE'
  const reply = answered && error.response ? parseReply(error.response) : undefined
  // RFC 5321 §3.8: 421 is about the connection, whatever it answers.
  if (reply?.code === 421) return { kind: 'unavailable', reply }
  if (reply?.code && reply.code >= 400) {
    const atRcpt = error.command === 'MAIL FROM' ? new Map<number, Refusal>() : refusalsAtRcpt(recipients, refused)
    return refuse(recipients, reply, atRcpt)
  }
  if (phase === 'sent') return answered ? unclear(error.response ?? '') : { kind: 'unknown', reason: reasonOf(error) }
  return { kind: 'unavailable', reply: ownWords(reasonOf(error)) }
}

/** The whole message refused with one reply, except for recipients that have got their own. */
export function refuse(
  recipients: readonly string[],
  reply: Reply,
  known: ReadonlyMap<number, Refusal> = new Map(),
): Submission {
  const whole = { permanent: reply.code === null || isPermanent(reply), reply }
  const refusals = new Map(recipients.map((_, i) => [i, known.get(i) ?? whole]))
  const permanent = [...refusals.values()].every((refusal) => refusal.permanent)
  return { kind: 'refused', permanent, reply, refusals }
}

function refusalsAtRcpt(recipients: readonly string[], errors: readonly NodemailerError[]): Map<number, Refusal> {
  const byAddress = new Map(errors.map((error) => [error.recipient, refusalOf(error.response ?? '')]))
  const refusals = new Map<number, Refusal>()
  for (const [i, address] of recipients.entries()) {
    const refusal = byAddress.get(address)
    if (refusal) refusals.set(i, refusal)
  }
  return refusals
}

function refusalOf(response: string): Refusal {
  const reply = parseReply(response)
  if (reply) return { permanent: isPermanent(reply), reply }
  const text = `the relay's answer is no SMTP reply: ${shortLine(response)}`
  return { permanent: false, reply: ownWords(text) }
}

function unclear(response: string): Submission {
  return { kind: 'unknown', reason: `the relay's last answer is no verdict: ${shortLine(response)}` }
}

function reasonOf(error: NodemailerError): string {
  return shortLine(error.message) || 'the connection failed'
}
