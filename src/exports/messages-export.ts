// Messages as a file: who wrote to whom under which subject, and what became of it. Nothing of what is in them.
import { authorsOfMessages, type MessageAuthor } from '../messages/authors-of-messages.ts'
import { firstReasons } from '../messages/first-reasons.ts'
import type { MessageFilter } from '../messages/list-messages.ts'
import { pageMessages } from '../messages/page-messages.ts'
import type { Address, MessagesQuery } from '../messages/schemas.ts'
import { listExport } from './list-export.ts'

type Filters = Omit<MessagesQuery, 'limit' | 'cursor'> & Pick<MessageFilter, 'subject' | 'appId'>

export const messagesExport = listExport<
  Filters,
  | ('id' | 'createdAt' | 'direction' | 'status' | 'from' | 'fromName' | 'to' | 'cc' | 'subject' | 'messageId')
  | ('sizeBytes' | 'attachmentCount' | 'sentAt' | 'receivedAt')
  | ('recipient' | 'smtpCode' | 'enhancedCode' | 'diagnostic' | 'nextAttemptAt')
  | ('author' | 'authorId' | 'authorName')
>({
  name: 'messages',
  operation: 'exportMessages',
  resourceType: 'message',
  columns: [
    ...(['id', 'createdAt', 'direction', 'status', 'from', 'fromName', 'to', 'cc', 'subject', 'messageId'] as const),
    ...(['sizeBytes', 'attachmentCount', 'sentAt', 'receivedAt'] as const),
    // Of one that has failed, bounced or waits: what was said of the first recipient that has its status.
    ...(['recipient', 'smtpCode', 'enhancedCode', 'diagnostic', 'nextAttemptAt'] as const),
    // Of one that was sent: `application` or `mailbox_user`, and which.
    ...(['author', 'authorId', 'authorName'] as const),
  ],
  async read(db, actor, page) {
    const { items, nextCursor } = await pageMessages(db, actor, page)
    // One after the other: an export has one connection.
    const reasons = await firstReasons(db, actor, items)
    const authors = await authorsOfMessages(db, actor, items)
    return {
      items: items.map(({ from, to, cc, ...message }) => ({
        ...message,
        ...authorCells(authors.get(message.id)),
        from: from?.address ?? null,
        fromName: from?.name ?? null,
        to: addressesOf(to),
        cc: addressesOf(cc),
        ...(reasons.get(message.id) ?? NO_REASON),
      })),
      nextCursor,
    }
  },
})

const NO_REASON = { recipient: null, smtpCode: null, enhancedCode: null, diagnostic: null, nextAttemptAt: null }

const authorCells = (author: MessageAuthor | undefined) => ({
  author: author?.kind ?? null,
  authorId: author?.id ?? null,
  authorName: author?.name ?? null,
})

const addressesOf = (addresses: readonly Address[]): string => addresses.map(({ address }) => address).join(' ')
