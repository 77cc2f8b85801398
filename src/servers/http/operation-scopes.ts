// Which operation needs which scope, in one place: the routes, the contract and the tests take it from here.
import type { Scope } from '../../access/principal.ts'

/** A key must have the scope; there is no way round an entry. specification.md#scopes */
export const OPERATION_SCOPES = {
  listMailboxes: 'mailboxes:read',
  listDomains: 'mailboxes:read',
  listMessages: 'messages:read',
  getMessage: 'messages:read',
  getRawMessage: 'messages:read',
  sendMessage: 'messages:send',
  updateMessage: 'messages:write',
  listEvents: 'messages:read',
  prepareAttachmentUpload: 'attachments:write',
  completeAttachmentUpload: 'attachments:write',
  uploadAttachment: 'attachments:write',
  downloadAttachment: 'attachments:read',
  getAttachmentDownloadUrl: 'attachments:read',
  listWebhookEndpoints: 'webhooks:read',
  createWebhookEndpoint: 'webhooks:write',
  updateWebhookEndpoint: 'webhooks:write',
  deleteWebhookEndpoint: 'webhooks:write',
  rotateWebhookEndpointSecret: 'webhooks:write',
  testWebhookEndpoint: 'webhooks:write',
  listWebhookDeliveries: 'webhooks:read',
  replayWebhookDelivery: 'webhooks:write',
} as const satisfies Record<string, Scope>

export type OperationName = keyof typeof OPERATION_SCOPES

/** What needs no key: public pages, and requests that are signed in another way. */
export const OPEN_OPERATIONS = ['openapi', 'docs', 'putBlob', 'getBlob', 'relayReports', 'sesReports'] as const

export type OpenOperation = (typeof OPEN_OPERATIONS)[number]

/** Undefined for what needs no key. */
export function scopeOf(operation: OperationName | OpenOperation): Scope | undefined {
  return (OPERATION_SCOPES as Partial<Record<string, Scope>>)[operation]
}
