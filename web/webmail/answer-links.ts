// Where a message is written: the addresses of that page, and of the answers to the message that is open.
import { signal } from '@preact/signals'
import { withQuery } from './place.ts'

export type Answering = 'reply' | 'reply_all' | 'forward'

export const composeHref = (mailbox?: string): string => withQuery('/compose', { mailbox })

export const answerHref = (messageId: string, kind: Answering): string =>
  withQuery('/compose', { answer: messageId, kind })

/** Of the message that keys are about, each kind that it may be answered in; undefined: none. */
export const answerLinks = signal<Readonly<Partial<Record<Answering, string>>> | undefined>(undefined)
