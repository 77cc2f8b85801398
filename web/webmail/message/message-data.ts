// Where what an open message shows is fetched from, and fetched ahead.
import { fetchAhead } from '../../ui/query.ts'

export function conversationPath(messageId: string, mailbox: string | undefined): string {
  const path = `/data/conversations/${encodeURIComponent(messageId)}`
  return mailbox === undefined ? path : `${path}?mailbox=${encodeURIComponent(mailbox)}`
}

export const contentPath = (messageId: string): string => `/data/messages/${encodeURIComponent(messageId)}`

export const attachmentPath = (messageId: string, attachmentId: string): string =>
  `${contentPath(messageId)}/attachments/${encodeURIComponent(attachmentId)}`

/** Of a message that is likely to be opened next. */
export function fetchMessageAhead(messageId: string, mailbox: string | undefined): void {
  void fetchAhead(conversationPath(messageId, mailbox))
  void fetchAhead(contentPath(messageId))
}
