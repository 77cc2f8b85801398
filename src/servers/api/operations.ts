// Every operation of the API, in the order of the contract.
import completeAttachmentUpload from './complete-attachment-upload.ts'
import createWebhookEndpoint from './create-webhook-endpoint.ts'
import deleteWebhookEndpoint from './delete-webhook-endpoint.ts'
import downloadAttachment from './download-attachment.ts'
import getAttachment from './get-attachment.ts'
import getAttachmentDownloadUrl from './get-attachment-download-url.ts'
import getBlob from './get-blob.ts'
import getEvent from './get-event.ts'
import getMessage from './get-message.ts'
import getRawMessage from './get-raw-message.ts'
import getWebhookDelivery from './get-webhook-delivery.ts'
import getWebhookEndpoint from './get-webhook-endpoint.ts'
import getWebhookReplay from './get-webhook-replay.ts'
import listDomains from './list-domains.ts'
import listEvents from './list-events.ts'
import listMailboxes from './list-mailboxes.ts'
import listMessages from './list-messages.ts'
import listWebhookAttempts from './list-webhook-attempts.ts'
import listWebhookDeliveries from './list-webhook-deliveries.ts'
import listWebhookEndpoints from './list-webhook-endpoints.ts'
import prepareAttachmentUpload from './prepare-attachment-upload.ts'
import putBlob from './put-blob.ts'
import relayReports from './relay-reports.ts'
import replayWebhookDelivery from './replay-webhook-delivery.ts'
import replayWebhookEndpoint from './replay-webhook-endpoint.ts'
import rotateWebhookEndpointSecret from './rotate-webhook-endpoint-secret.ts'
import sendMessage from './send-message.ts'
import sesReports from './ses-reports.ts'
import stopWebhookReplay from './stop-webhook-replay.ts'
import testWebhookEndpoint from './test-webhook-endpoint.ts'
import updateMessage from './update-message.ts'
import updateWebhookEndpoint from './update-webhook-endpoint.ts'
import uploadAttachment from './upload-attachment.ts'

export const OPERATIONS = [
  listMailboxes,
  listDomains,
  sendMessage,
  listMessages,
  getMessage,
  getRawMessage,
  updateMessage,
  listEvents,
  getEvent,
  prepareAttachmentUpload,
  completeAttachmentUpload,
  getAttachment,
  getAttachmentDownloadUrl,
  uploadAttachment,
  downloadAttachment,
  putBlob,
  getBlob,
  relayReports,
  sesReports,
  listWebhookEndpoints,
  createWebhookEndpoint,
  getWebhookEndpoint,
  updateWebhookEndpoint,
  deleteWebhookEndpoint,
  rotateWebhookEndpointSecret,
  testWebhookEndpoint,
  listWebhookDeliveries,
  getWebhookDelivery,
  listWebhookAttempts,
  replayWebhookDelivery,
  replayWebhookEndpoint,
  getWebhookReplay,
  stopWebhookReplay,
] as const
