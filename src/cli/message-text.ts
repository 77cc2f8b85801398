// One message as text: what became of it, and of each recipient. Its words are in the JSON.
import type { MessageDetail } from '../messages/schemas.ts'
import { details, table } from './print.ts'

export function messageText(message: MessageDetail): string {
  const { from, to, cc, mailboxes, attachments, recipients } = message
  const addresses = (list: readonly { address: string }[]) => list.map(({ address }) => address)
  const head = details(
    {
      ...message,
      from: from?.address,
      to: addresses(to),
      cc: addresses(cc),
      folders: mailboxes.map(({ mailboxId, folder }) => `${folder} of ${mailboxId}`).join(', '),
      files: attachments.map(({ filename, sizeBytes }) => `${filename} (${sizeBytes} octets)`).join(', '),
    },
    {
      id: 'ID',
      direction: 'DIRECTION',
      status: 'STATUS',
      from: 'FROM',
      to: 'TO',
      cc: 'CC',
      subject: 'SUBJECT',
      messageId: 'MESSAGE-ID',
      sizeBytes: 'OCTETS',
      folders: 'IN',
      files: 'FILES',
      createdAt: 'ACCEPTED',
      sentAt: 'SENT',
      receivedAt: 'RECEIVED',
    },
  )
  if (recipients.length === 0) return head
  const columns = {
    address: 'RECIPIENT',
    status: 'STATUS',
    attempts: 'ATTEMPTS',
    nextAttemptAt: 'NEXT ATTEMPT',
    complainedAt: 'COMPLAINED',
    updatedAt: 'CHANGED',
    diagnostic: 'REPLY',
  }
  return `${head}\n\n${table(recipients, columns, '')}`
}
