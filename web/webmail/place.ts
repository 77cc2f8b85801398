// Which list the page shows, and where its pages are. Pure: what the URL says comes in.
import type { FolderName } from '../../src/servers/webmail/schemas.ts'

/** A folder, or what was found. */
export interface Place {
  list: FolderName | 'search'
  /** What is looked for; empty in a folder. */
  q: string
  /** The one mailbox; undefined: all of the user's. */
  mailbox: string | undefined
}

/** Folders in the order in which they show, each with its name. */
export const FOLDERS = {
  inbox: 'Inbox',
  sent: 'Sent',
  archive: 'Archive',
  spam: 'Spam',
  trash: 'Trash',
} as const satisfies Record<FolderName, string>

const isFolder = (name: string): name is FolderName => Object.hasOwn(FOLDERS, name)

/** What stands beside a message: the list that its URL names, else the inbox. */
export function placeAt(path: string, query: URLSearchParams): Place {
  const [, first = ''] = path.split('/')
  const name = first === 'message' ? (query.get('in') ?? '') : first
  const list = isFolder(name) || name === 'search' ? name : 'inbox'
  return { list, q: list === 'search' ? (query.get('q') ?? '') : '', mailbox: query.get('mailbox') ?? undefined }
}

export function messageAt(path: string): string | undefined {
  const [, first, id, ...more] = path.split('/')
  return first === 'message' && id && more.length === 0 ? id : undefined
}

export const titleOf = ({ list }: Place): string => (list === 'search' ? 'Search' : FOLDERS[list])

export const hrefOf = ({ list, q, mailbox }: Place): string =>
  withQuery(`/${list}`, { q: list === 'search' ? q : undefined, mailbox })

/** A message as it is opened from a list: its page knows where it was opened from. */
export const messageHref = (id: string, { list, q, mailbox }: Place): string =>
  withQuery(`/message/${id}`, { in: list, q: list === 'search' ? q : undefined, mailbox })

export const samePlace = (one: Place, other: Place): boolean => hrefOf(one) === hrefOf(other)

export function withQuery(path: string, parameters: Record<string, string | undefined>): string {
  const given = new URLSearchParams()
  for (const [name, value] of Object.entries(parameters)) if (value !== undefined) given.set(name, value)
  return given.size > 0 ? `${path}?${given}` : path
}
