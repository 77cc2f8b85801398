// The groups of operations in the contract.

export const TAGS = [
  { name: 'Mailboxes', description: 'What the organization sends and receives as.' },
  { name: 'Messages', description: 'Sending, reading and filing mail.' },
  { name: 'Attachments', description: 'Bytes in and out, bound to their digest.' },
  { name: 'Events', description: 'The canonical log, for reconciliation.' },
  { name: 'Webhooks', description: 'Events posted to an address of yours, signed.' },
] as const

export type Tag = (typeof TAGS)[number]['name']
