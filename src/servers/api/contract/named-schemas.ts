// The schemas that have a name in the contract.
import * as attachments from '../../../attachments/schemas.ts'
import * as events from '../../../events/schemas.ts'
import * as mailboxes from '../../../mailboxes/schemas.ts'
import * as messages from '../../../messages/schemas.ts'
import * as webhooks from '../../../webhooks/schemas.ts'
import { WRITTEN_SHAPES } from './written-shapes.ts'

export const NAMED_SCHEMAS = {
  Mailbox: mailboxes.Mailbox,
  Domain: mailboxes.Domain,
  MessageSummary: messages.MessageSummary,
  MessagePage: messages.MessagePage,
  MessageDetail: messages.MessageDetail,
  ...WRITTEN_SHAPES,
  SendMessageInput: messages.SendMessageInput,
  QueuedMessage: messages.QueuedMessage,
  UpdateMessageInput: messages.UpdateMessageInput,
  Attachment: attachments.Attachment,
  PrepareAttachmentInput: attachments.PrepareAttachmentInput,
  PreparedAttachment: attachments.PreparedAttachment,
  UploadAttachmentInput: attachments.UploadAttachmentInput,
  AttachmentDownload: attachments.AttachmentDownload,
  Event: events.Event,
  EventPage: events.EventPage,
  WebhookEndpoint: webhooks.WebhookEndpoint,
  CreateWebhookEndpointInput: webhooks.CreateWebhookEndpointInput,
  UpdateWebhookEndpointInput: webhooks.UpdateWebhookEndpointInput,
  NewWebhookEndpoint: webhooks.NewWebhookEndpoint,
  WebhookDelivery: webhooks.WebhookDelivery,
  WebhookDeliveryPage: webhooks.WebhookDeliveryPage,
  ReplayedDelivery: webhooks.ReplayedDelivery,
  WebhookAttempt: webhooks.WebhookAttempt,
  ReplaySinceInput: webhooks.ReplaySinceInput,
  WebhookReplay: webhooks.WebhookReplay,
}
