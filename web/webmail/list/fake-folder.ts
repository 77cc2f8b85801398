// A folder for tests: gives pages as the server does, by cursors that name places in an order.
import type { Page, Row } from '../shapes.ts'

export interface FakeFolder {
  /** Newest first, by number. */
  messages: number[]
  pageSize: number
  /** Cursors that were asked for. */
  asked: (string | null)[]
  fetchPage(cursor: string | null): Promise<Page>
}

export function fakeFolder(messages: number[], pageSize = 5): FakeFolder {
  const folder: FakeFolder = {
    messages,
    pageSize,
    asked: [],
    async fetchPage(cursor) {
      folder.asked.push(cursor)
      return pageOf(folder, cursor)
    },
  }
  return folder
}

function pageOf({ messages, pageSize }: FakeFolder, cursor: string | null): Page {
  const behind = messages.filter((n) => cursor === null || n < Number(cursor))
  const items = behind.slice(0, pageSize)
  return { items: items.map(rowOf), nextCursor: behind.length > pageSize ? String(items.at(-1)) : null }
}

export const rowOf = (n: number): Row => ({
  id: String(n),
  mailboxId: 'm',
  people: [],
  subject: `Message ${n}`,
  preview: '',
  at: new Date(n * 1000).toISOString(),
  isRead: true,
  isStarred: false,
  messages: 1,
  hasAttachments: false,
  status: 'received',
})

/** From the newest down. */
export const numbers = (from: number, count: number): number[] => Array.from({ length: count }, (_, i) => from - i)
