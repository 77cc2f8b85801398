// What a draft begins with that the page is asked for: an empty one, one to somebody, or an answer.
import type { DraftAttachment, DraftContent } from '../../../src/servers/webmail/draft-schemas.ts'
import type { Identities } from '../../../src/servers/webmail/identity-schemas.ts'
import { read } from '../../ui/request.ts'
import type { Mailbox } from '../mailbox.ts'
import { contentPath } from '../message/message-data.ts'
import type { Message } from '../message/shapes.ts'
import { type AnswerKind, attributionOf, beginAnswer } from './answer.ts'
import { shownIn } from './clean-body.ts'
import { recipientsIn } from './mail-addresses.ts'
import { quoteMessage } from './quote-message.ts'
import { escaped, headAsHtml, textAsHtml } from './quote-text.ts'
import { MOST_FILES } from './uploads.ts'

export interface Begun {
  content: DraftContent
  /** Files that the server need not be asked about. */
  files: readonly DraftAttachment[]
}

/** Of a message that is answered; larger ones are left out. */
const MOST_QUOTED_IMAGE_BYTES = 1_048_576
const MOST_QUOTED_IMAGES = 10
const KINDS: readonly string[] = ['reply', 'reply_all', 'forward']

const dates = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' })

/** @throws Refusal, or Error in words for the user */
export async function beginDraft(asked: URLSearchParams, mailboxes: readonly Mailbox[]): Promise<Begun> {
  const answered = asked.get('answer')
  if (answered === null) return { content: await newContent(asked, mailboxes), files: [] }
  const kind = (KINDS.includes(asked.get('kind') ?? '') ? asked.get('kind') : 'reply') as AnswerKind
  const message = await read<Message>(contentPath(answered))
  const beginning = beginAnswer(kind, message, mailboxes)
  if (!beginning) throw new Error('You may read this message, but not write from the mailbox that it lies in.')
  const [quoted, signature] = await Promise.all([quote(kind, message), signedOf(beginning.mailboxId)])
  const content: DraftContent = {
    ...beginning,
    ...{ bcc: [], format: 'html', body: signature },
    quote: quoted.quote,
    attachmentIds: quoted.files.map(({ id }) => id),
  }
  return { content, files: quoted.files }
}

async function newContent(asked: URLSearchParams, mailboxes: readonly Mailbox[]): Promise<DraftContent> {
  const given = mailtoIn(asked)
  const mayWrite = mailboxes.filter(({ access }) => access === 'write')
  const mailbox = mayWrite.find(({ id }) => id === asked.get('mailbox')) ?? mayWrite[0]
  if (!mailbox) throw new Error('You have no mailbox that you may write from.')
  const people = (name: string) => recipientsIn(given.getAll(name).join(','))
  return {
    ...{ mailboxId: mailbox.id, kind: 'new', answers: null, format: 'html', quote: null, attachmentIds: [] },
    ...{ to: people('to'), cc: people('cc'), bcc: people('bcc'), subject: (given.get('subject') ?? '').slice(0, 998) },
    body: lines(given.get('body') ?? '') + (await signedOf(mailbox.id)),
  }
}

/** RFC 6068: what a link to an address asks for, where the whole of it is given as `to`. */
function mailtoIn(asked: URLSearchParams): URLSearchParams {
  const link = URL.parse(asked.get('to') ?? '')
  if (link?.protocol !== 'mailto:') return asked
  const given = new URLSearchParams(link.search)
  given.append('to', decoded(link.pathname))
  return given
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

export const lines = (text: string): string =>
  text === ''
    ? ''
    : text
        .split(/\r\n?|\n/)
        .map((line) => `<div>${line === '' ? '<br>' : escaped(line)}</div>`)
        .join('')

async function quote(
  kind: AnswerKind,
  message: Message,
): Promise<{ quote: DraftContent['quote']; files: DraftAttachment[] }> {
  const { html, text, attachments } = message
  const date = dates.format(new Date(message.at))
  const images = quotableImages(message)
  const cleaned = html === null ? undefined : await quoteMessage(html, images)
  const words = cleaned?.html ?? textAsHtml(cleaned?.text ?? text ?? '')
  const head = kind === 'forward' ? headAsHtml(message, date) : ''
  const shown = shownIn(words)
  const along = attachments.filter(({ id, isInline }) => shown.has(id) || (kind === 'forward' && !isInline))
  const files = along.slice(0, MOST_FILES).map(({ id, filename, mediaType, sizeBytes }) => {
    return { id, filename, mediaType, sizeBytes }
  })
  return { quote: { html: head + words, attribution: attributionOf(kind, message, date) }, files }
}

/** The ids of their files, by what the message calls them. */
function quotableImages({ attachments, inline }: Message): Record<string, string> {
  const small = attachments.filter(
    ({ isInline, mediaType, sizeBytes }) =>
      isInline && /^image\/(?!svg)/i.test(mediaType) && sizeBytes <= MOST_QUOTED_IMAGE_BYTES,
  )
  const some = small.slice(0, MOST_QUOTED_IMAGES)
  const ids = Object.keys(inline).flatMap((name) => {
    const file = some.find(({ id, contentId }) => name === contentId || name === id)
    return file ? [[name, file.id] as const] : []
  })
  return Object.fromEntries(ids)
}

/** Below an empty line, where one writes. */
export const signed = (signature: string | null): string =>
  signature === null || signature.trim() === '' ? '' : `<div><br></div><div>-- </div>${signature}`

/** What a message from a mailbox begins with. */
const signedOf = async (mailboxId: string): Promise<string> => signed(await signatureOf(mailboxId))

/** A message is written without one rather than not at all. */
export async function signatureOf(mailboxId: string): Promise<string | null> {
  const { items } = await read<Identities>('/data/identities').catch((): Identities => ({ items: [] }))
  return items.find((one) => one.mailboxId === mailboxId)?.signature ?? null
}
