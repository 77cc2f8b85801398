// What the page of a message is given.
import type { OpenMessage } from '../../../src/servers/webmail/content-schemas.ts'
import type { ShownConversation } from '../../../src/servers/webmail/message-list-schemas.ts'

export type Conversation = ShownConversation
export type Head = Conversation['messages'][number]
export type Entry = Head['entries'][number]
export type Person = Head['to'][number]
export type Message = OpenMessage
export type Attachment = Message['attachments'][number]
