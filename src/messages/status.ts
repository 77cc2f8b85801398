// The life of an outbound message: what its recipients' outcomes make of it. Pure; docs/states.md shows the table.
// specification.md#status-of-a-message

export const RECIPIENT_STATUSES = ['queued', 'sent', 'delivered', 'bounced', 'failed'] as const
export type RecipientStatus = (typeof RECIPIENT_STATUSES)[number]

/** `received` is the only status of inbound mail. */
export const MESSAGE_STATUSES = ['queued', 'sent', 'delivered', 'bounced', 'failed', 'received'] as const
export type MessageStatus = (typeof MESSAGE_STATUSES)[number]

/** True for the statuses of a message that did not reach everybody: few, and looked for. */
export function isFailure(status: MessageStatus): boolean {
  return status === 'bounced' || status === 'failed'
}

/** Where a recipient may go from where it stands. A late bounce may follow a delivery; there is no other way back. */
export const RECIPIENT_TRANSITIONS: Record<RecipientStatus, readonly RecipientStatus[]> = {
  queued: ['sent', 'failed'],
  sent: ['delivered', 'bounced', 'failed'],
  delivered: ['bounced'],
  bounced: [],
  failed: [],
}

/** Where a message may go from where it stands, as its recipients' moves carry it. */
export const MESSAGE_TRANSITIONS: Record<MessageStatus, readonly MessageStatus[]> = {
  queued: ['sent', 'failed'],
  sent: ['delivered', 'bounced', 'failed'],
  delivered: ['bounced'],
  bounced: [],
  failed: [],
  received: [],
}

/**
 * The status of an outbound message whose recipients stand like this. While one is open it is `queued` until the
 * relay has taken it for someone, then `sent`; once none is open it is `delivered` when all are, otherwise the worst.
 */
export function statusFromRecipients(recipients: readonly RecipientStatus[]): Exclude<MessageStatus, 'received'> {
  const has = (status: RecipientStatus) => recipients.includes(status)
  const taken = has('sent') || has('delivered') || has('bounced')
  if (has('queued')) return taken ? 'sent' : 'queued'
  if (has('sent')) return 'sent'
  if (has('failed')) return 'failed'
  return has('bounced') ? 'bounced' : 'delivered'
}
