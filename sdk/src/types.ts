// The names of the contract's shapes. All of them come from the OpenAPI document.
import type { components, operations } from './openapi.ts'

type Schemas = components['schemas']
type Query<Operation extends keyof operations> = NonNullable<operations[Operation]['parameters']['query']>
type Json<Operation extends keyof operations, Status extends number> = operations[Operation] extends {
  responses: Record<Status, { content: { 'application/json': infer Body } }>
}
  ? Body
  : never

export type Mailbox = Schemas['Mailbox']
export type Domain = Schemas['Domain']
export type MessageSummary = Schemas['MessageSummary']
export type MessagePage = Schemas['MessagePage']
export type MessageDetail = Schemas['MessageDetail']
/** With a text, an html, or both. */
export type SendMessageInput = Extract<Schemas['SendMessageInput'], { fromMailboxId: string }> &
  ({ text: string } | { html: string })
export type QueuedMessage = Schemas['QueuedMessage']
export type UpdateMessageInput = Schemas['UpdateMessageInput']
export type Attachment = Schemas['Attachment']
export type PrepareAttachmentInput = Schemas['PrepareAttachmentInput']
export type PreparedAttachment = Schemas['PreparedAttachment']
export type UploadAttachmentInput = Schemas['UploadAttachmentInput']
export type AttachmentDownload = Schemas['AttachmentDownload']
export type LegacyDownload = Json<'downloadAttachment', 200>
export type Event = Schemas['Event']
export type EventPage = Schemas['EventPage']
export type WebhookEndpoint = Schemas['WebhookEndpoint']
export type CreateWebhookEndpointInput = Schemas['CreateWebhookEndpointInput']
export type UpdateWebhookEndpointInput = Schemas['UpdateWebhookEndpointInput']
export type NewWebhookEndpoint = Schemas['NewWebhookEndpoint']
export type WebhookDelivery = Schemas['WebhookDelivery']
export type WebhookDeliveryPage = Schemas['WebhookDeliveryPage']
export type WebhookTestResult = Json<'testWebhookEndpoint', 200>
export type ReplayedDelivery = Schemas['ReplayedDelivery']
export type WebhookAttempt = Schemas['WebhookAttempt']
export type ReplaySinceInput = Schemas['ReplaySinceInput']
export type WebhookReplay = Schemas['WebhookReplay']

export type ListMessagesQuery = Query<'listMessages'>
export type ListEventsQuery = Query<'listEvents'>
export type ListWebhookDeliveriesQuery = Query<'listWebhookDeliveries'>
