// What the contract says of each operation beside its shapes: words, errors and examples. An operation of the API
// without an entry here fails a test. The shapes themselves come from the schemas that validate and serialize.
import type { ProblemCode } from '../../../access/problem.ts'
import {
  AT,
  ATTACHMENT,
  attachment,
  EVENT,
  endpoint,
  event,
  MAILBOX,
  MESSAGE,
  pendingDelivery,
  SHA256,
  secret,
  summary,
} from './examples.ts'

export interface OperationDocs {
  tag: 'Mailboxes' | 'Messages' | 'Attachments' | 'Events' | 'Webhooks'
  summary: string
  description: string
  /** True for what goes beyond the specification of version 1. */
  extension?: true
  /** Beside those that follow from what the route declares. */
  errors?: ProblemCode[]
  request?: unknown
  /** An example of the successful answer. */
  response?: unknown
}

export const OPERATIONS: Record<string, OperationDocs> = {
  listMailboxes: {
    tag: 'Mailboxes',
    summary: 'List mailboxes',
    description: 'Every mailbox of the organization, by address. They show in production and in every sandbox.',
    response: { items: [{ id: MAILBOX, address: 'sales@example.com', displayName: 'Sales' }] },
  },
  listDomains: {
    tag: 'Mailboxes',
    summary: 'List domains',
    description:
      'Every domain of the organization with its health: `pending` (not checked yet), `healthy` (MX, SPF, DKIM and DMARC ' +
      'are right), `degraded` (some are missing or wrong) or `failing` (the verification record is gone, or neither ' +
      'SPF nor DKIM holds).',
    response: {
      items: [{ id: MAILBOX, domain: 'example.com', verified: true, health: 'healthy', mailboxCount: 3 }],
    },
  },
  listMessages: {
    tag: 'Messages',
    summary: 'List messages',
    description:
      'Messages of all mailboxes, or of one, newest first. Follow `nextCursor` as it is until it is null: each message ' +
      'comes once, whatever is written meanwhile. A page may be shorter than `limit`: only null ends the list. A plain ' +
      'timestamp as cursor means strictly older than it.',
    errors: ['invalid_cursor', 'not_found'],
    response: { items: [summary], nextCursor: '2026-01-05T10:00:00.0000000Z' },
  },
  sendMessage: {
    tag: 'Messages',
    summary: 'Send a message',
    description:
      'Queues a message. The 202 means that it is durable: it will be submitted, or `message.failed` will say why not. ' +
      'Events report the delivery. The `id` is the same in the API, in events and in webhooks. Attachments named in ' +
      '`attachmentIds` are completed uploads; one that the html shows as `cid:<its id>` goes inline. The whole MIME ' +
      'message may have 25 MiB.',
    errors: ['not_found', 'mailbox_suspended', 'plan_capacity_exceeded', 'message_too_large'],
    request: {
      fromMailboxId: MAILBOX,
      to: ['you@example.net'],
      subject: 'Your order',
      text: 'Thank you for your order.',
    },
    response: { id: MESSAGE, object: 'message', status: 'queued' },
  },
  getMessage: {
    tag: 'Messages',
    summary: 'Get a message',
    description:
      'The whole message: bodies, headers, recipients with their outcomes, attachments and the tree of its MIME parts. ' +
      'Bodies are cut after 1 MiB, which `textTruncated` and `htmlTruncated` say.',
    response: {
      message: {
        ...summary,
        bcc: [],
        replyTo: [],
        references: [],
        headers: [{ name: 'Subject', value: 'Your order' }],
        text: 'Thank you for your order.',
        html: null,
        textTruncated: false,
        htmlTruncated: false,
        attachments: [],
        recipients: [
          {
            address: 'you@example.net',
            kind: 'to',
            status: 'delivered',
            smtpCode: 250,
            enhancedCode: '2.0.0',
            diagnostic: null,
            updatedAt: AT,
          },
        ],
        authentication: null,
        mime: {
          partId: '1',
          contentType: 'text/plain',
          parameters: { charset: 'utf-8' },
          disposition: null,
          filename: null,
          contentId: null,
          encoding: '7bit',
          sizeBytes: 25,
          attachmentId: null,
          parts: [],
        },
      },
    },
  },
  getRawMessage: {
    tag: 'Messages',
    summary: 'Get a message as it was sent or received',
    description: 'The octets of the MIME message. 404 while a queued message has not been built yet.',
    extension: true,
  },
  updateMessage: {
    tag: 'Messages',
    summary: 'File or flag a message',
    description:
      'Changes one mailbox’s entry of the message: whether it is read or starred, and its folder. What is not named stays ' +
      'as it is. Appends `message.updated`, also when nothing changes.',
    request: { mailboxId: MAILBOX, isRead: true, folder: 'archive' },
    response: { id: MESSAGE, updated: true },
  },
  prepareAttachmentUpload: {
    tag: 'Attachments',
    summary: 'Prepare an upload',
    description:
      'Announces a file. PUT its bytes to `upload.url` with `upload.headers` and without the API key within ten minutes, ' +
      'then complete the upload. A retry with the same key gives the same upload, or the attachment once it is completed.',
    errors: ['attachment_too_large', 'not_found', 'mailbox_suspended', 'plan_capacity_exceeded', 'upload_expired'],
    request: {
      mailboxId: MAILBOX,
      filename: 'invoice.pdf',
      mediaType: 'application/pdf',
      sizeBytes: 48213,
      sha256: SHA256,
    },
    response: {
      uploadId: ATTACHMENT,
      attachment: null,
      upload: {
        url: 'https://mail.example.com/v1/blobs/AQAAAAE',
        method: 'PUT',
        headers: { 'content-type': 'application/pdf' },
        expiresAt: AT,
      },
    },
  },
  completeAttachmentUpload: {
    tag: 'Attachments',
    summary: 'Complete an upload',
    description:
      'Verifies size, media type and SHA-256 of what was put, and makes the attachment. Repeating it gives the same ' +
      'attachment. After 422 a right PUT can still complete it.',
    errors: ['upload_expired', 'mailbox_suspended', 'upload_mismatch', 'upload_missing', 'plan_capacity_exceeded'],
    response: { attachment },
  },
  getAttachmentDownloadUrl: {
    tag: 'Attachments',
    summary: 'Get a download URL',
    description:
      'A URL that gives the bytes to a GET without the API key for sixty seconds. It is a secret for that long. Each ' +
      'call checks anew whether the attachment may be had.',
    response: {
      url: 'https://mail.example.com/v1/blobs/AQAAAAE',
      expiresAt: AT,
      filename: 'invoice.pdf',
      mediaType: 'application/pdf',
      sizeBytes: 48213,
      sha256: SHA256,
    },
  },
  uploadAttachment: {
    tag: 'Attachments',
    summary: 'Upload a small file as JSON',
    description: 'For files of up to 3 MiB, as base64 with its padding and nothing else. Prefer the direct upload.',
    errors: ['attachment_too_large', 'not_found', 'mailbox_suspended', 'plan_capacity_exceeded'],
    request: { mailboxId: MAILBOX, filename: 'note.txt', mediaType: 'text/plain', contentBase64: 'aGVsbG8=' },
    response: { attachment },
  },
  downloadAttachment: {
    tag: 'Attachments',
    summary: 'Download a small file as JSON',
    description: 'For files of up to 3 MiB. Prefer the download URL.',
    errors: ['attachment_too_large'],
    response: { filename: 'note.txt', mediaType: 'text/plain', contentBase64: 'aGVsbG8=' },
  },
  listEvents: {
    tag: 'Events',
    summary: 'Read the event log',
    description:
      'Events oldest first, in an order in which nothing ever appears behind a cursor already given out. Store the cursor ' +
      'once the items before it are durably accepted. The last page has `nextCursor: null`; the header ' +
      '`Mdk-Resume-Cursor` says where to go on later. An ISO 8601 timestamp as cursor means from that instant on.',
    errors: ['invalid_cursor'],
    response: { items: [event], nextCursor: null },
  },
  listWebhookEndpoints: {
    tag: 'Webhooks',
    summary: 'List webhook endpoints',
    description: 'The endpoints of this application.',
    response: { items: [endpoint] },
  },
  createWebhookEndpoint: {
    tag: 'Webhooks',
    summary: 'Create a webhook endpoint',
    description:
      'Posts a `webhook.endpoint_verification` to the URL, which must answer 2xx within five seconds with JSON that ' +
      'holds the `challenge` of `data.challenge`. Nothing is stored otherwise. The secret is shown this once. An ' +
      'application may have 100 endpoints; when it has, nothing is posted.',
    errors: ['webhook_url_invalid', 'plan_capacity_exceeded', 'webhook_verification_failed'],
    request: { url: endpoint.url, description: 'Production', eventTypes: ['*'] },
    response: { endpoint, secret },
  },
  updateWebhookEndpoint: {
    tag: 'Webhooks',
    summary: 'Change a webhook endpoint',
    description:
      'A new URL has to pass the verification again. Enabling sets the counter of failures to 0; disabling makes pending ' +
      'deliveries dead.',
    extension: true,
    errors: ['webhook_url_invalid', 'webhook_verification_failed'],
    request: { eventTypes: ['message.bounced', 'message.failed'] },
    response: { endpoint },
  },
  deleteWebhookEndpoint: {
    tag: 'Webhooks',
    summary: 'Delete a webhook endpoint',
    description: 'Its deliveries end with it.',
    extension: true,
  },
  rotateWebhookEndpointSecret: {
    tag: 'Webhooks',
    summary: 'Rotate the secret',
    description:
      'For 24 hours `webhook-signature` carries the signatures of both secrets, and `Service-Webhook-Signature` that of ' +
      'the new one.',
    extension: true,
    response: { endpoint, secret },
  },
  testWebhookEndpoint: {
    tag: 'Webhooks',
    summary: 'Send a test request',
    description: 'Posts one signed `webhook.endpoint_test` now, tells what came of it, and counts nothing.',
    extension: true,
    response: { eventId: EVENT, delivered: true, statusCode: 200, error: null, durationMs: 31 },
  },
  listWebhookDeliveries: {
    tag: 'Webhooks',
    summary: 'List deliveries',
    description:
      'The newest deliveries to this application’s endpoints, or to one. A `pending` one whose `nextAttemptAt` lies ' +
      'ahead is tried no sooner: it waits for its retry, or for its endpoint, whose attempts fail. One whose ' +
      '`nextAttemptAt` has passed is due.',
    errors: ['not_found'],
    response: {
      items: [
        {
          ...pendingDelivery,
          eventType: 'message.delivered',
          status: 'delivered',
          cycle: 1,
          attemptCount: 1,
          receptions: 1,
          nextAttemptAt: null,
          lastAttemptAt: AT,
          lastStatusCode: 200,
          lastError: null,
          lastDurationMs: 31,
          deliveredAt: AT,
          deadAt: null,
          createdAt: AT,
        },
      ],
    },
  },
  replayWebhookDelivery: {
    tag: 'Webhooks',
    summary: 'Replay a delivery',
    description:
      'Starts a new cycle with a new budget of attempts, under the same event id. The same key gives the first answer ' +
      'and keeps later progress; a new replay needs a new key.',
    errors: ['endpoint_disabled'],
    response: pendingDelivery,
  },
}

/** A route's path as the contract writes it: `/v1/messages/{messageId}`. */
export function pathTemplate(url: string): string {
  return url.replace(/:(\w+)/g, '{$1}')
}
