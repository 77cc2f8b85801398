// Made from openapi.yaml by npm run openapi.

export interface paths {
  '/v1/mailboxes': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List mailboxes
     * @description Every mailbox of the organization, by address. They show in production and in every sandbox.
     *
     *     Needs the scope `mailboxes:read`.
     */
    get: operations['listMailboxes']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/v1/domains': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List domains
     * @description Every domain of the organization with its health: `pending` (not checked yet), `healthy` (MX, SPF, DKIM and DMARC are right), `degraded` (some are missing or wrong) or `failing` (the verification record is gone, or neither SPF nor DKIM holds).
     *
     *     Needs the scope `mailboxes:read`.
     */
    get: operations['listDomains']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/v1/messages': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List messages
     * @description Messages of all mailboxes or of one, newest first. Filters may be combined: a message must pass all of them. Pass `nextCursor` back unchanged, with the same filters, until it is null: each message comes once, whatever is written meanwhile. A page may be shorter than `limit`, or empty where few messages pass: only null ends the list. A plain timestamp as cursor means strictly older than it.
     *
     *     Needs the scope `messages:read`.
     */
    get: operations['listMessages']
    put?: never
    /**
     * Send a message
     * @description Queues a message. The 202 means that it is durable: it will be submitted, or `message.failed` will say why not. Events report the delivery. The `id` is the same in the API, in events and in webhooks. `attachmentIds` names completed uploads; one that the html refers to as `cid:<its id>` is shown inline. The whole MIME message may have 25 MiB.
     *
     *     Needs the scope `messages:send`.
     */
    post: operations['sendMessage']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/v1/messages/{messageId}': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Get a message
     * @description The whole message: bodies, headers, recipients with their outcomes, attachments and the tree of its MIME parts. A recipient that waits shows why in `diagnostic`, how often it was tried in `attempts`, and when it is tried again in `nextAttemptAt`. Bodies are cut after 1 MiB, and `textTruncated` or `htmlTruncated` says so.
     *
     *     Needs the scope `messages:read`.
     */
    get: operations['getMessage']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    /**
     * File or flag a message
     * @description Changes one mailbox’s entry of the message: whether it is read or starred, and its folder. Omitted fields stay as they are. Appends `message.updated`, even when nothing changes.
     *
     *     Needs the scope `messages:write`.
     */
    patch: operations['updateMessage']
    trace?: never
  }
  '/v1/messages/{messageId}/raw': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Get a message as it was sent or received
     * @description The octets of the MIME message. 404 while a queued message has not been built yet.
     *
     *     Needs the scope `messages:read`.
     */
    get: operations['getRawMessage']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/v1/events': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Read the event log
     * @description Events, oldest first, in a fixed order: no event ever appears behind a cursor already given out. Store the cursor once the items before it are durably accepted. The last page has `nextCursor: null`; the header `Mdk-Resume-Cursor` says where to continue later. An ISO 8601 timestamp as cursor means from that instant on. With `type` or `resourceId` only the events that both allow are shown, and a page may be short or empty without being the last. A cursor is a place in the whole log, whatever filter it was given with.
     *
     *     Needs the scope `messages:read`.
     */
    get: operations['listEvents']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/v1/events/{eventId}': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Get an event
     * @description One event of the log, such as the one that a webhook delivery names.
     *
     *     Needs the scope `messages:read`.
     */
    get: operations['getEvent']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/v1/attachments/uploads': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Prepare an upload
     * @description Announces a file. PUT its bytes to `upload.url` with `upload.headers` and without the API key within ten minutes, then complete the upload. A retry with the same key gives the same upload, or the attachment once it is completed.
     *
     *     Needs the scope `attachments:write`.
     */
    post: operations['prepareAttachmentUpload']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/v1/attachments/uploads/{uploadId}/complete': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Complete an upload
     * @description Verifies size, media type and SHA-256 of the bytes, and makes the attachment. Repeating it gives the same attachment. After a 422, put the right bytes and complete again.
     *
     *     Needs the scope `attachments:write`.
     */
    post: operations['completeAttachmentUpload']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/v1/attachments/{attachmentId}': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Get an attachment
     * @description Its name, type, size and digest, and the first message that has it. The bytes are behind the download URL.
     *
     *     Needs the scope `attachments:read`.
     */
    get: operations['getAttachment']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/v1/attachments/{attachmentId}/download-url': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Get a download URL
     * @description A URL that returns the bytes to a GET without the API key for sixty seconds. It is a secret for that time. Each call checks again whether the attachment is available.
     *
     *     Needs the scope `attachments:read`.
     */
    get: operations['getAttachmentDownloadUrl']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/v1/attachments': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Upload a small file as JSON
     * @description For files of up to 3 MiB, as padded base64. Prefer the direct upload.
     *
     *     Needs the scope `attachments:write`.
     */
    post: operations['uploadAttachment']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/v1/attachments/{attachmentId}/download': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Download a small file as JSON
     * @description For files of up to 3 MiB. Prefer the download URL.
     *
     *     Needs the scope `attachments:read`.
     */
    get: operations['downloadAttachment']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/v1/blobs/{token}': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Get the bytes of a file
     * @description The `url` that `getAttachmentDownloadUrl` gave, as it is: no API key goes with it. It takes one range in `Range`. A URL that is not valid, or no longer, is 404. Where files are kept in an S3 store its own URLs take the place of this one, and answer as that store does.
     */
    get: operations['getBlob']
    /**
     * Put the bytes of a file
     * @description The `upload.url` that `prepareAttachmentUpload` gave, as it is, with every header of `upload.headers` and no API key. Then complete the upload. A URL that is not valid, or no longer, is 404. Where files are kept in an S3 store its own URLs take the place of this one, and answer as that store does.
     */
    put: operations['putBlob']
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/v1/webhook-endpoints': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List webhook endpoints
     * @description The endpoints of this application.
     *
     *     Needs the scope `webhooks:read`.
     */
    get: operations['listWebhookEndpoints']
    put?: never
    /**
     * Create a webhook endpoint
     * @description Posts a `webhook.endpoint_verification` to the URL, which must answer 2xx within five seconds with JSON whose `challenge` is the value of `data.challenge`. Otherwise nothing is stored. The secret is shown only once. An application may have 100 endpoints; beyond that nothing is posted.
     *
     *     Needs the scope `webhooks:write`.
     */
    post: operations['createWebhookEndpoint']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/v1/webhook-endpoints/{endpointId}': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Get a webhook endpoint
     * @description One endpoint of this application.
     *
     *     Needs the scope `webhooks:read`.
     */
    get: operations['getWebhookEndpoint']
    put?: never
    post?: never
    /**
     * Delete a webhook endpoint
     * @description Its deliveries end with it.
     *
     *     Needs the scope `webhooks:write`.
     */
    delete: operations['deleteWebhookEndpoint']
    options?: never
    head?: never
    /**
     * Change a webhook endpoint
     * @description A new URL must pass the verification again. Enabling sets the counter of failures to 0; disabling makes pending deliveries dead.
     *
     *     Needs the scope `webhooks:write`.
     */
    patch: operations['updateWebhookEndpoint']
    trace?: never
  }
  '/v1/webhook-endpoints/{endpointId}/rotate-secret': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Rotate the secret
     * @description For 24 hours `webhook-signature` carries the signatures of both secrets, and `Service-Webhook-Signature` that of the new one.
     *
     *     Needs the scope `webhooks:write`.
     */
    post: operations['rotateWebhookEndpointSecret']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/v1/webhook-endpoints/{endpointId}/test': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Send a test request
     * @description Posts one signed `webhook.endpoint_test` at once and returns the result. It does not count.
     *
     *     Needs the scope `webhooks:write`.
     */
    post: operations['testWebhookEndpoint']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/v1/webhook-deliveries': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List deliveries
     * @description Deliveries to the endpoints of this application, or to one of them, newest first. Filters may be combined: a delivery must pass all of them. Pass `nextCursor` back with the same filters until it is null. A page of a filter that few deliveries pass may be short or empty: only null ends the list. A `pending` delivery with a `nextAttemptAt` in the future waits until then, for its retry or because attempts to its endpoint fail. One with a `nextAttemptAt` in the past is due.
     *
     *     Needs the scope `webhooks:read`.
     */
    get: operations['listWebhookDeliveries']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/v1/webhook-deliveries/{deliveryId}': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Get a delivery
     * @description One delivery to an endpoint of this application, as it stands now.
     *
     *     Needs the scope `webhooks:read`.
     */
    get: operations['getWebhookDelivery']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/v1/webhook-deliveries/{deliveryId}/attempts': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List the attempts of a delivery
     * @description Each request that was to deliver the event, of all cycles, with what your receiver answered where it did not accept.
     *
     *     Needs the scope `webhooks:read`.
     */
    get: operations['listWebhookAttempts']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/v1/webhook-deliveries/{deliveryId}/replay': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Replay a delivery
     * @description Starts a new cycle with a new budget of attempts, under the same event id. The same key gives the first answer and keeps later progress; a new replay needs a new key.
     *
     *     Needs the scope `webhooks:write`.
     */
    post: operations['replayWebhookDelivery']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/v1/webhook-endpoints/{endpointId}/replay': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Replay all that died since an instant
     * @description Replays every delivery to the endpoint that died at `since` or later and is still dead, each as a replay of its own would. It goes on by itself: ask how far it is by its id. An endpoint has one at a time.
     *
     *     Needs the scope `webhooks:write`.
     */
    post: operations['replayWebhookEndpoint']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/v1/webhook-replays/{replayId}': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Get a replay
     * @description A replay of all that died since an instant, as it stands now. It ends as `stopped` when its endpoint is disabled or deleted meanwhile. It is kept for 30 days after its end.
     *
     *     Needs the scope `webhooks:read`.
     */
    get: operations['getWebhookReplay']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/v1/webhook-replays/{replayId}/stop': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Stop a replay
     * @description Replays no more of what remains. What has been replayed is delivered all the same. One that has ended stays as it is.
     *
     *     Needs the scope `webhooks:write`.
     */
    post: operations['stopWebhookReplay']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
}
export interface webhooks {
  'message.received': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * message.received
     * @description Delivered at least once; a repeat has the same `id`. Answer 2xx within five seconds once it is durably accepted.
     */
    post: operations['on.message.received']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  'message.queued': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * message.queued
     * @description Delivered at least once; a repeat has the same `id`. Answer 2xx within five seconds once it is durably accepted.
     */
    post: operations['on.message.queued']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  'message.sent': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * message.sent
     * @description Delivered at least once; a repeat has the same `id`. Answer 2xx within five seconds once it is durably accepted.
     */
    post: operations['on.message.sent']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  'message.delivered': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * message.delivered
     * @description Delivered at least once; a repeat has the same `id`. Answer 2xx within five seconds once it is durably accepted.
     */
    post: operations['on.message.delivered']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  'message.bounced': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * message.bounced
     * @description Delivered at least once; a repeat has the same `id`. Answer 2xx within five seconds once it is durably accepted.
     */
    post: operations['on.message.bounced']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  'message.failed': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * message.failed
     * @description Delivered at least once; a repeat has the same `id`. Answer 2xx within five seconds once it is durably accepted.
     */
    post: operations['on.message.failed']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  'message.updated': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * message.updated
     * @description Delivered at least once; a repeat has the same `id`. Answer 2xx within five seconds once it is durably accepted.
     */
    post: operations['on.message.updated']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  'message.deleted': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * message.deleted
     * @description Delivered at least once; a repeat has the same `id`. Answer 2xx within five seconds once it is durably accepted.
     */
    post: operations['on.message.deleted']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  'mailbox.created': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * mailbox.created
     * @description Delivered at least once; a repeat has the same `id`. Answer 2xx within five seconds once it is durably accepted.
     */
    post: operations['on.mailbox.created']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  'mailbox.updated': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * mailbox.updated
     * @description Delivered at least once; a repeat has the same `id`. Answer 2xx within five seconds once it is durably accepted.
     */
    post: operations['on.mailbox.updated']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  'mailbox.suspended': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * mailbox.suspended
     * @description Delivered at least once; a repeat has the same `id`. Answer 2xx within five seconds once it is durably accepted.
     */
    post: operations['on.mailbox.suspended']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  'domain.health_changed': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * domain.health_changed
     * @description Delivered at least once; a repeat has the same `id`. Answer 2xx within five seconds once it is durably accepted.
     */
    post: operations['on.domain.health_changed']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  'webhook.endpoint_verification': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * webhook.endpoint_verification
     * @description Sent once while an endpoint is made, and again when its URL changes. Answer 2xx within five seconds with JSON that holds the same `challenge`. Its signature proves nothing yet: the secret is shown afterwards.
     */
    post: operations['on.webhook.endpoint_verification']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  'webhook.endpoint_test': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * webhook.endpoint_test
     * @description Sent when a test is asked for. It is no event of the log, and comes once.
     */
    post: operations['on.webhook.endpoint_test']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
}
export interface components {
  schemas: {
    Mailbox: {
      /**
       * Format: uuid
       * @description Names the mailbox in every request and event.
       */
      id: string
      /**
       * Format: idn-email
       * @description Its email address.
       */
      address: string
      /** @description The name that recipients see beside the address. */
      displayName: string
    }
    Domain: {
      /**
       * Format: uuid
       * @description Names the domain.
       */
      id: string
      /** @description Its name, such as `example.com`. */
      domain: string
      /** @description Whether the organization has proved that it owns the domain. */
      verified: boolean
      /**
       * @description `pending`: never checked. `healthy`: MX, SPF, DKIM and DMARC are right. `degraded`: some of them are not. `failing`: the verification record is gone, or neither SPF nor DKIM holds.
       * @enum {string}
       */
      health: 'pending' | 'healthy' | 'degraded' | 'failing'
      /** @description How many mailboxes it has. */
      mailboxCount: number
    }
    MessageSummary: {
      /**
       * Format: uuid
       * @description Names the message in the API, in events and in webhooks.
       */
      id: string
      /**
       * @description What this is.
       * @constant
       */
      object: 'message'
      /**
       * @description `inbound` was received, `outbound` is sent from here.
       * @enum {string}
       */
      direction: 'inbound' | 'outbound'
      /**
       * @description Where it stands: `received`; or `queued`, `sent` once the relay has it for anyone, and, when every recipient has an outcome, `delivered` or the worst one.
       * @enum {string}
       */
      status: 'queued' | 'sent' | 'delivered' | 'bounced' | 'failed' | 'received'
      /** @description The sender; null where a received message names none. */
      from: {
        /** @description The email address. */
        address: string
        /** @description The display name. */
        name: string | null
      } | null
      /** @description Its recipients. */
      to: {
        /** @description The email address. */
        address: string
        /** @description The display name. */
        name: string | null
      }[]
      /** @description Recipients of copies. */
      cc: {
        /** @description The email address. */
        address: string
        /** @description The display name. */
        name: string | null
      }[]
      /** @description The subject line. */
      subject: string
      /** @description The beginning of its text, up to 200 characters. */
      preview: string
      /** @description Whether it has attachments. */
      hasAttachments: boolean
      /** @description How many attachments it has. */
      attachmentCount: number
      /** @description The size of the whole message; null until it is built. */
      sizeBytes: number | null
      /** @description The header Message-ID. */
      messageId: string | null
      /** @description The header In-Reply-To: the Message-ID of what it answers. */
      inReplyTo: string | null
      /** @description The mailboxes in which it lies, with folder and flags in each. */
      mailboxes: {
        /**
         * Format: uuid
         * @description The mailbox.
         */
        mailboxId: string
        /**
         * @description The folder of that mailbox in which it is.
         * @enum {string}
         */
        folder: 'inbox' | 'sent' | 'archive' | 'spam' | 'trash'
        /** @description Whether it is marked as read there. */
        isRead: boolean
        /** @description Whether it is starred there. */
        isStarred: boolean
      }[]
      /** @description When the relay took it; null before, and for received messages. */
      sentAt: string | null
      /** @description When it was received; null for sent messages. */
      receivedAt: string | null
      /**
       * Format: date-time
       * @description When it was accepted. Lists are in this order.
       */
      createdAt: string
    }
    MessagePage: {
      /** @description Newest first. */
      items: components['schemas']['MessageSummary'][]
      /** @description Where the next page begins; null ends the list. Pass it back unchanged. */
      nextCursor: string | null
    }
    /** @description A message with all that is in it. */
    MessageDetail: {
      /**
       * Format: uuid
       * @description Names the message in the API, in events and in webhooks.
       */
      id: string
      /**
       * @description What this is.
       * @constant
       */
      object: 'message'
      /**
       * @description `inbound` was received, `outbound` is sent from here.
       * @enum {string}
       */
      direction: 'inbound' | 'outbound'
      /**
       * @description Where it stands: `received`; or `queued`, `sent` once the relay has it for anyone, and, when every recipient has an outcome, `delivered` or the worst one.
       * @enum {string}
       */
      status: 'queued' | 'sent' | 'delivered' | 'bounced' | 'failed' | 'received'
      /** @description The sender; null where a received message names none. */
      from: {
        /** @description The email address. */
        address: string
        /** @description The display name. */
        name: string | null
      } | null
      /** @description Its recipients. */
      to: {
        /** @description The email address. */
        address: string
        /** @description The display name. */
        name: string | null
      }[]
      /** @description Recipients of copies. */
      cc: {
        /** @description The email address. */
        address: string
        /** @description The display name. */
        name: string | null
      }[]
      /** @description The subject line. */
      subject: string
      /** @description The beginning of its text, up to 200 characters. */
      preview: string
      /** @description Whether it has attachments. */
      hasAttachments: boolean
      /** @description How many attachments it has. */
      attachmentCount: number
      /** @description The size of the whole message; null until it is built. */
      sizeBytes: number | null
      /** @description The header Message-ID. */
      messageId: string | null
      /** @description The header In-Reply-To: the Message-ID of what it answers. */
      inReplyTo: string | null
      /** @description The mailboxes in which it lies, with folder and flags in each. */
      mailboxes: {
        /**
         * Format: uuid
         * @description The mailbox.
         */
        mailboxId: string
        /**
         * @description The folder of that mailbox in which it is.
         * @enum {string}
         */
        folder: 'inbox' | 'sent' | 'archive' | 'spam' | 'trash'
        /** @description Whether it is marked as read there. */
        isRead: boolean
        /** @description Whether it is starred there. */
        isStarred: boolean
      }[]
      /** @description When the relay took it; null before, and for received messages. */
      sentAt: string | null
      /** @description When it was received; null for sent messages. */
      receivedAt: string | null
      /**
       * Format: date-time
       * @description When it was accepted. Lists are in this order.
       */
      createdAt: string
      /** @description Recipients of blind copies; of sent messages only. */
      bcc?: {
        /** @description The email address. */
        address: string
        /** @description The display name. */
        name: string | null
      }[]
      /** @description Where answers are to go. */
      replyTo: {
        /** @description The email address. */
        address: string
        /** @description The display name. */
        name: string | null
      }[]
      /** @description The Message-IDs of the conversation, oldest first. */
      references: string[]
      /** @description The fields of its header, in their order. */
      headers: {
        /** @description As it is written in the message. */
        name: string
        /** @description Its decoded text. */
        value: string
      }[]
      /** @description Its files, up to 100. */
      attachments: components['schemas']['Attachment'][]
      /** @description Whether a received message is authentic; null for sent ones. */
      authentication: components['schemas']['Authentication'] | null
      /** @description The tree of its MIME parts; null for a received message that could not be read. */
      mime: components['schemas']['MimePart'] | null
      /** @description Its plain text, up to 1 MiB. */
      text: string | null
      /** @description Its HTML, up to 1 MiB. Sanitize it before you show it. */
      html: string | null
      /** @description Whether `text` is cut. */
      textTruncated: boolean
      /** @description Whether `html` is cut. */
      htmlTruncated: boolean
      /** @description What became of it for each recipient; empty for received messages. */
      recipients: {
        /** @description The recipient’s address. */
        address: string
        /**
         * @description The field in which it stood.
         * @enum {string}
         */
        kind: 'to' | 'cc' | 'bcc'
        /**
         * @description Where the message stands for this recipient.
         * @enum {string}
         */
        status: 'queued' | 'sent' | 'delivered' | 'bounced' | 'failed'
        /** @description The SMTP code of the last reply about it. */
        smtpCode: number | null
        /** @description The enhanced status code (RFC 3463), such as `5.1.1`. */
        enhancedCode: string | null
        /** @description The last thing that the relay, a report or the service said of it, up to 1,000 characters. While it waits: why. `suppressed`: mail to the address is stopped. */
        diagnostic: string | null
        /** @description How often it was tried to submit the message for it. */
        attempts: number
        /** @description While it waits: when it is tried again at the latest. */
        nextAttemptAt: string | null
        /** @description When it first complained of the message. It is no outcome. */
        complainedAt: string | null
        /**
         * Format: date-time
         * @description When any of this changed last.
         */
        updatedAt: string
      }[]
    }
    MimePart: {
      /** @description `1` for the message itself, `1.2` for its second part. */
      partId: string
      /** @description Its type, such as `text/plain`. */
      contentType: string
      /** @description The parameters of that type, such as `charset`. */
      parameters: {
        [key: string]: string
      }
      /** @description `inline` or `attachment`, or whatever the part says. */
      disposition: string | null
      /** @description The name of the file. */
      filename: string | null
      /** @description The Content-ID by which html refers to it. */
      contentId: string | null
      /** @description Its Content-Transfer-Encoding, such as `base64`. */
      encoding: string
      /** @description Decoded. Of a multipart: of all its parts. */
      sizeBytes: number
      /** @description The attachment that it is. Null for a multipart, for text that is shown, and for files behind the first 100: they are in `/raw`. */
      attachmentId: string | null
      /** @description The parts within it. */
      parts: components['schemas']['MimePart'][]
    }
    Authentication: {
      /** @description Whether the sending server may send for the domain of the envelope. */
      spf: {
        /**
         * @description The result (RFC 7208).
         * @enum {string}
         */
        result: 'none' | 'neutral' | 'pass' | 'fail' | 'softfail' | 'temperror' | 'permerror'
        /** @description The domain of the envelope sender. */
        domain: string | null
      }
      /** @description Whether a signature proves where the message comes from. */
      dkim: {
        /**
         * @description The best result of its signatures (RFC 6376).
         * @enum {string}
         */
        result: 'none' | 'pass' | 'fail' | 'policy' | 'neutral' | 'temperror' | 'permerror'
        /** @description The domain that signed. */
        domain: string | null
        /** @description The selector of its key. */
        selector: string | null
      }
      /** @description Whether either of them speaks for the sender that people see. */
      dmarc: {
        /**
         * @description The result (RFC 7489).
         * @enum {string}
         */
        result: 'none' | 'pass' | 'fail' | 'temperror' | 'permerror'
        /** @description The domain of the sender’s address. */
        domain: string | null
        /** @description What that domain asks to do with mail that fails. */
        policy: ('none' | 'quarantine' | 'reject') | null
      }
    }
    SendMessageInput:
      | {
          /**
           * Format: uuid
           * @description The mailbox that sends it: one of those that `listMailboxes` gives.
           */
          fromMailboxId: string
          /** @description Addresses, without display names. An address that appears twice in the message gets one copy. */
          to: string[]
          /**
           * @description Addresses that get a copy, which all recipients can see.
           * @default []
           */
          cc?: string[]
          /**
           * @description Addresses that get a copy, which no other recipient can see.
           * @default []
           */
          bcc?: string[]
          /**
           * @description The subject line.
           * @default
           */
          subject?: string
          /** @description The message as plain text. A message has this, `html` or both. */
          text?: string | null
          /** @description The message as HTML. `cid:` and the id of an attachment shows that attachment inline. */
          html?: string | null
          /**
           * @description The attachments: completed uploads, each once.
           * @default []
           */
          attachmentIds?: string[]
        }
      | {
          text: string
        }
      | {
          html: string
        }
    QueuedMessage: {
      /**
       * Format: uuid
       * @description Names the message in the API, in events and in webhooks.
       */
      id: string
      /**
       * @description What this is.
       * @constant
       */
      object: 'message'
      /**
       * @description It is durable and waits to be sent.
       * @constant
       */
      status: 'queued'
    }
    UpdateMessageInput: {
      /**
       * Format: uuid
       * @description The mailbox in which it is filed or flagged.
       */
      mailboxId: string
      /** @description Whether it is marked as read. */
      isRead?: boolean
      /** @description Whether it is starred. */
      isStarred?: boolean
      /**
       * @description The folder to move it to. After 30 days in `trash` it is deleted for good.
       * @enum {string}
       */
      folder?: 'inbox' | 'sent' | 'archive' | 'spam' | 'trash'
    }
    /** @description A file of a message, or for one. */
    Attachment: {
      /**
       * Format: uuid
       * @description Names the attachment, as in `attachmentIds` of a message to send.
       */
      id: string
      /**
       * Format: uuid
       * @description The mailbox that it belongs to.
       */
      mailboxId: string
      /** @description The message that carries it; null until one does. */
      messageId: string | null
      /** @description The name that recipients see. */
      filename: string
      /** @description The type of its content, such as `application/pdf`. */
      mediaType: string
      /** @description How many bytes it has. */
      sizeBytes: number
      /** @description The SHA-256 of its bytes, in lower-case hexadecimal. */
      sha256: string
      /**
       * @description `inline` for what is shown within the html.
       * @enum {string}
       */
      disposition: 'attachment' | 'inline'
      /** @description The Content-ID by which the html refers to it. */
      contentId: string | null
      /**
       * Format: date-time
       * @description When it was announced or received.
       */
      createdAt: string
    }
    PrepareAttachmentInput: {
      /**
       * Format: uuid
       * @description The mailbox that it belongs to.
       */
      mailboxId: string
      /** @description The name that recipients see. */
      filename: string
      /** @description The type of its content, such as `application/pdf`. */
      mediaType: string
      /** @description How many bytes it has. */
      sizeBytes: number
      /** @description The SHA-256 of its bytes, in lower-case hexadecimal. */
      sha256: string
    }
    PreparedAttachment: {
      /**
       * Format: uuid
       * @description Names the upload when you complete it.
       */
      uploadId: string
      /** @description The attachment, once the upload is completed; null before. */
      attachment: components['schemas']['Attachment'] | null
      /** @description Where to put the bytes; null once the upload is completed. */
      upload: {
        /**
         * Format: uri
         * @description Where to put the bytes. A secret: it needs no API key.
         */
        url: string
        /**
         * @description How to put them.
         * @constant
         */
        method: 'PUT'
        /** @description The headers to send with them, by name: all of these. */
        headers: {
          [key: string]: string
        }
        /**
         * Format: date-time
         * @description When the upload ends.
         */
        expiresAt: string
      } | null
    }
    UploadAttachmentInput: {
      /**
       * Format: uuid
       * @description The mailbox that it belongs to.
       */
      mailboxId: string
      /** @description The name that recipients see. */
      filename: string
      /** @description The type of its content, such as `application/pdf`. */
      mediaType: string
      /** @description Its bytes in base64 with padding, up to 3 MiB decoded. */
      contentBase64: string
    }
    AttachmentDownload: {
      /**
       * Format: uri
       * @description Where to get the bytes. A secret: it needs no API key.
       */
      url: string
      /**
       * Format: date-time
       * @description Until when the URL works. A transfer that has begun goes on.
       */
      expiresAt: string
      /** @description The name of the file. */
      filename: string
      /** @description The type of its content. */
      mediaType: string
      /** @description How many bytes it has. */
      sizeBytes: number
      /** @description The SHA-256 of its bytes, in lower-case hexadecimal. */
      sha256: string
    }
    /** @description Something that happened. */
    Event: {
      /**
       * Format: uuid
       * @description Names the event, here and in webhooks.
       */
      id: string
      /** @description What happened, such as `message.delivered`. */
      type: string
      /** @description What it happened to: `message`, `mailbox` or `domain`. */
      resourceType: string
      /**
       * Format: uuid
       * @description The id of that message, mailbox or domain.
       */
      resourceId: string
      /** @description What happened in detail, as each type of event has it. */
      data: {
        [key: string]: unknown
      }
      /**
       * Format: date-time
       * @description When it happened.
       */
      occurredAt: string
    }
    EventPage: {
      /** @description Oldest first. */
      items: components['schemas']['Event'][]
      /** @description Where the next page begins; null on the last one. */
      nextCursor: string | null
    }
    /** @description A URL of yours to which events are posted. */
    WebhookEndpoint: {
      /**
       * Format: uuid
       * @description Names the endpoint.
       */
      id: string
      /**
       * Format: uuid
       * @description The application that it belongs to.
       */
      appId: string
      /**
       * Format: uri
       * @description Where events are posted.
       */
      url: string
      /** @description What it is for, in your words. */
      description?: string | null
      /** @description The types of events that it receives; `*`: all. */
      eventTypes: string[]
      /** @description Whether events are posted to it. The tenth failure in a row disables it. */
      enabled: boolean
      /** @description How many attempts have failed since the last success. While it is above 0, deliveries wait. */
      consecutiveFailures: number
      /** @description When it was disabled; null while it is enabled. */
      disabledAt: string | null
      /**
       * Format: date-time
       * @description When it was created.
       */
      createdAt: string
    }
    CreateWebhookEndpointInput: {
      /**
       * Format: uri
       * @description Where events are posted: `https`, and a public address.
       */
      url: string
      /** @description What it is for, in your words. */
      description?: string | null
      /** @description The types of events that it receives, or `*` for all that there are and will be. */
      eventTypes: (
        | 'message.received'
        | 'message.queued'
        | 'message.sent'
        | 'message.delivered'
        | 'message.bounced'
        | 'message.failed'
        | 'message.updated'
        | 'message.deleted'
        | 'mailbox.created'
        | 'mailbox.updated'
        | 'mailbox.suspended'
        | 'domain.health_changed'
        | '*'
      )[]
    }
    UpdateWebhookEndpointInput: {
      /**
       * Format: uri
       * @description Where events are posted: `https`, and a public address.
       */
      url?: string
      /** @description What it is for, in your words. */
      description?: string | null
      /** @description The types of events that it receives, or `*` for all that there are and will be. */
      eventTypes?: (
        | 'message.received'
        | 'message.queued'
        | 'message.sent'
        | 'message.delivered'
        | 'message.bounced'
        | 'message.failed'
        | 'message.updated'
        | 'message.deleted'
        | 'mailbox.created'
        | 'mailbox.updated'
        | 'mailbox.suspended'
        | 'domain.health_changed'
        | '*'
      )[]
      /** @description Whether events are posted to it. True sets `consecutiveFailures` to 0. */
      enabled?: boolean
    }
    NewWebhookEndpoint: {
      endpoint: components['schemas']['WebhookEndpoint']
      /** @description Verifies deliveries: `whsec_…`. It is shown only this once. */
      secret: string
    }
    /** @description An event on its way to an endpoint, and what came of it. */
    WebhookDelivery: {
      /**
       * Format: uuid
       * @description Names the delivery.
       */
      id: string
      /**
       * @description What this is.
       * @constant
       */
      object: 'webhook_delivery'
      /**
       * Format: uuid
       * @description The endpoint it goes to.
       */
      endpointId: string
      /**
       * Format: uuid
       * @description The event it carries.
       */
      eventId: string
      /** @description The type of that event. */
      eventType: string
      /**
       * @description `pending` until it is `delivered`, or `dead`: given up until somebody replays it.
       * @enum {string}
       */
      status: 'pending' | 'delivered' | 'dead'
      /** @description 1, and one more for each replay. */
      cycle: number
      /** @description How often it was attempted in this cycle; 5 times at most. */
      attemptCount: number
      /** @description How often a worker has taken it up in this cycle; 5 times at most. */
      receptions: number
      /** @description When it is attempted next, at the earliest; a time in the past means that it is due. Null once it has ended. */
      nextAttemptAt: string | null
      /** @description When it was attempted last. */
      lastAttemptAt: string | null
      /** @description The status that the receiver answered last. */
      lastStatusCode: number | null
      /** @description Why the last attempt failed, or why it was given up. */
      lastError:
        | (
            | 'timeout'
            | 'unsafe_address'
            | 'dns'
            | 'redirect'
            | 'tls'
            | 'network'
            | 'http_status'
            | 'endpoint_disabled'
            | 'receptions_exhausted'
          )
        | null
      /** @description How long the last attempt took, in milliseconds. */
      lastDurationMs: number | null
      /** @description When it was answered 2xx. */
      deliveredAt: string | null
      /** @description When it was given up. */
      deadAt: string | null
      /**
       * Format: date-time
       * @description When it was made, together with its event.
       */
      createdAt: string
    }
    WebhookDeliveryPage: {
      /** @description Newest first. */
      items: components['schemas']['WebhookDelivery'][]
      /** @description Where the next page begins; null on the last one. */
      nextCursor: string | null
    }
    ReplayedDelivery: {
      /**
       * Format: uuid
       * @description The delivery.
       */
      id: string
      /**
       * @description What this is.
       * @constant
       */
      object: 'webhook_delivery'
      /**
       * Format: uuid
       * @description The event it carries.
       */
      eventId: string
      /**
       * Format: uuid
       * @description The endpoint it goes to.
       */
      endpointId: string
      /**
       * @description It is attempted again.
       * @constant
       */
      status: 'pending'
      /** @description The cycle that begins now. */
      cycle: number
    }
    /** @description One request that was to deliver an event, and what came of it. */
    WebhookAttempt: {
      /** @description The cycle that it belongs to: 1, and one more for each replay. */
      cycle: number
      /** @description Which one of its cycle it is, from 1. */
      number: number
      /**
       * Format: date-time
       * @description When it had ended.
       */
      at: string
      /**
       * @description Whether it was answered 2xx in time.
       * @enum {string}
       */
      outcome: 'accepted' | 'failed'
      /** @description The status that the receiver answered; null without an answer. */
      statusCode: number | null
      /** @description Why it failed; null when it was accepted. */
      error: ('timeout' | 'unsafe_address' | 'dns' | 'redirect' | 'tls' | 'network' | 'http_status') | null
      /** @description How long it took, in milliseconds. */
      durationMs: number
      /** @description The first 1,000 octets of what the receiver answered instead of accepting, where that was text. */
      answer: string | null
    }
    ReplaySinceInput: {
      /**
       * Format: date-time
       * @description Deliveries that died at this ISO 8601 instant or later; it lies in the past.
       */
      since: string
    }
    /** @description The replay of all that died since an instant, and how far it is. */
    WebhookReplay: {
      /**
       * Format: uuid
       * @description Names the replay.
       */
      id: string
      /**
       * @description What this is.
       * @constant
       */
      object: 'webhook_replay'
      /**
       * Format: uuid
       * @description The application whose deliveries are replayed.
       */
      appId: string
      /** @description The one endpoint whose deliveries are; null: of all of the application. */
      endpointId: string | null
      /**
       * Format: date-time
       * @description Only what died at this instant or later is replayed.
       */
      since: string
      /**
       * Format: date-time
       * @description When the replay was asked for: what died later is not replayed.
       */
      until: string
      /**
       * @description `running` until it is `done`, or `stopped` before.
       * @enum {string}
       */
      status: 'running' | 'done' | 'stopped'
      /** @description Why it was stopped: somebody `asked` for it, the endpoint was disabled or deleted, or a fault of ours. */
      stoppedBecause: ('asked' | 'endpoint_disabled' | 'endpoint_deleted' | 'fault') | null
      /** @description How many deliveries have been replayed, each counted once. */
      replayed: number
      /** @description How many are left; 10,000 stands for as many or more. Null once it has ended. */
      remaining: number | null
      /**
       * @description Who asked for it.
       * @enum {string}
       */
      askedBy: 'application' | 'person' | 'operator'
      /**
       * Format: date-time
       * @description When it was asked for.
       */
      createdAt: string
      /** @description When it was done or stopped. */
      endedAt: string | null
    }
    Error: {
      /** @description Stable, for programs. */
      code: string
      /** @description For people. */
      message: string
      /** @description Repeats the code. */
      error?: string
      /**
       * Format: uuid
       * @description Quote it in reports.
       */
      requestId?: string
      /** @description `{fields: [{path, code, message}]}` for a validation error, a flat object otherwise. */
      details?: {
        [key: string]: unknown
      }
    }
  }
  responses: never
  parameters: never
  requestBodies: never
  headers: {
    /** @description Names this request; quote it in reports. */
    'x-request-id': string
    /** @description Requests in the window of the tightest limit. Absent when nothing is limited. */
    'RateLimit-Limit': number
    /** @description Requests left in that window. */
    'RateLimit-Remaining': number
    /** @description Seconds until that window ends. */
    'RateLimit-Reset': number
    /** @description Seconds to wait before trying again. */
    'Retry-After': number
    /** @description The name of the file (RFC 6266). */
    'Content-Disposition': string
    /** @description Which octets these are of how many (RFC 9110); with 416 how many there are. */
    'Content-Range': string
    /** @description The SHA-256 of the file in quotes. */
    ETag: string
    /** @description `true` when an earlier request with the same key was answered again. */
    'Idempotent-Replayed': 'true'
    /** @description The position after the last item, or the one given when the page is empty. */
    'Mdk-Resume-Cursor': string
  }
  pathItems: never
}
export type $defs = Record<string, never>
export interface operations {
  listMailboxes: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description List mailboxes */
      200: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "items": [
           *         {
           *           "id": "0199f0a0-0000-7000-8000-000000000001",
           *           "address": "sales@example.com",
           *           "displayName": "Sales"
           *         }
           *       ]
           *     }
           */
          'application/json': {
            /** @description All of them, by address. */
            items: components['schemas']['Mailbox'][]
          }
        }
      }
      /**
       * @description [`bad_request`](/docs/errors/bad_request): The request is not valid HTTP, or repeats a header that may appear only once.
       *
       *     [`validation_error`](/docs/errors/validation_error): The request is not valid for this operation; details.fields says where.
       */
      400: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description [`invalid_api_key`](/docs/errors/invalid_api_key): No valid API key was given. Send it as: Authorization: Bearer <API key>. */
      401: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description [`insufficient_scope`](/docs/errors/insufficient_scope): The API key does not have the scope that this operation needs. */
      403: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description [`rate_limited`](/docs/errors/rate_limited): Too many requests. Wait for the seconds in the Retry-After header. */
      429: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          'Retry-After': components['headers']['Retry-After']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description [`internal_error`](/docs/errors/internal_error): Something went wrong on our side. Quote the requestId when you report it. */
      500: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description [`service_unavailable`](/docs/errors/service_unavailable): The service is unavailable at the moment. Try again after the seconds in the Retry-After header. */
      503: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          'Retry-After': components['headers']['Retry-After']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
    }
  }
  listDomains: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description List domains */
      200: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "items": [
           *         {
           *           "id": "0199f0a0-0000-7000-8000-000000000001",
           *           "domain": "example.com",
           *           "verified": true,
           *           "health": "healthy",
           *           "mailboxCount": 3
           *         }
           *       ]
           *     }
           */
          'application/json': {
            /** @description All of them, by name. */
            items: components['schemas']['Domain'][]
          }
        }
      }
      /**
       * @description [`bad_request`](/docs/errors/bad_request): The request is not valid HTTP, or repeats a header that may appear only once.
       *
       *     [`validation_error`](/docs/errors/validation_error): The request is not valid for this operation; details.fields says where.
       */
      400: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description [`invalid_api_key`](/docs/errors/invalid_api_key): No valid API key was given. Send it as: Authorization: Bearer <API key>. */
      401: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description [`insufficient_scope`](/docs/errors/insufficient_scope): The API key does not have the scope that this operation needs. */
      403: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description [`rate_limited`](/docs/errors/rate_limited): Too many requests. Wait for the seconds in the Retry-After header. */
      429: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          'Retry-After': components['headers']['Retry-After']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description [`internal_error`](/docs/errors/internal_error): Something went wrong on our side. Quote the requestId when you report it. */
      500: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description [`service_unavailable`](/docs/errors/service_unavailable): The service is unavailable at the moment. Try again after the seconds in the Retry-After header. */
      503: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          'Retry-After': components['headers']['Retry-After']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
    }
  }
  listMessages: {
    parameters: {
      query?: {
        /** @description How many messages at most. */
        limit?: number
        /** @description Where to go on: the `nextCursor` of the page before, unchanged. A plain timestamp means strictly older than it. */
        cursor?: string
        /** @description Only messages of this mailbox. */
        mailboxId?: string
        /** @description Only messages that lie in this folder of that mailbox; without `mailboxId`, of any. */
        folder?: 'inbox' | 'sent' | 'archive' | 'spam' | 'trash'
        /** @description Only received messages, or only sent ones. */
        direction?: 'inbound' | 'outbound'
        /** @description Only messages that have this status now. */
        status?: 'queued' | 'sent' | 'delivered' | 'bounced' | 'failed' | 'received'
        /** @description Only messages with this whole address in `to`, `cc` or `bcc`, in whatever case. */
        recipient?: string
        /** @description Only messages that have all of these words in the subject, the sender or the recipients, whatever the case and the accents; the last may be the beginning of a word. An address or a Message-ID is looked for whole, a domain as `@example.com`. Or the id of a message. A message is found about a second after it was accepted or received. */
        q?: string
        /** @description Only messages whose `createdAt` is this ISO 8601 instant or later. */
        since?: string
        /** @description Only messages whose `createdAt` is earlier than this ISO 8601 instant. */
        until?: string
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description List messages */
      200: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "items": [
           *         {
           *           "id": "0199f0a0-0000-7000-8000-0000000000a1",
           *           "object": "message",
           *           "direction": "outbound",
           *           "status": "delivered",
           *           "from": {
           *             "address": "sales@example.com",
           *             "name": "Sales"
           *           },
           *           "to": [
           *             {
           *               "address": "you@example.net",
           *               "name": null
           *             }
           *           ],
           *           "cc": [],
           *           "subject": "Your order",
           *           "preview": "Thank you for your order.",
           *           "hasAttachments": false,
           *           "attachmentCount": 0,
           *           "sizeBytes": 1423,
           *           "messageId": "<0199f0a0-0000-7000-8000-0000000000a1@example.com>",
           *           "inReplyTo": null,
           *           "mailboxes": [
           *             {
           *               "mailboxId": "0199f0a0-0000-7000-8000-000000000001",
           *               "folder": "sent",
           *               "isRead": true,
           *               "isStarred": false
           *             }
           *           ],
           *           "sentAt": "2026-01-05T10:00:00.000000Z",
           *           "receivedAt": null,
           *           "createdAt": "2026-01-05T10:00:00.000000Z"
           *         }
           *       ],
           *       "nextCursor": "2026-01-05T10:00:00.0000000Z"
           *     }
           */
          'application/json': components['schemas']['MessagePage']
        }
      }
      /**
       * @description [`bad_request`](/docs/errors/bad_request): The request is not valid HTTP, or repeats a header that may appear only once.
       *
       *     [`validation_error`](/docs/errors/validation_error): The request is not valid for this operation; details.fields says where.
       *
       *     [`invalid_cursor`](/docs/errors/invalid_cursor): The cursor was not issued by this list for these credentials.
       */
      400: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description [`invalid_api_key`](/docs/errors/invalid_api_key): No valid API key was given. Send it as: Authorization: Bearer <API key>. */
      401: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description [`insufficient_scope`](/docs/errors/insufficient_scope): The API key does not have the scope that this operation needs. */
      403: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description [`not_found`](/docs/errors/not_found): There is no such resource for these credentials. */
      404: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description [`rate_limited`](/docs/errors/rate_limited): Too many requests. Wait for the seconds in the Retry-After header. */
      429: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          'Retry-After': components['headers']['Retry-After']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description [`internal_error`](/docs/errors/internal_error): Something went wrong on our side. Quote the requestId when you report it. */
      500: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description [`service_unavailable`](/docs/errors/service_unavailable): The service is unavailable at the moment. Try again after the seconds in the Retry-After header. */
      503: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          'Retry-After': components['headers']['Retry-After']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
    }
  }
  sendMessage: {
    parameters: {
      query?: never
      header: {
        /**
         * @description Makes the request safe to repeat: for 24 hours the same key with the same request gives the first answer again. Printable ASCII.
         * @example order-4711-confirmation
         */
        'Idempotency-Key': string
      }
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        /**
         * @example {
         *       "fromMailboxId": "0199f0a0-0000-7000-8000-000000000001",
         *       "to": [
         *         "you@example.net"
         *       ],
         *       "subject": "Your order",
         *       "text": "Thank you for your order."
         *     }
         */
        'application/json': components['schemas']['SendMessageInput']
      }
    }
    responses: {
      /** @description Send a message */
      202: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          'Idempotent-Replayed': components['headers']['Idempotent-Replayed']
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "id": "0199f0a0-0000-7000-8000-0000000000a1",
           *       "object": "message",
           *       "status": "queued"
           *     }
           */
          'application/json': components['schemas']['QueuedMessage']
        }
      }
      /**
       * @description [`bad_request`](/docs/errors/bad_request): The request is not valid HTTP, or repeats a header that may appear only once.
       *
       *     [`invalid_json`](/docs/errors/invalid_json): The request body is not valid JSON.
       *
       *     [`validation_error`](/docs/errors/validation_error): The request is not valid for this operation; details.fields says where.
       *
       *     [`missing_idempotency_key`](/docs/errors/missing_idempotency_key): This operation needs an Idempotency-Key header.
       *
       *     [`invalid_idempotency_key`](/docs/errors/invalid_idempotency_key): The Idempotency-Key header must be 8 to 255 printable ASCII characters.
       */
      400: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description [`invalid_api_key`](/docs/errors/invalid_api_key): No valid API key was given. Send it as: Authorization: Bearer <API key>. */
      401: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description [`plan_capacity_exceeded`](/docs/errors/plan_capacity_exceeded): The plan's capacity is used up. */
      402: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /**
       * @description [`insufficient_scope`](/docs/errors/insufficient_scope): The API key does not have the scope that this operation needs.
       *
       *     [`mailbox_suspended`](/docs/errors/mailbox_suspended): The mailbox is suspended: it can be read but cannot send.
       */
      403: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description [`not_found`](/docs/errors/not_found): There is no such resource for these credentials. */
      404: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description [`request_timeout`](/docs/errors/request_timeout): The request did not arrive in time. */
      408: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /**
       * @description [`idempotency_conflict`](/docs/errors/idempotency_conflict): This Idempotency-Key was used for a different request.
       *
       *     [`idempotency_pending`](/docs/errors/idempotency_pending): The first request with this Idempotency-Key is still running.
       */
      409: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          'Retry-After': components['headers']['Retry-After']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /**
       * @description [`payload_too_large`](/docs/errors/payload_too_large): The request body is larger than this operation allows.
       *
       *     [`message_too_large`](/docs/errors/message_too_large): The complete message would be larger than 25 MiB.
       */
      413: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description [`unsupported_media_type`](/docs/errors/unsupported_media_type): The request body must be sent as application/json, in UTF-8 and not compressed. */
      415: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description [`rate_limited`](/docs/errors/rate_limited): Too many requests. Wait for the seconds in the Retry-After header. */
      429: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          'Retry-After': components['headers']['Retry-After']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description [`internal_error`](/docs/errors/internal_error): Something went wrong on our side. Quote the requestId when you report it. */
      500: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description [`service_unavailable`](/docs/errors/service_unavailable): The service is unavailable at the moment. Try again after the seconds in the Retry-After header. */
      503: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          'Retry-After': components['headers']['Retry-After']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
    }
  }
  getMessage: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the message. */
        messageId: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Get a message */
      200: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "message": {
           *         "id": "0199f0a0-0000-7000-8000-0000000000a1",
           *         "object": "message",
           *         "direction": "outbound",
           *         "status": "delivered",
           *         "from": {
           *           "address": "sales@example.com",
           *           "name": "Sales"
           *         },
           *         "to": [
           *           {
           *             "address": "you@example.net",
           *             "name": null
           *           }
           *         ],
           *         "cc": [],
           *         "subject": "Your order",
           *         "preview": "Thank you for your order.",
           *         "hasAttachments": false,
           *         "attachmentCount": 0,
           *         "sizeBytes": 1423,
           *         "messageId": "<0199f0a0-0000-7000-8000-0000000000a1@example.com>",
           *         "inReplyTo": null,
           *         "mailboxes": [
           *           {
           *             "mailboxId": "0199f0a0-0000-7000-8000-000000000001",
           *             "folder": "sent",
           *             "isRead": true,
           *             "isStarred": false
           *           }
           *         ],
           *         "sentAt": "2026-01-05T10:00:00.000000Z",
           *         "receivedAt": null,
           *         "createdAt": "2026-01-05T10:00:00.000000Z",
           *         "bcc": [],
           *         "replyTo": [],
           *         "references": [],
           *         "headers": [
           *           {
           *             "name": "Subject",
           *             "value": "Your order"
           *           }
           *         ],
           *         "text": "Thank you for your order.",
           *         "html": null,
           *         "textTruncated": false,
           *         "htmlTruncated": false,
           *         "attachments": [],
           *         "recipients": [
           *           {
           *             "address": "you@example.net",
           *             "kind": "to",
           *             "status": "delivered",
           *             "smtpCode": 250,
           *             "enhancedCode": "2.0.0",
           *             "diagnostic": null,
           *             "attempts": 1,
           *             "nextAttemptAt": null,
           *             "complainedAt": null,
           *             "updatedAt": "2026-01-05T10:00:00.000000Z"
           *           }
           *         ],
           *         "authentication": null,
           *         "mime": {
           *           "partId": "1",
           *           "contentType": "text/plain",
           *           "parameters": {
           *             "charset": "utf-8"
           *           },
           *           "disposition": null,
           *           "filename": null,
           *           "contentId": null,
           *           "encoding": "7bit",
           *           "sizeBytes": 25,
           *           "attachmentId": null,
           *           "parts": []
           *         }
           *       }
           *     }
           */
          'application/json': {
            message: components['schemas']['MessageDetail']
          }
        }
      }
      /**
       * @description [`bad_request`](/docs/errors/bad_request): The request is not valid HTTP, or repeats a header that may appear only once.
       *
       *     [`validation_error`](/docs/errors/validation_error): The request is not valid for this operation; details.fields says where.
       */
      400: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description [`invalid_api_key`](/docs/errors/invalid_api_key): No valid API key was given. Send it as: Authorization: Bearer <API key>. */
      401: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description [`insufficient_scope`](/docs/errors/insufficient_scope): The API key does not have the scope that this operation needs. */
      403: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description [`not_found`](/docs/errors/not_found): There is no such resource for these credentials. */
      404: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description [`rate_limited`](/docs/errors/rate_limited): Too many requests. Wait for the seconds in the Retry-After header. */
      429: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          'Retry-After': components['headers']['Retry-After']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description [`internal_error`](/docs/errors/internal_error): Something went wrong on our side. Quote the requestId when you report it. */
      500: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description [`service_unavailable`](/docs/errors/service_unavailable): The service is unavailable at the moment. Try again after the seconds in the Retry-After header. */
      503: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          'Retry-After': components['headers']['Retry-After']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
    }
  }
  updateMessage: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the message. */
        messageId: string
      }
      cookie?: never
    }
    requestBody: {
      content: {
        /**
         * @example {
         *       "mailboxId": "0199f0a0-0000-7000-8000-000000000001",
         *       "isRead": true,
         *       "folder": "archive"
         *     }
         */
        'application/json': components['schemas']['UpdateMessageInput']
      }
    }
    responses: {
      /** @description File or flag a message */
      200: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "id": "0199f0a0-0000-7000-8000-0000000000a1",
           *       "updated": true
           *     }
           */
          'application/json': {
            /**
             * Format: uuid
             * @description The message.
             */
            id: string
            /**
             * @description It is as you asked.
             * @constant
             */
            updated: true
          }
        }
      }
      /**
       * @description [`bad_request`](/docs/errors/bad_request): The request is not valid HTTP, or repeats a header that may appear only once.
       *
       *     [`invalid_json`](/docs/errors/invalid_json): The request body is not valid JSON.
       *
       *     [`validation_error`](/docs/errors/validation_error): The request is not valid for this operation; details.fields says where.
       */
      400: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description [`invalid_api_key`](/docs/errors/invalid_api_key): No valid API key was given. Send it as: Authorization: Bearer <API key>. */
      401: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description [`insufficient_scope`](/docs/errors/insufficient_scope): The API key does not have the scope that this operation needs. */
      403: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description [`not_found`](/docs/errors/not_found): There is no such resource for these credentials. */
      404: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description [`request_timeout`](/docs/errors/request_timeout): The request did not arrive in time. */
      408: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description [`payload_too_large`](/docs/errors/payload_too_large): The request body is larger than this operation allows. */
      413: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description [`unsupported_media_type`](/docs/errors/unsupported_media_type): The request body must be sent as application/json, in UTF-8 and not compressed. */
      415: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description [`rate_limited`](/docs/errors/rate_limited): Too many requests. Wait for the seconds in the Retry-After header. */
      429: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          'Retry-After': components['headers']['Retry-After']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description [`internal_error`](/docs/errors/internal_error): Something went wrong on our side. Quote the requestId when you report it. */
      500: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description [`service_unavailable`](/docs/errors/service_unavailable): The service is unavailable at the moment. Try again after the seconds in the Retry-After header. */
      503: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          'Retry-After': components['headers']['Retry-After']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
    }
  }
  getRawMessage: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the message. */
        messageId: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The message. */
      200: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          'message/rfc822': string
        }
      }
      /**
       * @description [`bad_request`](/docs/errors/bad_request): The request is not valid HTTP, or repeats a header that may appear only once.
       *
       *     [`validation_error`](/docs/errors/validation_error): The request is not valid for this operation; details.fields says where.
       */
      400: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description [`invalid_api_key`](/docs/errors/invalid_api_key): No valid API key was given. Send it as: Authorization: Bearer <API key>. */
      401: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description [`insufficient_scope`](/docs/errors/insufficient_scope): The API key does not have the scope that this operation needs. */
      403: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description [`not_found`](/docs/errors/not_found): There is no such resource for these credentials. */
      404: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description [`rate_limited`](/docs/errors/rate_limited): Too many requests. Wait for the seconds in the Retry-After header. */
      429: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          'Retry-After': components['headers']['Retry-After']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description [`internal_error`](/docs/errors/internal_error): Something went wrong on our side. Quote the requestId when you report it. */
      500: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description [`service_unavailable`](/docs/errors/service_unavailable): The service is unavailable at the moment. Try again after the seconds in the Retry-After header. */
      503: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          'Retry-After': components['headers']['Retry-After']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
    }
  }
  listEvents: {
    parameters: {
      query?: {
        /** @description How many events at most. */
        limit?: number
        /** @description Where to go on: the `Mdk-Resume-Cursor` or `nextCursor` of an earlier page, unchanged; or an ISO 8601 timestamp. */
        cursor?: string
        /** @description Only events of this type. */
        type?:
          | 'message.received'
          | 'message.queued'
          | 'message.sent'
          | 'message.delivered'
          | 'message.bounced'
          | 'message.failed'
          | 'message.updated'
          | 'message.deleted'
          | 'mailbox.created'
          | 'mailbox.updated'
          | 'mailbox.suspended'
          | 'domain.health_changed'
        /** @description Only events about this message, mailbox or domain. */
        resourceId?: string
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Read the event log */
      200: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          'Mdk-Resume-Cursor': components['headers']['Mdk-Resume-Cursor']
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "items": [
           *         {
           *           "id": "0199f0a0-0000-7000-8000-0000000000e1",
           *           "type": "message.delivered",
           *           "resourceType": "message",
           *           "resourceId": "0199f0a0-0000-7000-8000-0000000000a1",
           *           "data": {
           *             "object": "message",
           *             "id": "0199f0a0-0000-7000-8000-0000000000a1",
           *             "mailboxId": "0199f0a0-0000-7000-8000-000000000001",
           *             "direction": "outbound",
           *             "messageId": "<0199f0a0-0000-7000-8000-0000000000a1@example.com>",
           *             "subject": "Your order",
           *             "from": {
           *               "address": "sales@example.com",
           *               "name": "Sales"
           *             },
           *             "to": [
           *               {
           *                 "address": "you@example.net",
           *                 "name": null
           *               }
           *             ],
           *             "status": "delivered",
           *             "recipient": "you@example.net",
           *             "smtpCode": 250,
           *             "enhancedCode": "2.0.0",
           *             "diagnostic": null
           *           },
           *           "occurredAt": "2026-01-05T10:00:00.000000Z"
           *         }
           *       ],
           *       "nextCursor": null
           *     }
           */
          'application/json': components['schemas']['EventPage']
        }
      }
      /**
       * @description [`bad_request`](/docs/errors/bad_request): The request is not valid HTTP, or repeats a header that may appear only once.
       *
       *     [`validation_error`](/docs/errors/validation_error): The request is not valid for this operation; details.fields says where.
       *
       *     [`invalid_cursor`](/docs/errors/invalid_cursor): The cursor was not issued by this list for these credentials.
       */
      400: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description [`invalid_api_key`](/docs/errors/invalid_api_key): No valid API key was given. Send it as: Authorization: Bearer <API key>. */
      401: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description [`insufficient_scope`](/docs/errors/insufficient_scope): The API key does not have the scope that this operation needs. */
      403: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description [`rate_limited`](/docs/errors/rate_limited): Too many requests. Wait for the seconds in the Retry-After header. */
      429: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          'Retry-After': components['headers']['Retry-After']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description [`internal_error`](/docs/errors/internal_error): Something went wrong on our side. Quote the requestId when you report it. */
      500: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description [`service_unavailable`](/docs/errors/service_unavailable): The service is unavailable at the moment. Try again after the seconds in the Retry-After header. */
      503: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          'Retry-After': components['headers']['Retry-After']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
    }
  }
  getEvent: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the event. */
        eventId: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Get an event */
      200: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "event": {
           *         "id": "0199f0a0-0000-7000-8000-0000000000e1",
           *         "type": "message.delivered",
           *         "resourceType": "message",
           *         "resourceId": "0199f0a0-0000-7000-8000-0000000000a1",
           *         "data": {
           *           "object": "message",
           *           "id": "0199f0a0-0000-7000-8000-0000000000a1",
           *           "mailboxId": "0199f0a0-0000-7000-8000-000000000001",
           *           "direction": "outbound",
           *           "messageId": "<0199f0a0-0000-7000-8000-0000000000a1@example.com>",
           *           "subject": "Your order",
           *           "from": {
           *             "address": "sales@example.com",
           *             "name": "Sales"
           *           },
           *           "to": [
           *             {
           *               "address": "you@example.net",
           *               "name": null
           *             }
           *           ],
           *           "status": "delivered",
           *           "recipient": "you@example.net",
           *           "smtpCode": 250,
           *           "enhancedCode": "2.0.0",
           *           "diagnostic": null
           *         },
           *         "occurredAt": "2026-01-05T10:00:00.000000Z"
           *       }
           *     }
           */
          'application/json': {
            event: components['schemas']['Event']
          }
        }
      }
      /**
       * @description [`bad_request`](/docs/errors/bad_request): The request is not valid HTTP, or repeats a header that may appear only once.
       *
       *     [`validation_error`](/docs/errors/validation_error): The request is not valid for this operation; details.fields says where.
       */
      400: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description [`invalid_api_key`](/docs/errors/invalid_api_key): No valid API key was given. Send it as: Authorization: Bearer <API key>. */
      401: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description [`insufficient_scope`](/docs/errors/insufficient_scope): The API key does not have the scope that this operation needs. */
      403: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description [`not_found`](/docs/errors/not_found): There is no such resource for these credentials. */
      404: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description [`rate_limited`](/docs/errors/rate_limited): Too many requests. Wait for the seconds in the Retry-After header. */
      429: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          'Retry-After': components['headers']['Retry-After']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description [`internal_error`](/docs/errors/internal_error): Something went wrong on our side. Quote the requestId when you report it. */
      500: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description [`service_unavailable`](/docs/errors/service_unavailable): The service is unavailable at the moment. Try again after the seconds in the Retry-After header. */
      503: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          'Retry-After': components['headers']['Retry-After']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
    }
  }
  prepareAttachmentUpload: {
    parameters: {
      query?: never
      header: {
        /**
         * @description Makes the request safe to repeat: for 24 hours the same key with the same request gives the first answer again. Printable ASCII.
         * @example order-4711-confirmation
         */
        'Idempotency-Key': string
      }
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        /**
         * @example {
         *       "mailboxId": "0199f0a0-0000-7000-8000-000000000001",
         *       "filename": "invoice.pdf",
         *       "mediaType": "application/pdf",
         *       "sizeBytes": 48213,
         *       "sha256": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
         *     }
         */
        'application/json': components['schemas']['PrepareAttachmentInput']
      }
    }
    responses: {
      /** @description Prepare an upload */
      201: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          'Idempotent-Replayed': components['headers']['Idempotent-Replayed']
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "uploadId": "0199f0a0-0000-7000-8000-0000000000b1",
           *       "attachment": null,
           *       "upload": {
           *         "url": "https://mail.example.com/v1/blobs/AQAAAAE",
           *         "method": "PUT",
           *         "headers": {
           *           "content-type": "application/pdf"
           *         },
           *         "expiresAt": "2026-01-05T10:00:00.000000Z"
           *       }
           *     }
           */
          'application/json': components['schemas']['PreparedAttachment']
        }
      }
      /**
       * @description [`bad_request`](/docs/errors/bad_request): The request is not valid HTTP, or repeats a header that may appear only once.
       *
       *     [`invalid_json`](/docs/errors/invalid_json): The request body is not valid JSON.
       *
       *     [`validation_error`](/docs/errors/validation_error): The request is not valid for this operation; details.fields says where.
       *
       *     [`missing_idempotency_key`](/docs/errors/missing_idempotency_key): This operation needs an Idempotency-Key header.
       *
       *     [`invalid_idempotency_key`](/docs/errors/invalid_idempotency_key): The Idempotency-Key header must be 8 to 255 printable ASCII characters.
       */
      400: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description [`invalid_api_key`](/docs/errors/invalid_api_key): No valid API key was given. Send it as: Authorization: Bearer <API key>. */
      401: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description [`plan_capacity_exceeded`](/docs/errors/plan_capacity_exceeded): The plan's capacity is used up. */
      402: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /**
       * @description [`insufficient_scope`](/docs/errors/insufficient_scope): The API key does not have the scope that this operation needs.
       *
       *     [`mailbox_suspended`](/docs/errors/mailbox_suspended): The mailbox is suspended: it can be read but cannot send.
       */
      403: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description [`not_found`](/docs/errors/not_found): There is no such resource for these credentials. */
      404: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description [`request_timeout`](/docs/errors/request_timeout): The request did not arrive in time. */
      408: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /**
       * @description [`idempotency_conflict`](/docs/errors/idempotency_conflict): This Idempotency-Key was used for a different request.
       *
       *     [`idempotency_pending`](/docs/errors/idempotency_pending): The first request with this Idempotency-Key is still running.
       */
      409: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          'Retry-After': components['headers']['Retry-After']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description [`upload_expired`](/docs/errors/upload_expired): The upload has expired. Start again with a new Idempotency-Key. */
      410: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /**
       * @description [`payload_too_large`](/docs/errors/payload_too_large): The request body is larger than this operation allows.
       *
       *     [`attachment_too_large`](/docs/errors/attachment_too_large): The attachment is larger than 25 MiB.
       */
      413: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description [`unsupported_media_type`](/docs/errors/unsupported_media_type): The request body must be sent as application/json, in UTF-8 and not compressed. */
      415: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description [`rate_limited`](/docs/errors/rate_limited): Too many requests. Wait for the seconds in the Retry-After header. */
      429: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          'Retry-After': components['headers']['Retry-After']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description [`internal_error`](/docs/errors/internal_error): Something went wrong on our side. Quote the requestId when you report it. */
      500: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description [`service_unavailable`](/docs/errors/service_unavailable): The service is unavailable at the moment. Try again after the seconds in the Retry-After header. */
      503: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          'Retry-After': components['headers']['Retry-After']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
    }
  }
  completeAttachmentUpload: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the upload. */
        uploadId: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Complete an upload */
      200: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "attachment": {
           *         "id": "0199f0a0-0000-7000-8000-0000000000b1",
           *         "mailboxId": "0199f0a0-0000-7000-8000-000000000001",
           *         "messageId": null,
           *         "filename": "invoice.pdf",
           *         "mediaType": "application/pdf",
           *         "sizeBytes": 48213,
           *         "sha256": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
           *         "disposition": "attachment",
           *         "contentId": null,
           *         "createdAt": "2026-01-05T10:00:00.000000Z"
           *       }
           *     }
           */
          'application/json': {
            attachment: components['schemas']['Attachment']
          }
        }
      }
      /**
       * @description [`bad_request`](/docs/errors/bad_request): The request is not valid HTTP, or repeats a header that may appear only once.
       *
       *     [`invalid_json`](/docs/errors/invalid_json): The request body is not valid JSON.
       *
       *     [`validation_error`](/docs/errors/validation_error): The request is not valid for this operation; details.fields says where.
       */
      400: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description [`invalid_api_key`](/docs/errors/invalid_api_key): No valid API key was given. Send it as: Authorization: Bearer <API key>. */
      401: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description [`plan_capacity_exceeded`](/docs/errors/plan_capacity_exceeded): The plan's capacity is used up. */
      402: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /**
       * @description [`insufficient_scope`](/docs/errors/insufficient_scope): The API key does not have the scope that this operation needs.
       *
       *     [`mailbox_suspended`](/docs/errors/mailbox_suspended): The mailbox is suspended: it can be read but cannot send.
       */
      403: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description [`not_found`](/docs/errors/not_found): There is no such resource for these credentials. */
      404: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description [`request_timeout`](/docs/errors/request_timeout): The request did not arrive in time. */
      408: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description [`upload_expired`](/docs/errors/upload_expired): The upload has expired. Start again with a new Idempotency-Key. */
      410: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description [`payload_too_large`](/docs/errors/payload_too_large): The request body is larger than this operation allows. */
      413: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description [`unsupported_media_type`](/docs/errors/unsupported_media_type): The request body must be sent as application/json, in UTF-8 and not compressed. */
      415: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /**
       * @description [`upload_mismatch`](/docs/errors/upload_mismatch): The uploaded bytes do not match what was announced.
       *
       *     [`upload_missing`](/docs/errors/upload_missing): Nothing has been uploaded yet.
       */
      422: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description [`rate_limited`](/docs/errors/rate_limited): Too many requests. Wait for the seconds in the Retry-After header. */
      429: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          'Retry-After': components['headers']['Retry-After']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description [`internal_error`](/docs/errors/internal_error): Something went wrong on our side. Quote the requestId when you report it. */
      500: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description [`service_unavailable`](/docs/errors/service_unavailable): The service is unavailable at the moment. Try again after the seconds in the Retry-After header. */
      503: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          'Retry-After': components['headers']['Retry-After']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
    }
  }
  getAttachment: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the attachment. */
        attachmentId: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Get an attachment */
      200: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "attachment": {
           *         "id": "0199f0a0-0000-7000-8000-0000000000b1",
           *         "mailboxId": "0199f0a0-0000-7000-8000-000000000001",
           *         "messageId": null,
           *         "filename": "invoice.pdf",
           *         "mediaType": "application/pdf",
           *         "sizeBytes": 48213,
           *         "sha256": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
           *         "disposition": "attachment",
           *         "contentId": null,
           *         "createdAt": "2026-01-05T10:00:00.000000Z"
           *       }
           *     }
           */
          'application/json': {
            attachment: components['schemas']['Attachment']
          }
        }
      }
      /**
       * @description [`bad_request`](/docs/errors/bad_request): The request is not valid HTTP, or repeats a header that may appear only once.
       *
       *     [`validation_error`](/docs/errors/validation_error): The request is not valid for this operation; details.fields says where.
       */
      400: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description [`invalid_api_key`](/docs/errors/invalid_api_key): No valid API key was given. Send it as: Authorization: Bearer <API key>. */
      401: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description [`insufficient_scope`](/docs/errors/insufficient_scope): The API key does not have the scope that this operation needs. */
      403: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description [`not_found`](/docs/errors/not_found): There is no such resource for these credentials. */
      404: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description [`rate_limited`](/docs/errors/rate_limited): Too many requests. Wait for the seconds in the Retry-After header. */
      429: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          'Retry-After': components['headers']['Retry-After']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description [`internal_error`](/docs/errors/internal_error): Something went wrong on our side. Quote the requestId when you report it. */
      500: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description [`service_unavailable`](/docs/errors/service_unavailable): The service is unavailable at the moment. Try again after the seconds in the Retry-After header. */
      503: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          'Retry-After': components['headers']['Retry-After']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
    }
  }
  getAttachmentDownloadUrl: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the attachment. */
        attachmentId: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Get a download URL */
      200: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "url": "https://mail.example.com/v1/blobs/AQAAAAE",
           *       "expiresAt": "2026-01-05T10:00:00.000000Z",
           *       "filename": "invoice.pdf",
           *       "mediaType": "application/pdf",
           *       "sizeBytes": 48213,
           *       "sha256": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
           *     }
           */
          'application/json': components['schemas']['AttachmentDownload']
        }
      }
      /**
       * @description [`bad_request`](/docs/errors/bad_request): The request is not valid HTTP, or repeats a header that may appear only once.
       *
       *     [`validation_error`](/docs/errors/validation_error): The request is not valid for this operation; details.fields says where.
       */
      400: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description [`invalid_api_key`](/docs/errors/invalid_api_key): No valid API key was given. Send it as: Authorization: Bearer <API key>. */
      401: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description [`insufficient_scope`](/docs/errors/insufficient_scope): The API key does not have the scope that this operation needs. */
      403: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description [`not_found`](/docs/errors/not_found): There is no such resource for these credentials. */
      404: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description [`rate_limited`](/docs/errors/rate_limited): Too many requests. Wait for the seconds in the Retry-After header. */
      429: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          'Retry-After': components['headers']['Retry-After']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description [`internal_error`](/docs/errors/internal_error): Something went wrong on our side. Quote the requestId when you report it. */
      500: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description [`service_unavailable`](/docs/errors/service_unavailable): The service is unavailable at the moment. Try again after the seconds in the Retry-After header. */
      503: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          'Retry-After': components['headers']['Retry-After']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
    }
  }
  uploadAttachment: {
    parameters: {
      query?: never
      header: {
        /**
         * @description Makes the request safe to repeat: for 24 hours the same key with the same request gives the first answer again. Printable ASCII.
         * @example order-4711-confirmation
         */
        'Idempotency-Key': string
      }
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        /**
         * @example {
         *       "mailboxId": "0199f0a0-0000-7000-8000-000000000001",
         *       "filename": "note.txt",
         *       "mediaType": "text/plain",
         *       "contentBase64": "aGVsbG8="
         *     }
         */
        'application/json': components['schemas']['UploadAttachmentInput']
      }
    }
    responses: {
      /** @description Upload a small file as JSON */
      201: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          'Idempotent-Replayed': components['headers']['Idempotent-Replayed']
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "attachment": {
           *         "id": "0199f0a0-0000-7000-8000-0000000000b1",
           *         "mailboxId": "0199f0a0-0000-7000-8000-000000000001",
           *         "messageId": null,
           *         "filename": "invoice.pdf",
           *         "mediaType": "application/pdf",
           *         "sizeBytes": 48213,
           *         "sha256": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
           *         "disposition": "attachment",
           *         "contentId": null,
           *         "createdAt": "2026-01-05T10:00:00.000000Z"
           *       }
           *     }
           */
          'application/json': {
            attachment: components['schemas']['Attachment']
          }
        }
      }
      /**
       * @description [`bad_request`](/docs/errors/bad_request): The request is not valid HTTP, or repeats a header that may appear only once.
       *
       *     [`invalid_json`](/docs/errors/invalid_json): The request body is not valid JSON.
       *
       *     [`validation_error`](/docs/errors/validation_error): The request is not valid for this operation; details.fields says where.
       *
       *     [`missing_idempotency_key`](/docs/errors/missing_idempotency_key): This operation needs an Idempotency-Key header.
       *
       *     [`invalid_idempotency_key`](/docs/errors/invalid_idempotency_key): The Idempotency-Key header must be 8 to 255 printable ASCII characters.
       */
      400: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description [`invalid_api_key`](/docs/errors/invalid_api_key): No valid API key was given. Send it as: Authorization: Bearer <API key>. */
      401: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description [`plan_capacity_exceeded`](/docs/errors/plan_capacity_exceeded): The plan's capacity is used up. */
      402: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /**
       * @description [`insufficient_scope`](/docs/errors/insufficient_scope): The API key does not have the scope that this operation needs.
       *
       *     [`mailbox_suspended`](/docs/errors/mailbox_suspended): The mailbox is suspended: it can be read but cannot send.
       */
      403: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description [`not_found`](/docs/errors/not_found): There is no such resource for these credentials. */
      404: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description [`request_timeout`](/docs/errors/request_timeout): The request did not arrive in time. */
      408: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /**
       * @description [`idempotency_conflict`](/docs/errors/idempotency_conflict): This Idempotency-Key was used for a different request.
       *
       *     [`idempotency_pending`](/docs/errors/idempotency_pending): The first request with this Idempotency-Key is still running.
       */
      409: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          'Retry-After': components['headers']['Retry-After']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /**
       * @description [`payload_too_large`](/docs/errors/payload_too_large): The request body is larger than this operation allows.
       *
       *     [`attachment_too_large`](/docs/errors/attachment_too_large): The attachment is larger than 25 MiB.
       */
      413: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description [`unsupported_media_type`](/docs/errors/unsupported_media_type): The request body must be sent as application/json, in UTF-8 and not compressed. */
      415: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description [`rate_limited`](/docs/errors/rate_limited): Too many requests. Wait for the seconds in the Retry-After header. */
      429: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          'Retry-After': components['headers']['Retry-After']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description [`internal_error`](/docs/errors/internal_error): Something went wrong on our side. Quote the requestId when you report it. */
      500: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description [`service_unavailable`](/docs/errors/service_unavailable): The service is unavailable at the moment. Try again after the seconds in the Retry-After header. */
      503: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          'Retry-After': components['headers']['Retry-After']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
    }
  }
  downloadAttachment: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the attachment. */
        attachmentId: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Download a small file as JSON */
      200: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "filename": "note.txt",
           *       "mediaType": "text/plain",
           *       "contentBase64": "aGVsbG8="
           *     }
           */
          'application/json': {
            /** @description The name of the file. */
            filename: string
            /** @description The type of its content. */
            mediaType: string
            /** @description Its bytes in base64. */
            contentBase64: string
          }
        }
      }
      /**
       * @description [`bad_request`](/docs/errors/bad_request): The request is not valid HTTP, or repeats a header that may appear only once.
       *
       *     [`validation_error`](/docs/errors/validation_error): The request is not valid for this operation; details.fields says where.
       */
      400: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description [`invalid_api_key`](/docs/errors/invalid_api_key): No valid API key was given. Send it as: Authorization: Bearer <API key>. */
      401: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description [`insufficient_scope`](/docs/errors/insufficient_scope): The API key does not have the scope that this operation needs. */
      403: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description [`not_found`](/docs/errors/not_found): There is no such resource for these credentials. */
      404: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description [`attachment_too_large`](/docs/errors/attachment_too_large): The attachment is larger than 25 MiB. */
      413: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description [`rate_limited`](/docs/errors/rate_limited): Too many requests. Wait for the seconds in the Retry-After header. */
      429: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          'Retry-After': components['headers']['Retry-After']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description [`internal_error`](/docs/errors/internal_error): Something went wrong on our side. Quote the requestId when you report it. */
      500: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description [`service_unavailable`](/docs/errors/service_unavailable): The service is unavailable at the moment. Try again after the seconds in the Retry-After header. */
      503: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          'Retry-After': components['headers']['Retry-After']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
    }
  }
  getBlob: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description What the URL was made with: opaque, and a secret while it lasts. */
        token: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The bytes. */
      200: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          'Content-Disposition': components['headers']['Content-Disposition']
          ETag: components['headers']['ETag']
          [name: string]: unknown
        }
        content: {
          '*/*': string
        }
      }
      /** @description The range that was asked for. */
      206: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          'Content-Disposition': components['headers']['Content-Disposition']
          ETag: components['headers']['ETag']
          'Content-Range': components['headers']['Content-Range']
          [name: string]: unknown
        }
        content: {
          '*/*': string
        }
      }
      /**
       * @description [`bad_request`](/docs/errors/bad_request): The request is not valid HTTP, or repeats a header that may appear only once.
       *
       *     [`validation_error`](/docs/errors/validation_error): The request is not valid for this operation; details.fields says where.
       */
      400: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description [`not_found`](/docs/errors/not_found): There is no such resource for these credentials. */
      404: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description [`range_not_satisfiable`](/docs/errors/range_not_satisfiable): Nothing of the range that the Range header asks for lies within the file. */
      416: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          'Content-Range': components['headers']['Content-Range']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description [`rate_limited`](/docs/errors/rate_limited): Too many requests. Wait for the seconds in the Retry-After header. */
      429: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          'Retry-After': components['headers']['Retry-After']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description [`internal_error`](/docs/errors/internal_error): Something went wrong on our side. Quote the requestId when you report it. */
      500: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description [`service_unavailable`](/docs/errors/service_unavailable): The service is unavailable at the moment. Try again after the seconds in the Retry-After header. */
      503: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          'Retry-After': components['headers']['Retry-After']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
    }
  }
  putBlob: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description What the URL was made with: opaque, and a secret while it lasts. */
        token: string
      }
      cookie?: never
    }
    requestBody: {
      content: {
        '*/*': string
      }
    }
    responses: {
      /** @description Done. */
      200: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content?: never
      }
      /**
       * @description [`bad_request`](/docs/errors/bad_request): The request is not valid HTTP, or repeats a header that may appear only once.
       *
       *     [`validation_error`](/docs/errors/validation_error): The request is not valid for this operation; details.fields says where.
       */
      400: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description [`not_found`](/docs/errors/not_found): There is no such resource for these credentials. */
      404: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description [`request_timeout`](/docs/errors/request_timeout): The request did not arrive in time. */
      408: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description [`upload_expired`](/docs/errors/upload_expired): The upload has expired. Start again with a new Idempotency-Key. */
      410: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description [`payload_too_large`](/docs/errors/payload_too_large): The request body is larger than this operation allows. */
      413: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description [`upload_mismatch`](/docs/errors/upload_mismatch): The uploaded bytes do not match what was announced. */
      422: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description [`rate_limited`](/docs/errors/rate_limited): Too many requests. Wait for the seconds in the Retry-After header. */
      429: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          'Retry-After': components['headers']['Retry-After']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description [`internal_error`](/docs/errors/internal_error): Something went wrong on our side. Quote the requestId when you report it. */
      500: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description [`service_unavailable`](/docs/errors/service_unavailable): The service is unavailable at the moment. Try again after the seconds in the Retry-After header. */
      503: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          'Retry-After': components['headers']['Retry-After']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
    }
  }
  listWebhookEndpoints: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description List webhook endpoints */
      200: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "items": [
           *         {
           *           "id": "0199f0a0-0000-7000-8000-0000000000c1",
           *           "appId": "0199f0a0-0000-7000-8000-0000000000f1",
           *           "url": "https://example.com/hooks/mail",
           *           "description": "Production",
           *           "eventTypes": [
           *             "*"
           *           ],
           *           "enabled": true,
           *           "consecutiveFailures": 0,
           *           "disabledAt": null,
           *           "createdAt": "2026-01-05T10:00:00.000000Z"
           *         }
           *       ]
           *     }
           */
          'application/json': {
            /** @description All of them. */
            items: components['schemas']['WebhookEndpoint'][]
          }
        }
      }
      /**
       * @description [`bad_request`](/docs/errors/bad_request): The request is not valid HTTP, or repeats a header that may appear only once.
       *
       *     [`validation_error`](/docs/errors/validation_error): The request is not valid for this operation; details.fields says where.
       */
      400: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description [`invalid_api_key`](/docs/errors/invalid_api_key): No valid API key was given. Send it as: Authorization: Bearer <API key>. */
      401: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description [`insufficient_scope`](/docs/errors/insufficient_scope): The API key does not have the scope that this operation needs. */
      403: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description [`rate_limited`](/docs/errors/rate_limited): Too many requests. Wait for the seconds in the Retry-After header. */
      429: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          'Retry-After': components['headers']['Retry-After']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description [`internal_error`](/docs/errors/internal_error): Something went wrong on our side. Quote the requestId when you report it. */
      500: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description [`service_unavailable`](/docs/errors/service_unavailable): The service is unavailable at the moment. Try again after the seconds in the Retry-After header. */
      503: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          'Retry-After': components['headers']['Retry-After']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
    }
  }
  createWebhookEndpoint: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        /**
         * @example {
         *       "url": "https://example.com/hooks/mail",
         *       "description": "Production",
         *       "eventTypes": [
         *         "*"
         *       ]
         *     }
         */
        'application/json': components['schemas']['CreateWebhookEndpointInput']
      }
    }
    responses: {
      /** @description Create a webhook endpoint */
      201: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "endpoint": {
           *         "id": "0199f0a0-0000-7000-8000-0000000000c1",
           *         "appId": "0199f0a0-0000-7000-8000-0000000000f1",
           *         "url": "https://example.com/hooks/mail",
           *         "description": "Production",
           *         "eventTypes": [
           *           "*"
           *         ],
           *         "enabled": true,
           *         "consecutiveFailures": 0,
           *         "disabledAt": null,
           *         "createdAt": "2026-01-05T10:00:00.000000Z"
           *       },
           *       "secret": "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="
           *     }
           */
          'application/json': components['schemas']['NewWebhookEndpoint']
        }
      }
      /**
       * @description [`bad_request`](/docs/errors/bad_request): The request is not valid HTTP, or repeats a header that may appear only once.
       *
       *     [`invalid_json`](/docs/errors/invalid_json): The request body is not valid JSON.
       *
       *     [`validation_error`](/docs/errors/validation_error): The request is not valid for this operation; details.fields says where.
       *
       *     [`webhook_url_invalid`](/docs/errors/webhook_url_invalid): The webhook URL cannot be used.
       *
       *     [`webhook_verification_failed`](/docs/errors/webhook_verification_failed): The webhook endpoint did not answer the verification request correctly.
       */
      400: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description [`invalid_api_key`](/docs/errors/invalid_api_key): No valid API key was given. Send it as: Authorization: Bearer <API key>. */
      401: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description [`plan_capacity_exceeded`](/docs/errors/plan_capacity_exceeded): The plan's capacity is used up. */
      402: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description [`insufficient_scope`](/docs/errors/insufficient_scope): The API key does not have the scope that this operation needs. */
      403: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description [`request_timeout`](/docs/errors/request_timeout): The request did not arrive in time. */
      408: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description [`payload_too_large`](/docs/errors/payload_too_large): The request body is larger than this operation allows. */
      413: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description [`unsupported_media_type`](/docs/errors/unsupported_media_type): The request body must be sent as application/json, in UTF-8 and not compressed. */
      415: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description [`rate_limited`](/docs/errors/rate_limited): Too many requests. Wait for the seconds in the Retry-After header. */
      429: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          'Retry-After': components['headers']['Retry-After']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description [`internal_error`](/docs/errors/internal_error): Something went wrong on our side. Quote the requestId when you report it. */
      500: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description [`service_unavailable`](/docs/errors/service_unavailable): The service is unavailable at the moment. Try again after the seconds in the Retry-After header. */
      503: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          'Retry-After': components['headers']['Retry-After']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
    }
  }
  getWebhookEndpoint: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the endpoint. */
        endpointId: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Get a webhook endpoint */
      200: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "endpoint": {
           *         "id": "0199f0a0-0000-7000-8000-0000000000c1",
           *         "appId": "0199f0a0-0000-7000-8000-0000000000f1",
           *         "url": "https://example.com/hooks/mail",
           *         "description": "Production",
           *         "eventTypes": [
           *           "*"
           *         ],
           *         "enabled": true,
           *         "consecutiveFailures": 0,
           *         "disabledAt": null,
           *         "createdAt": "2026-01-05T10:00:00.000000Z"
           *       }
           *     }
           */
          'application/json': {
            endpoint: components['schemas']['WebhookEndpoint']
          }
        }
      }
      /**
       * @description [`bad_request`](/docs/errors/bad_request): The request is not valid HTTP, or repeats a header that may appear only once.
       *
       *     [`validation_error`](/docs/errors/validation_error): The request is not valid for this operation; details.fields says where.
       */
      400: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description [`invalid_api_key`](/docs/errors/invalid_api_key): No valid API key was given. Send it as: Authorization: Bearer <API key>. */
      401: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description [`insufficient_scope`](/docs/errors/insufficient_scope): The API key does not have the scope that this operation needs. */
      403: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description [`not_found`](/docs/errors/not_found): There is no such resource for these credentials. */
      404: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description [`rate_limited`](/docs/errors/rate_limited): Too many requests. Wait for the seconds in the Retry-After header. */
      429: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          'Retry-After': components['headers']['Retry-After']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description [`internal_error`](/docs/errors/internal_error): Something went wrong on our side. Quote the requestId when you report it. */
      500: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description [`service_unavailable`](/docs/errors/service_unavailable): The service is unavailable at the moment. Try again after the seconds in the Retry-After header. */
      503: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          'Retry-After': components['headers']['Retry-After']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
    }
  }
  deleteWebhookEndpoint: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the endpoint. */
        endpointId: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done. */
      204: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content?: never
      }
      /**
       * @description [`bad_request`](/docs/errors/bad_request): The request is not valid HTTP, or repeats a header that may appear only once.
       *
       *     [`invalid_json`](/docs/errors/invalid_json): The request body is not valid JSON.
       *
       *     [`validation_error`](/docs/errors/validation_error): The request is not valid for this operation; details.fields says where.
       */
      400: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description [`invalid_api_key`](/docs/errors/invalid_api_key): No valid API key was given. Send it as: Authorization: Bearer <API key>. */
      401: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description [`insufficient_scope`](/docs/errors/insufficient_scope): The API key does not have the scope that this operation needs. */
      403: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description [`not_found`](/docs/errors/not_found): There is no such resource for these credentials. */
      404: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description [`request_timeout`](/docs/errors/request_timeout): The request did not arrive in time. */
      408: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description [`payload_too_large`](/docs/errors/payload_too_large): The request body is larger than this operation allows. */
      413: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description [`unsupported_media_type`](/docs/errors/unsupported_media_type): The request body must be sent as application/json, in UTF-8 and not compressed. */
      415: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description [`rate_limited`](/docs/errors/rate_limited): Too many requests. Wait for the seconds in the Retry-After header. */
      429: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          'Retry-After': components['headers']['Retry-After']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description [`internal_error`](/docs/errors/internal_error): Something went wrong on our side. Quote the requestId when you report it. */
      500: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description [`service_unavailable`](/docs/errors/service_unavailable): The service is unavailable at the moment. Try again after the seconds in the Retry-After header. */
      503: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          'Retry-After': components['headers']['Retry-After']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
    }
  }
  updateWebhookEndpoint: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the endpoint. */
        endpointId: string
      }
      cookie?: never
    }
    requestBody: {
      content: {
        /**
         * @example {
         *       "eventTypes": [
         *         "message.bounced",
         *         "message.failed"
         *       ]
         *     }
         */
        'application/json': components['schemas']['UpdateWebhookEndpointInput']
      }
    }
    responses: {
      /** @description Change a webhook endpoint */
      200: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "endpoint": {
           *         "id": "0199f0a0-0000-7000-8000-0000000000c1",
           *         "appId": "0199f0a0-0000-7000-8000-0000000000f1",
           *         "url": "https://example.com/hooks/mail",
           *         "description": "Production",
           *         "eventTypes": [
           *           "*"
           *         ],
           *         "enabled": true,
           *         "consecutiveFailures": 0,
           *         "disabledAt": null,
           *         "createdAt": "2026-01-05T10:00:00.000000Z"
           *       }
           *     }
           */
          'application/json': {
            endpoint: components['schemas']['WebhookEndpoint']
          }
        }
      }
      /**
       * @description [`bad_request`](/docs/errors/bad_request): The request is not valid HTTP, or repeats a header that may appear only once.
       *
       *     [`invalid_json`](/docs/errors/invalid_json): The request body is not valid JSON.
       *
       *     [`validation_error`](/docs/errors/validation_error): The request is not valid for this operation; details.fields says where.
       *
       *     [`webhook_url_invalid`](/docs/errors/webhook_url_invalid): The webhook URL cannot be used.
       *
       *     [`webhook_verification_failed`](/docs/errors/webhook_verification_failed): The webhook endpoint did not answer the verification request correctly.
       */
      400: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description [`invalid_api_key`](/docs/errors/invalid_api_key): No valid API key was given. Send it as: Authorization: Bearer <API key>. */
      401: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description [`insufficient_scope`](/docs/errors/insufficient_scope): The API key does not have the scope that this operation needs. */
      403: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description [`not_found`](/docs/errors/not_found): There is no such resource for these credentials. */
      404: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description [`request_timeout`](/docs/errors/request_timeout): The request did not arrive in time. */
      408: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description [`payload_too_large`](/docs/errors/payload_too_large): The request body is larger than this operation allows. */
      413: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description [`unsupported_media_type`](/docs/errors/unsupported_media_type): The request body must be sent as application/json, in UTF-8 and not compressed. */
      415: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description [`rate_limited`](/docs/errors/rate_limited): Too many requests. Wait for the seconds in the Retry-After header. */
      429: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          'Retry-After': components['headers']['Retry-After']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description [`internal_error`](/docs/errors/internal_error): Something went wrong on our side. Quote the requestId when you report it. */
      500: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description [`service_unavailable`](/docs/errors/service_unavailable): The service is unavailable at the moment. Try again after the seconds in the Retry-After header. */
      503: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          'Retry-After': components['headers']['Retry-After']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
    }
  }
  rotateWebhookEndpointSecret: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the endpoint. */
        endpointId: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Rotate the secret */
      200: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "endpoint": {
           *         "id": "0199f0a0-0000-7000-8000-0000000000c1",
           *         "appId": "0199f0a0-0000-7000-8000-0000000000f1",
           *         "url": "https://example.com/hooks/mail",
           *         "description": "Production",
           *         "eventTypes": [
           *           "*"
           *         ],
           *         "enabled": true,
           *         "consecutiveFailures": 0,
           *         "disabledAt": null,
           *         "createdAt": "2026-01-05T10:00:00.000000Z"
           *       },
           *       "secret": "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="
           *     }
           */
          'application/json': components['schemas']['NewWebhookEndpoint']
        }
      }
      /**
       * @description [`bad_request`](/docs/errors/bad_request): The request is not valid HTTP, or repeats a header that may appear only once.
       *
       *     [`invalid_json`](/docs/errors/invalid_json): The request body is not valid JSON.
       *
       *     [`validation_error`](/docs/errors/validation_error): The request is not valid for this operation; details.fields says where.
       */
      400: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description [`invalid_api_key`](/docs/errors/invalid_api_key): No valid API key was given. Send it as: Authorization: Bearer <API key>. */
      401: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description [`insufficient_scope`](/docs/errors/insufficient_scope): The API key does not have the scope that this operation needs. */
      403: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description [`not_found`](/docs/errors/not_found): There is no such resource for these credentials. */
      404: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description [`request_timeout`](/docs/errors/request_timeout): The request did not arrive in time. */
      408: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description [`payload_too_large`](/docs/errors/payload_too_large): The request body is larger than this operation allows. */
      413: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description [`unsupported_media_type`](/docs/errors/unsupported_media_type): The request body must be sent as application/json, in UTF-8 and not compressed. */
      415: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description [`rate_limited`](/docs/errors/rate_limited): Too many requests. Wait for the seconds in the Retry-After header. */
      429: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          'Retry-After': components['headers']['Retry-After']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description [`internal_error`](/docs/errors/internal_error): Something went wrong on our side. Quote the requestId when you report it. */
      500: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description [`service_unavailable`](/docs/errors/service_unavailable): The service is unavailable at the moment. Try again after the seconds in the Retry-After header. */
      503: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          'Retry-After': components['headers']['Retry-After']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
    }
  }
  testWebhookEndpoint: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the endpoint. */
        endpointId: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Send a test request */
      200: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "eventId": "0199f0a0-0000-7000-8000-0000000000e1",
           *       "delivered": true,
           *       "statusCode": 200,
           *       "error": null,
           *       "durationMs": 31,
           *       "answer": null
           *     }
           */
          'application/json': {
            /**
             * Format: uuid
             * @description The id that the request carried.
             */
            eventId: string
            /** @description Whether it was answered 2xx in time. */
            delivered: boolean
            /** @description The status that was answered; null without an answer. */
            statusCode: number | null
            /** @description Why it failed, as `lastError` of a delivery; null when it did not. */
            error: string | null
            /** @description How long it took, in milliseconds. */
            durationMs: number
            /** @description The first 1,000 octets of what the receiver answered instead of accepting, where that was text. */
            answer: string | null
          }
        }
      }
      /**
       * @description [`bad_request`](/docs/errors/bad_request): The request is not valid HTTP, or repeats a header that may appear only once.
       *
       *     [`invalid_json`](/docs/errors/invalid_json): The request body is not valid JSON.
       *
       *     [`validation_error`](/docs/errors/validation_error): The request is not valid for this operation; details.fields says where.
       */
      400: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description [`invalid_api_key`](/docs/errors/invalid_api_key): No valid API key was given. Send it as: Authorization: Bearer <API key>. */
      401: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description [`insufficient_scope`](/docs/errors/insufficient_scope): The API key does not have the scope that this operation needs. */
      403: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description [`not_found`](/docs/errors/not_found): There is no such resource for these credentials. */
      404: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description [`request_timeout`](/docs/errors/request_timeout): The request did not arrive in time. */
      408: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description [`payload_too_large`](/docs/errors/payload_too_large): The request body is larger than this operation allows. */
      413: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description [`unsupported_media_type`](/docs/errors/unsupported_media_type): The request body must be sent as application/json, in UTF-8 and not compressed. */
      415: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description [`rate_limited`](/docs/errors/rate_limited): Too many requests. Wait for the seconds in the Retry-After header. */
      429: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          'Retry-After': components['headers']['Retry-After']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description [`internal_error`](/docs/errors/internal_error): Something went wrong on our side. Quote the requestId when you report it. */
      500: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description [`service_unavailable`](/docs/errors/service_unavailable): The service is unavailable at the moment. Try again after the seconds in the Retry-After header. */
      503: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          'Retry-After': components['headers']['Retry-After']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
    }
  }
  listWebhookDeliveries: {
    parameters: {
      query?: {
        /** @description How many deliveries at most. */
        limit?: number
        /** @description Where to go on: the `nextCursor` of the page before, unchanged. */
        cursor?: string
        /** @description Only deliveries to this endpoint. */
        endpointId?: string
        /** @description Only deliveries that have this status now. */
        status?: 'pending' | 'delivered' | 'dead'
        /** @description Only deliveries of this event. */
        eventId?: string
        /** @description Only deliveries of this type of event. */
        type?:
          | 'message.received'
          | 'message.queued'
          | 'message.sent'
          | 'message.delivered'
          | 'message.bounced'
          | 'message.failed'
          | 'message.updated'
          | 'message.deleted'
          | 'mailbox.created'
          | 'mailbox.updated'
          | 'mailbox.suspended'
          | 'domain.health_changed'
        /** @description Only deliveries whose `createdAt` is this ISO 8601 instant or later. */
        since?: string
        /** @description Only deliveries whose `createdAt` is earlier than this ISO 8601 instant. */
        until?: string
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description List deliveries */
      200: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "items": [
           *         {
           *           "id": "0199f0a0-0000-7000-8000-0000000000d1",
           *           "object": "webhook_delivery",
           *           "eventId": "0199f0a0-0000-7000-8000-0000000000e1",
           *           "endpointId": "0199f0a0-0000-7000-8000-0000000000c1",
           *           "status": "delivered",
           *           "cycle": 1,
           *           "eventType": "message.delivered",
           *           "attemptCount": 1,
           *           "receptions": 1,
           *           "nextAttemptAt": null,
           *           "lastAttemptAt": "2026-01-05T10:00:00.000000Z",
           *           "lastStatusCode": 200,
           *           "lastError": null,
           *           "lastDurationMs": 31,
           *           "deliveredAt": "2026-01-05T10:00:00.000000Z",
           *           "deadAt": null,
           *           "createdAt": "2026-01-05T10:00:00.000000Z"
           *         }
           *       ],
           *       "nextCursor": null
           *     }
           */
          'application/json': components['schemas']['WebhookDeliveryPage']
        }
      }
      /**
       * @description [`bad_request`](/docs/errors/bad_request): The request is not valid HTTP, or repeats a header that may appear only once.
       *
       *     [`validation_error`](/docs/errors/validation_error): The request is not valid for this operation; details.fields says where.
       *
       *     [`invalid_cursor`](/docs/errors/invalid_cursor): The cursor was not issued by this list for these credentials.
       */
      400: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description [`invalid_api_key`](/docs/errors/invalid_api_key): No valid API key was given. Send it as: Authorization: Bearer <API key>. */
      401: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description [`insufficient_scope`](/docs/errors/insufficient_scope): The API key does not have the scope that this operation needs. */
      403: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description [`not_found`](/docs/errors/not_found): There is no such resource for these credentials. */
      404: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description [`rate_limited`](/docs/errors/rate_limited): Too many requests. Wait for the seconds in the Retry-After header. */
      429: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          'Retry-After': components['headers']['Retry-After']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description [`internal_error`](/docs/errors/internal_error): Something went wrong on our side. Quote the requestId when you report it. */
      500: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description [`service_unavailable`](/docs/errors/service_unavailable): The service is unavailable at the moment. Try again after the seconds in the Retry-After header. */
      503: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          'Retry-After': components['headers']['Retry-After']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
    }
  }
  getWebhookDelivery: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the delivery. */
        deliveryId: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Get a delivery */
      200: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "delivery": {
           *         "id": "0199f0a0-0000-7000-8000-0000000000d1",
           *         "object": "webhook_delivery",
           *         "eventId": "0199f0a0-0000-7000-8000-0000000000e1",
           *         "endpointId": "0199f0a0-0000-7000-8000-0000000000c1",
           *         "status": "delivered",
           *         "cycle": 1,
           *         "eventType": "message.delivered",
           *         "attemptCount": 1,
           *         "receptions": 1,
           *         "nextAttemptAt": null,
           *         "lastAttemptAt": "2026-01-05T10:00:00.000000Z",
           *         "lastStatusCode": 200,
           *         "lastError": null,
           *         "lastDurationMs": 31,
           *         "deliveredAt": "2026-01-05T10:00:00.000000Z",
           *         "deadAt": null,
           *         "createdAt": "2026-01-05T10:00:00.000000Z"
           *       }
           *     }
           */
          'application/json': {
            delivery: components['schemas']['WebhookDelivery']
          }
        }
      }
      /**
       * @description [`bad_request`](/docs/errors/bad_request): The request is not valid HTTP, or repeats a header that may appear only once.
       *
       *     [`validation_error`](/docs/errors/validation_error): The request is not valid for this operation; details.fields says where.
       */
      400: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description [`invalid_api_key`](/docs/errors/invalid_api_key): No valid API key was given. Send it as: Authorization: Bearer <API key>. */
      401: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description [`insufficient_scope`](/docs/errors/insufficient_scope): The API key does not have the scope that this operation needs. */
      403: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description [`not_found`](/docs/errors/not_found): There is no such resource for these credentials. */
      404: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description [`rate_limited`](/docs/errors/rate_limited): Too many requests. Wait for the seconds in the Retry-After header. */
      429: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          'Retry-After': components['headers']['Retry-After']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description [`internal_error`](/docs/errors/internal_error): Something went wrong on our side. Quote the requestId when you report it. */
      500: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description [`service_unavailable`](/docs/errors/service_unavailable): The service is unavailable at the moment. Try again after the seconds in the Retry-After header. */
      503: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          'Retry-After': components['headers']['Retry-After']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
    }
  }
  listWebhookAttempts: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the delivery. */
        deliveryId: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description List the attempts of a delivery */
      200: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "items": [
           *         {
           *           "cycle": 1,
           *           "number": 1,
           *           "at": "2026-01-05T10:00:00.000000Z",
           *           "outcome": "failed",
           *           "statusCode": 503,
           *           "error": "http_status",
           *           "durationMs": 31,
           *           "answer": "{\"message\":\"The orders are being moved.\"}"
           *         }
           *       ]
           *     }
           */
          'application/json': {
            /** @description The newest 100, oldest first. */
            items: components['schemas']['WebhookAttempt'][]
          }
        }
      }
      /**
       * @description [`bad_request`](/docs/errors/bad_request): The request is not valid HTTP, or repeats a header that may appear only once.
       *
       *     [`validation_error`](/docs/errors/validation_error): The request is not valid for this operation; details.fields says where.
       */
      400: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description [`invalid_api_key`](/docs/errors/invalid_api_key): No valid API key was given. Send it as: Authorization: Bearer <API key>. */
      401: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description [`insufficient_scope`](/docs/errors/insufficient_scope): The API key does not have the scope that this operation needs. */
      403: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description [`not_found`](/docs/errors/not_found): There is no such resource for these credentials. */
      404: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description [`rate_limited`](/docs/errors/rate_limited): Too many requests. Wait for the seconds in the Retry-After header. */
      429: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          'Retry-After': components['headers']['Retry-After']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description [`internal_error`](/docs/errors/internal_error): Something went wrong on our side. Quote the requestId when you report it. */
      500: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description [`service_unavailable`](/docs/errors/service_unavailable): The service is unavailable at the moment. Try again after the seconds in the Retry-After header. */
      503: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          'Retry-After': components['headers']['Retry-After']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
    }
  }
  replayWebhookDelivery: {
    parameters: {
      query?: never
      header: {
        /**
         * @description Makes the request safe to repeat: for 24 hours the same key with the same request gives the first answer again. Printable ASCII.
         * @example order-4711-confirmation
         */
        'Idempotency-Key': string
      }
      path: {
        /** @description The id of the delivery. */
        deliveryId: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Replay a delivery */
      202: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          'Idempotent-Replayed': components['headers']['Idempotent-Replayed']
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "id": "0199f0a0-0000-7000-8000-0000000000d1",
           *       "object": "webhook_delivery",
           *       "eventId": "0199f0a0-0000-7000-8000-0000000000e1",
           *       "endpointId": "0199f0a0-0000-7000-8000-0000000000c1",
           *       "status": "pending",
           *       "cycle": 2
           *     }
           */
          'application/json': components['schemas']['ReplayedDelivery']
        }
      }
      /**
       * @description [`bad_request`](/docs/errors/bad_request): The request is not valid HTTP, or repeats a header that may appear only once.
       *
       *     [`invalid_json`](/docs/errors/invalid_json): The request body is not valid JSON.
       *
       *     [`validation_error`](/docs/errors/validation_error): The request is not valid for this operation; details.fields says where.
       *
       *     [`missing_idempotency_key`](/docs/errors/missing_idempotency_key): This operation needs an Idempotency-Key header.
       *
       *     [`invalid_idempotency_key`](/docs/errors/invalid_idempotency_key): The Idempotency-Key header must be 8 to 255 printable ASCII characters.
       */
      400: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description [`invalid_api_key`](/docs/errors/invalid_api_key): No valid API key was given. Send it as: Authorization: Bearer <API key>. */
      401: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description [`insufficient_scope`](/docs/errors/insufficient_scope): The API key does not have the scope that this operation needs. */
      403: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description [`not_found`](/docs/errors/not_found): There is no such resource for these credentials. */
      404: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description [`request_timeout`](/docs/errors/request_timeout): The request did not arrive in time. */
      408: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /**
       * @description [`idempotency_conflict`](/docs/errors/idempotency_conflict): This Idempotency-Key was used for a different request.
       *
       *     [`idempotency_pending`](/docs/errors/idempotency_pending): The first request with this Idempotency-Key is still running.
       *
       *     [`endpoint_disabled`](/docs/errors/endpoint_disabled): The webhook endpoint is disabled. Enable it, then replay.
       */
      409: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          'Retry-After': components['headers']['Retry-After']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description [`payload_too_large`](/docs/errors/payload_too_large): The request body is larger than this operation allows. */
      413: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description [`unsupported_media_type`](/docs/errors/unsupported_media_type): The request body must be sent as application/json, in UTF-8 and not compressed. */
      415: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description [`rate_limited`](/docs/errors/rate_limited): Too many requests. Wait for the seconds in the Retry-After header. */
      429: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          'Retry-After': components['headers']['Retry-After']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description [`internal_error`](/docs/errors/internal_error): Something went wrong on our side. Quote the requestId when you report it. */
      500: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description [`service_unavailable`](/docs/errors/service_unavailable): The service is unavailable at the moment. Try again after the seconds in the Retry-After header. */
      503: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          'Retry-After': components['headers']['Retry-After']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
    }
  }
  replayWebhookEndpoint: {
    parameters: {
      query?: never
      header: {
        /**
         * @description Makes the request safe to repeat: for 24 hours the same key with the same request gives the first answer again. Printable ASCII.
         * @example order-4711-confirmation
         */
        'Idempotency-Key': string
      }
      path: {
        /** @description The id of the endpoint. */
        endpointId: string
      }
      cookie?: never
    }
    requestBody: {
      content: {
        /**
         * @example {
         *       "since": "2026-01-05T10:00:00.000000Z"
         *     }
         */
        'application/json': components['schemas']['ReplaySinceInput']
      }
    }
    responses: {
      /** @description Replay all that died since an instant */
      202: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          'Idempotent-Replayed': components['headers']['Idempotent-Replayed']
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "id": "0199f0a0-0000-7000-8000-0000000000c2",
           *       "object": "webhook_replay",
           *       "appId": "0199f0a0-0000-7000-8000-0000000000f1",
           *       "endpointId": "0199f0a0-0000-7000-8000-0000000000c1",
           *       "since": "2026-01-05T10:00:00.000000Z",
           *       "until": "2026-01-05T10:00:00.000000Z",
           *       "status": "running",
           *       "stoppedBecause": null,
           *       "replayed": 500,
           *       "remaining": 1204,
           *       "askedBy": "application",
           *       "createdAt": "2026-01-05T10:00:00.000000Z",
           *       "endedAt": null
           *     }
           */
          'application/json': components['schemas']['WebhookReplay']
        }
      }
      /**
       * @description [`bad_request`](/docs/errors/bad_request): The request is not valid HTTP, or repeats a header that may appear only once.
       *
       *     [`invalid_json`](/docs/errors/invalid_json): The request body is not valid JSON.
       *
       *     [`validation_error`](/docs/errors/validation_error): The request is not valid for this operation; details.fields says where.
       *
       *     [`missing_idempotency_key`](/docs/errors/missing_idempotency_key): This operation needs an Idempotency-Key header.
       *
       *     [`invalid_idempotency_key`](/docs/errors/invalid_idempotency_key): The Idempotency-Key header must be 8 to 255 printable ASCII characters.
       */
      400: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description [`invalid_api_key`](/docs/errors/invalid_api_key): No valid API key was given. Send it as: Authorization: Bearer <API key>. */
      401: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description [`insufficient_scope`](/docs/errors/insufficient_scope): The API key does not have the scope that this operation needs. */
      403: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description [`not_found`](/docs/errors/not_found): There is no such resource for these credentials. */
      404: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description [`request_timeout`](/docs/errors/request_timeout): The request did not arrive in time. */
      408: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /**
       * @description [`idempotency_conflict`](/docs/errors/idempotency_conflict): This Idempotency-Key was used for a different request.
       *
       *     [`idempotency_pending`](/docs/errors/idempotency_pending): The first request with this Idempotency-Key is still running.
       *
       *     [`endpoint_disabled`](/docs/errors/endpoint_disabled): The webhook endpoint is disabled. Enable it, then replay.
       *
       *     [`replay_running`](/docs/errors/replay_running): A replay of the same deliveries is still running; details.replayId names it.
       */
      409: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          'Retry-After': components['headers']['Retry-After']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description [`payload_too_large`](/docs/errors/payload_too_large): The request body is larger than this operation allows. */
      413: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description [`unsupported_media_type`](/docs/errors/unsupported_media_type): The request body must be sent as application/json, in UTF-8 and not compressed. */
      415: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description [`rate_limited`](/docs/errors/rate_limited): Too many requests. Wait for the seconds in the Retry-After header. */
      429: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          'Retry-After': components['headers']['Retry-After']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description [`internal_error`](/docs/errors/internal_error): Something went wrong on our side. Quote the requestId when you report it. */
      500: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description [`service_unavailable`](/docs/errors/service_unavailable): The service is unavailable at the moment. Try again after the seconds in the Retry-After header. */
      503: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          'Retry-After': components['headers']['Retry-After']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
    }
  }
  getWebhookReplay: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the replay. */
        replayId: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Get a replay */
      200: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "id": "0199f0a0-0000-7000-8000-0000000000c2",
           *       "object": "webhook_replay",
           *       "appId": "0199f0a0-0000-7000-8000-0000000000f1",
           *       "endpointId": "0199f0a0-0000-7000-8000-0000000000c1",
           *       "since": "2026-01-05T10:00:00.000000Z",
           *       "until": "2026-01-05T10:00:00.000000Z",
           *       "status": "running",
           *       "stoppedBecause": null,
           *       "replayed": 500,
           *       "remaining": 1204,
           *       "askedBy": "application",
           *       "createdAt": "2026-01-05T10:00:00.000000Z",
           *       "endedAt": null
           *     }
           */
          'application/json': components['schemas']['WebhookReplay']
        }
      }
      /**
       * @description [`bad_request`](/docs/errors/bad_request): The request is not valid HTTP, or repeats a header that may appear only once.
       *
       *     [`validation_error`](/docs/errors/validation_error): The request is not valid for this operation; details.fields says where.
       */
      400: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description [`invalid_api_key`](/docs/errors/invalid_api_key): No valid API key was given. Send it as: Authorization: Bearer <API key>. */
      401: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description [`insufficient_scope`](/docs/errors/insufficient_scope): The API key does not have the scope that this operation needs. */
      403: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description [`not_found`](/docs/errors/not_found): There is no such resource for these credentials. */
      404: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description [`rate_limited`](/docs/errors/rate_limited): Too many requests. Wait for the seconds in the Retry-After header. */
      429: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          'Retry-After': components['headers']['Retry-After']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description [`internal_error`](/docs/errors/internal_error): Something went wrong on our side. Quote the requestId when you report it. */
      500: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description [`service_unavailable`](/docs/errors/service_unavailable): The service is unavailable at the moment. Try again after the seconds in the Retry-After header. */
      503: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          'Retry-After': components['headers']['Retry-After']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
    }
  }
  stopWebhookReplay: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the replay. */
        replayId: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Stop a replay */
      200: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "id": "0199f0a0-0000-7000-8000-0000000000c2",
           *       "object": "webhook_replay",
           *       "appId": "0199f0a0-0000-7000-8000-0000000000f1",
           *       "endpointId": "0199f0a0-0000-7000-8000-0000000000c1",
           *       "since": "2026-01-05T10:00:00.000000Z",
           *       "until": "2026-01-05T10:00:00.000000Z",
           *       "status": "stopped",
           *       "stoppedBecause": "asked",
           *       "replayed": 500,
           *       "remaining": null,
           *       "askedBy": "application",
           *       "createdAt": "2026-01-05T10:00:00.000000Z",
           *       "endedAt": "2026-01-05T10:00:00.000000Z"
           *     }
           */
          'application/json': components['schemas']['WebhookReplay']
        }
      }
      /**
       * @description [`bad_request`](/docs/errors/bad_request): The request is not valid HTTP, or repeats a header that may appear only once.
       *
       *     [`invalid_json`](/docs/errors/invalid_json): The request body is not valid JSON.
       *
       *     [`validation_error`](/docs/errors/validation_error): The request is not valid for this operation; details.fields says where.
       */
      400: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description [`invalid_api_key`](/docs/errors/invalid_api_key): No valid API key was given. Send it as: Authorization: Bearer <API key>. */
      401: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description [`insufficient_scope`](/docs/errors/insufficient_scope): The API key does not have the scope that this operation needs. */
      403: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description [`not_found`](/docs/errors/not_found): There is no such resource for these credentials. */
      404: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description [`request_timeout`](/docs/errors/request_timeout): The request did not arrive in time. */
      408: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description [`payload_too_large`](/docs/errors/payload_too_large): The request body is larger than this operation allows. */
      413: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description [`unsupported_media_type`](/docs/errors/unsupported_media_type): The request body must be sent as application/json, in UTF-8 and not compressed. */
      415: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description [`rate_limited`](/docs/errors/rate_limited): Too many requests. Wait for the seconds in the Retry-After header. */
      429: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          'Retry-After': components['headers']['Retry-After']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description [`internal_error`](/docs/errors/internal_error): Something went wrong on our side. Quote the requestId when you report it. */
      500: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description [`service_unavailable`](/docs/errors/service_unavailable): The service is unavailable at the moment. Try again after the seconds in the Retry-After header. */
      503: {
        headers: {
          'x-request-id': components['headers']['x-request-id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          'Retry-After': components['headers']['Retry-After']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
    }
  }
  'on.message.received': {
    parameters: {
      query?: never
      header: {
        /** @description The id of the event. */
        'Service-Webhook-Id': string
        /** @description Unix seconds. */
        'Service-Webhook-Timestamp': string
        /** @description `v1=` and 64 hexadecimal digits: HMAC-SHA256 of id, timestamp and body, joined by dots. */
        'Service-Webhook-Signature': string
        /** @description The same id, for verifiers of Standard Webhooks. */
        'webhook-id': string
        /** @description Unix seconds. */
        'webhook-timestamp': string
        /** @description `v1,` and base64; several while a secret is being rotated, a blank between them. */
        'webhook-signature': string
      }
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        /**
         * @example {
         *       "id": "0199f0a0-0000-7000-8000-0000000000e1",
         *       "type": "message.received",
         *       "apiVersion": "2026-01-01",
         *       "occurredAt": "2026-01-05T10:00:00.000000Z",
         *       "data": {
         *         "object": "message",
         *         "id": "0199f0a0-0000-7000-8000-0000000000a1",
         *         "mailboxId": "0199f0a0-0000-7000-8000-000000000001",
         *         "direction": "inbound",
         *         "messageId": "<0199f0a0-0000-7000-8000-000000000001@example.com>",
         *         "subject": "An example",
         *         "from": {
         *           "address": "someone@example.net",
         *           "name": null
         *         },
         *         "to": [
         *           {
         *             "address": "hello@example.com",
         *             "name": null
         *           }
         *         ],
         *         "status": "received",
         *         "mailboxIds": [
         *           "0199f0a0-0000-7000-8000-000000000001"
         *         ]
         *       }
         *     }
         */
        'application/json': {
          /**
           * Format: uuid
           * @description Names the event. Every repeat of it has the same.
           */
          id: string
          /**
           * @description What happened.
           * @constant
           */
          type: 'message.received'
          /**
           * @description The form of this body, fixed when the endpoint is created.
           * @constant
           */
          apiVersion: '2026-01-01'
          /**
           * Format: date-time
           * @description When it happened.
           */
          occurredAt: string
          /** @description What happened in detail. Text and files are not in it. */
          data: {
            /**
             * @description What it happened to.
             * @constant
             */
            object: 'message'
            /**
             * Format: uuid
             * @description The id of the message.
             */
            id: string
            /** @description The mailbox that sent, received or changed it. */
            mailboxId: string | null
            /**
             * @description `inbound` was received, `outbound` is sent from here.
             * @enum {string}
             */
            direction: 'inbound' | 'outbound'
            /** @description The header Message-ID. */
            messageId: string | null
            /** @description The subject line. */
            subject: string
            /** @description The sender. */
            from: {
              /** @description The email address. */
              address: string
              /** @description The display name. */
              name: string | null
            } | null
            /** @description Its recipients. */
            to: {
              /** @description The email address. */
              address: string
              /** @description The display name. */
              name: string | null
            }[]
            /**
             * @description Where the message stood when this happened.
             * @enum {string}
             */
            status: 'queued' | 'sent' | 'delivered' | 'bounced' | 'failed' | 'received'
            /**
             * @description What it said was taken out, as an address in it was erased; the event keeps its place.
             * @constant
             */
            erased?: true
            /** @description Every mailbox that received it. */
            mailboxIds: string[]
            /**
             * @description Of a sandbox: nothing of it has happened.
             * @constant
             */
            demo?: true
          }
        }
      }
    }
    responses: {
      /** @description Accepted. */
      '2XX': {
        headers: {
          [name: string]: unknown
        }
        content?: never
      }
      /** @description Tried again later. */
      '4XX': {
        headers: {
          [name: string]: unknown
        }
        content?: never
      }
    }
  }
  'on.message.queued': {
    parameters: {
      query?: never
      header: {
        /** @description The id of the event. */
        'Service-Webhook-Id': string
        /** @description Unix seconds. */
        'Service-Webhook-Timestamp': string
        /** @description `v1=` and 64 hexadecimal digits: HMAC-SHA256 of id, timestamp and body, joined by dots. */
        'Service-Webhook-Signature': string
        /** @description The same id, for verifiers of Standard Webhooks. */
        'webhook-id': string
        /** @description Unix seconds. */
        'webhook-timestamp': string
        /** @description `v1,` and base64; several while a secret is being rotated, a blank between them. */
        'webhook-signature': string
      }
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        /**
         * @example {
         *       "id": "0199f0a0-0000-7000-8000-0000000000e1",
         *       "type": "message.queued",
         *       "apiVersion": "2026-01-01",
         *       "occurredAt": "2026-01-05T10:00:00.000000Z",
         *       "data": {
         *         "object": "message",
         *         "id": "0199f0a0-0000-7000-8000-0000000000a1",
         *         "mailboxId": "0199f0a0-0000-7000-8000-000000000001",
         *         "direction": "outbound",
         *         "messageId": "<0199f0a0-0000-7000-8000-000000000001@example.com>",
         *         "subject": "An example",
         *         "from": {
         *           "address": "hello@example.com",
         *           "name": null
         *         },
         *         "to": [
         *           {
         *             "address": "someone@example.net",
         *             "name": null
         *           }
         *         ],
         *         "status": "queued"
         *       }
         *     }
         */
        'application/json': {
          /**
           * Format: uuid
           * @description Names the event. Every repeat of it has the same.
           */
          id: string
          /**
           * @description What happened.
           * @constant
           */
          type: 'message.queued'
          /**
           * @description The form of this body, fixed when the endpoint is created.
           * @constant
           */
          apiVersion: '2026-01-01'
          /**
           * Format: date-time
           * @description When it happened.
           */
          occurredAt: string
          /** @description What happened in detail. Text and files are not in it. */
          data: {
            /**
             * @description What it happened to.
             * @constant
             */
            object: 'message'
            /**
             * Format: uuid
             * @description The id of the message.
             */
            id: string
            /** @description The mailbox that sent, received or changed it. */
            mailboxId: string | null
            /**
             * @description `inbound` was received, `outbound` is sent from here.
             * @enum {string}
             */
            direction: 'inbound' | 'outbound'
            /** @description The header Message-ID. */
            messageId: string | null
            /** @description The subject line. */
            subject: string
            /** @description The sender. */
            from: {
              /** @description The email address. */
              address: string
              /** @description The display name. */
              name: string | null
            } | null
            /** @description Its recipients. */
            to: {
              /** @description The email address. */
              address: string
              /** @description The display name. */
              name: string | null
            }[]
            /**
             * @description Where the message stood when this happened.
             * @enum {string}
             */
            status: 'queued' | 'sent' | 'delivered' | 'bounced' | 'failed' | 'received'
            /**
             * @description What it said was taken out, as an address in it was erased; the event keeps its place.
             * @constant
             */
            erased?: true
            /**
             * @description Of a sandbox: nothing of it has happened.
             * @constant
             */
            demo?: true
          }
        }
      }
    }
    responses: {
      /** @description Accepted. */
      '2XX': {
        headers: {
          [name: string]: unknown
        }
        content?: never
      }
      /** @description Tried again later. */
      '4XX': {
        headers: {
          [name: string]: unknown
        }
        content?: never
      }
    }
  }
  'on.message.sent': {
    parameters: {
      query?: never
      header: {
        /** @description The id of the event. */
        'Service-Webhook-Id': string
        /** @description Unix seconds. */
        'Service-Webhook-Timestamp': string
        /** @description `v1=` and 64 hexadecimal digits: HMAC-SHA256 of id, timestamp and body, joined by dots. */
        'Service-Webhook-Signature': string
        /** @description The same id, for verifiers of Standard Webhooks. */
        'webhook-id': string
        /** @description Unix seconds. */
        'webhook-timestamp': string
        /** @description `v1,` and base64; several while a secret is being rotated, a blank between them. */
        'webhook-signature': string
      }
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        /**
         * @example {
         *       "id": "0199f0a0-0000-7000-8000-0000000000e1",
         *       "type": "message.sent",
         *       "apiVersion": "2026-01-01",
         *       "occurredAt": "2026-01-05T10:00:00.000000Z",
         *       "data": {
         *         "object": "message",
         *         "id": "0199f0a0-0000-7000-8000-0000000000a1",
         *         "mailboxId": "0199f0a0-0000-7000-8000-000000000001",
         *         "direction": "outbound",
         *         "messageId": "<0199f0a0-0000-7000-8000-000000000001@example.com>",
         *         "subject": "An example",
         *         "from": {
         *           "address": "hello@example.com",
         *           "name": null
         *         },
         *         "to": [
         *           {
         *             "address": "someone@example.net",
         *             "name": null
         *           }
         *         ],
         *         "status": "sent",
         *         "relayResponse": "250 2.0.0 Ok"
         *       }
         *     }
         */
        'application/json': {
          /**
           * Format: uuid
           * @description Names the event. Every repeat of it has the same.
           */
          id: string
          /**
           * @description What happened.
           * @constant
           */
          type: 'message.sent'
          /**
           * @description The form of this body, fixed when the endpoint is created.
           * @constant
           */
          apiVersion: '2026-01-01'
          /**
           * Format: date-time
           * @description When it happened.
           */
          occurredAt: string
          /** @description What happened in detail. Text and files are not in it. */
          data: {
            /**
             * @description What it happened to.
             * @constant
             */
            object: 'message'
            /**
             * Format: uuid
             * @description The id of the message.
             */
            id: string
            /** @description The mailbox that sent, received or changed it. */
            mailboxId: string | null
            /**
             * @description `inbound` was received, `outbound` is sent from here.
             * @enum {string}
             */
            direction: 'inbound' | 'outbound'
            /** @description The header Message-ID. */
            messageId: string | null
            /** @description The subject line. */
            subject: string
            /** @description The sender. */
            from: {
              /** @description The email address. */
              address: string
              /** @description The display name. */
              name: string | null
            } | null
            /** @description Its recipients. */
            to: {
              /** @description The email address. */
              address: string
              /** @description The display name. */
              name: string | null
            }[]
            /**
             * @description Where the message stood when this happened.
             * @enum {string}
             */
            status: 'queued' | 'sent' | 'delivered' | 'bounced' | 'failed' | 'received'
            /**
             * @description What it said was taken out, as an address in it was erased; the event keeps its place.
             * @constant
             */
            erased?: true
            /** @description What the relay said. */
            relayResponse: string | null
            /**
             * @description Of a sandbox: nothing of it has happened.
             * @constant
             */
            demo?: true
          }
        }
      }
    }
    responses: {
      /** @description Accepted. */
      '2XX': {
        headers: {
          [name: string]: unknown
        }
        content?: never
      }
      /** @description Tried again later. */
      '4XX': {
        headers: {
          [name: string]: unknown
        }
        content?: never
      }
    }
  }
  'on.message.delivered': {
    parameters: {
      query?: never
      header: {
        /** @description The id of the event. */
        'Service-Webhook-Id': string
        /** @description Unix seconds. */
        'Service-Webhook-Timestamp': string
        /** @description `v1=` and 64 hexadecimal digits: HMAC-SHA256 of id, timestamp and body, joined by dots. */
        'Service-Webhook-Signature': string
        /** @description The same id, for verifiers of Standard Webhooks. */
        'webhook-id': string
        /** @description Unix seconds. */
        'webhook-timestamp': string
        /** @description `v1,` and base64; several while a secret is being rotated, a blank between them. */
        'webhook-signature': string
      }
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        /**
         * @example {
         *       "id": "0199f0a0-0000-7000-8000-0000000000e1",
         *       "type": "message.delivered",
         *       "apiVersion": "2026-01-01",
         *       "occurredAt": "2026-01-05T10:00:00.000000Z",
         *       "data": {
         *         "object": "message",
         *         "id": "0199f0a0-0000-7000-8000-0000000000a1",
         *         "mailboxId": "0199f0a0-0000-7000-8000-000000000001",
         *         "direction": "outbound",
         *         "messageId": "<0199f0a0-0000-7000-8000-000000000001@example.com>",
         *         "subject": "An example",
         *         "from": {
         *           "address": "hello@example.com",
         *           "name": null
         *         },
         *         "to": [
         *           {
         *             "address": "someone@example.net",
         *             "name": null
         *           }
         *         ],
         *         "status": "delivered",
         *         "recipient": "someone@example.net",
         *         "smtpCode": 250,
         *         "enhancedCode": "2.0.0",
         *         "diagnostic": "250 2.0.0 Ok"
         *       }
         *     }
         */
        'application/json': {
          /**
           * Format: uuid
           * @description Names the event. Every repeat of it has the same.
           */
          id: string
          /**
           * @description What happened.
           * @constant
           */
          type: 'message.delivered'
          /**
           * @description The form of this body, fixed when the endpoint is created.
           * @constant
           */
          apiVersion: '2026-01-01'
          /**
           * Format: date-time
           * @description When it happened.
           */
          occurredAt: string
          /** @description What happened in detail. Text and files are not in it. */
          data: {
            /**
             * @description What it happened to.
             * @constant
             */
            object: 'message'
            /**
             * Format: uuid
             * @description The id of the message.
             */
            id: string
            /** @description The mailbox that sent, received or changed it. */
            mailboxId: string | null
            /**
             * @description `inbound` was received, `outbound` is sent from here.
             * @enum {string}
             */
            direction: 'inbound' | 'outbound'
            /** @description The header Message-ID. */
            messageId: string | null
            /** @description The subject line. */
            subject: string
            /** @description The sender. */
            from: {
              /** @description The email address. */
              address: string
              /** @description The display name. */
              name: string | null
            } | null
            /** @description Its recipients. */
            to: {
              /** @description The email address. */
              address: string
              /** @description The display name. */
              name: string | null
            }[]
            /**
             * @description Where the message stood when this happened.
             * @enum {string}
             */
            status: 'queued' | 'sent' | 'delivered' | 'bounced' | 'failed' | 'received'
            /**
             * @description What it said was taken out, as an address in it was erased; the event keeps its place.
             * @constant
             */
            erased?: true
            /** @description The address that this is about. */
            recipient: string
            /** @description The SMTP reply code of whoever decided. */
            smtpCode: number | null
            /** @description The enhanced status code (RFC 3463), such as `5.1.1`. */
            enhancedCode: string | null
            /** @description What was said of it, up to 1,000 characters. */
            diagnostic: string | null
            /**
             * @description Of a sandbox: nothing of it has happened.
             * @constant
             */
            demo?: true
          }
        }
      }
    }
    responses: {
      /** @description Accepted. */
      '2XX': {
        headers: {
          [name: string]: unknown
        }
        content?: never
      }
      /** @description Tried again later. */
      '4XX': {
        headers: {
          [name: string]: unknown
        }
        content?: never
      }
    }
  }
  'on.message.bounced': {
    parameters: {
      query?: never
      header: {
        /** @description The id of the event. */
        'Service-Webhook-Id': string
        /** @description Unix seconds. */
        'Service-Webhook-Timestamp': string
        /** @description `v1=` and 64 hexadecimal digits: HMAC-SHA256 of id, timestamp and body, joined by dots. */
        'Service-Webhook-Signature': string
        /** @description The same id, for verifiers of Standard Webhooks. */
        'webhook-id': string
        /** @description Unix seconds. */
        'webhook-timestamp': string
        /** @description `v1,` and base64; several while a secret is being rotated, a blank between them. */
        'webhook-signature': string
      }
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        /**
         * @example {
         *       "id": "0199f0a0-0000-7000-8000-0000000000e1",
         *       "type": "message.bounced",
         *       "apiVersion": "2026-01-01",
         *       "occurredAt": "2026-01-05T10:00:00.000000Z",
         *       "data": {
         *         "object": "message",
         *         "id": "0199f0a0-0000-7000-8000-0000000000a1",
         *         "mailboxId": "0199f0a0-0000-7000-8000-000000000001",
         *         "direction": "outbound",
         *         "messageId": "<0199f0a0-0000-7000-8000-000000000001@example.com>",
         *         "subject": "An example",
         *         "from": {
         *           "address": "hello@example.com",
         *           "name": null
         *         },
         *         "to": [
         *           {
         *             "address": "someone@example.net",
         *             "name": null
         *           }
         *         ],
         *         "status": "bounced",
         *         "recipient": "someone@example.net",
         *         "smtpCode": 550,
         *         "enhancedCode": "5.1.1",
         *         "diagnostic": "550 5.1.1 No such user",
         *         "bounce": {
         *           "type": "permanent"
         *         }
         *       }
         *     }
         */
        'application/json': {
          /**
           * Format: uuid
           * @description Names the event. Every repeat of it has the same.
           */
          id: string
          /**
           * @description What happened.
           * @constant
           */
          type: 'message.bounced'
          /**
           * @description The form of this body, fixed when the endpoint is created.
           * @constant
           */
          apiVersion: '2026-01-01'
          /**
           * Format: date-time
           * @description When it happened.
           */
          occurredAt: string
          /** @description What happened in detail. Text and files are not in it. */
          data: {
            /**
             * @description What it happened to.
             * @constant
             */
            object: 'message'
            /**
             * Format: uuid
             * @description The id of the message.
             */
            id: string
            /** @description The mailbox that sent, received or changed it. */
            mailboxId: string | null
            /**
             * @description `inbound` was received, `outbound` is sent from here.
             * @enum {string}
             */
            direction: 'inbound' | 'outbound'
            /** @description The header Message-ID. */
            messageId: string | null
            /** @description The subject line. */
            subject: string
            /** @description The sender. */
            from: {
              /** @description The email address. */
              address: string
              /** @description The display name. */
              name: string | null
            } | null
            /** @description Its recipients. */
            to: {
              /** @description The email address. */
              address: string
              /** @description The display name. */
              name: string | null
            }[]
            /**
             * @description Where the message stood when this happened.
             * @enum {string}
             */
            status: 'queued' | 'sent' | 'delivered' | 'bounced' | 'failed' | 'received'
            /**
             * @description What it said was taken out, as an address in it was erased; the event keeps its place.
             * @constant
             */
            erased?: true
            /** @description The address that this is about. */
            recipient: string
            /** @description The SMTP reply code of whoever decided. */
            smtpCode: number | null
            /** @description The enhanced status code (RFC 3463), such as `5.1.1`. */
            enhancedCode: string | null
            /** @description What was said of it, up to 1,000 characters. */
            diagnostic: string | null
            /** @description What kind of bounce it is. */
            bounce: {
              /**
               * @description `permanent`: do not write to this address again. `transient`: time may heal it. `undetermined`: the report does not say.
               * @enum {string}
               */
              type: 'permanent' | 'transient' | 'undetermined'
            }
            /**
             * @description Of a sandbox: nothing of it has happened.
             * @constant
             */
            demo?: true
          }
        }
      }
    }
    responses: {
      /** @description Accepted. */
      '2XX': {
        headers: {
          [name: string]: unknown
        }
        content?: never
      }
      /** @description Tried again later. */
      '4XX': {
        headers: {
          [name: string]: unknown
        }
        content?: never
      }
    }
  }
  'on.message.failed': {
    parameters: {
      query?: never
      header: {
        /** @description The id of the event. */
        'Service-Webhook-Id': string
        /** @description Unix seconds. */
        'Service-Webhook-Timestamp': string
        /** @description `v1=` and 64 hexadecimal digits: HMAC-SHA256 of id, timestamp and body, joined by dots. */
        'Service-Webhook-Signature': string
        /** @description The same id, for verifiers of Standard Webhooks. */
        'webhook-id': string
        /** @description Unix seconds. */
        'webhook-timestamp': string
        /** @description `v1,` and base64; several while a secret is being rotated, a blank between them. */
        'webhook-signature': string
      }
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        /**
         * @example {
         *       "id": "0199f0a0-0000-7000-8000-0000000000e1",
         *       "type": "message.failed",
         *       "apiVersion": "2026-01-01",
         *       "occurredAt": "2026-01-05T10:00:00.000000Z",
         *       "data": {
         *         "object": "message",
         *         "id": "0199f0a0-0000-7000-8000-0000000000a1",
         *         "mailboxId": "0199f0a0-0000-7000-8000-000000000001",
         *         "direction": "outbound",
         *         "messageId": "<0199f0a0-0000-7000-8000-000000000001@example.com>",
         *         "subject": "An example",
         *         "from": {
         *           "address": "hello@example.com",
         *           "name": null
         *         },
         *         "to": [
         *           {
         *             "address": "someone@example.net",
         *             "name": null
         *           }
         *         ],
         *         "status": "failed",
         *         "recipient": "someone@example.net",
         *         "smtpCode": 554,
         *         "enhancedCode": "5.7.1",
         *         "diagnostic": "554 5.7.1 Refused by the relay"
         *       }
         *     }
         */
        'application/json': {
          /**
           * Format: uuid
           * @description Names the event. Every repeat of it has the same.
           */
          id: string
          /**
           * @description What happened.
           * @constant
           */
          type: 'message.failed'
          /**
           * @description The form of this body, fixed when the endpoint is created.
           * @constant
           */
          apiVersion: '2026-01-01'
          /**
           * Format: date-time
           * @description When it happened.
           */
          occurredAt: string
          /** @description What happened in detail. Text and files are not in it. */
          data: {
            /**
             * @description What it happened to.
             * @constant
             */
            object: 'message'
            /**
             * Format: uuid
             * @description The id of the message.
             */
            id: string
            /** @description The mailbox that sent, received or changed it. */
            mailboxId: string | null
            /**
             * @description `inbound` was received, `outbound` is sent from here.
             * @enum {string}
             */
            direction: 'inbound' | 'outbound'
            /** @description The header Message-ID. */
            messageId: string | null
            /** @description The subject line. */
            subject: string
            /** @description The sender. */
            from: {
              /** @description The email address. */
              address: string
              /** @description The display name. */
              name: string | null
            } | null
            /** @description Its recipients. */
            to: {
              /** @description The email address. */
              address: string
              /** @description The display name. */
              name: string | null
            }[]
            /**
             * @description Where the message stood when this happened.
             * @enum {string}
             */
            status: 'queued' | 'sent' | 'delivered' | 'bounced' | 'failed' | 'received'
            /**
             * @description What it said was taken out, as an address in it was erased; the event keeps its place.
             * @constant
             */
            erased?: true
            /** @description The address that this is about. */
            recipient: string
            /** @description The SMTP reply code of whoever decided. */
            smtpCode: number | null
            /** @description The enhanced status code (RFC 3463), such as `5.1.1`. */
            enhancedCode: string | null
            /** @description What was said of it, up to 1,000 characters. */
            diagnostic: string | null
            /**
             * @description Of a sandbox: nothing of it has happened.
             * @constant
             */
            demo?: true
          }
        }
      }
    }
    responses: {
      /** @description Accepted. */
      '2XX': {
        headers: {
          [name: string]: unknown
        }
        content?: never
      }
      /** @description Tried again later. */
      '4XX': {
        headers: {
          [name: string]: unknown
        }
        content?: never
      }
    }
  }
  'on.message.updated': {
    parameters: {
      query?: never
      header: {
        /** @description The id of the event. */
        'Service-Webhook-Id': string
        /** @description Unix seconds. */
        'Service-Webhook-Timestamp': string
        /** @description `v1=` and 64 hexadecimal digits: HMAC-SHA256 of id, timestamp and body, joined by dots. */
        'Service-Webhook-Signature': string
        /** @description The same id, for verifiers of Standard Webhooks. */
        'webhook-id': string
        /** @description Unix seconds. */
        'webhook-timestamp': string
        /** @description `v1,` and base64; several while a secret is being rotated, a blank between them. */
        'webhook-signature': string
      }
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        /**
         * @example {
         *       "id": "0199f0a0-0000-7000-8000-0000000000e1",
         *       "type": "message.updated",
         *       "apiVersion": "2026-01-01",
         *       "occurredAt": "2026-01-05T10:00:00.000000Z",
         *       "data": {
         *         "object": "message",
         *         "id": "0199f0a0-0000-7000-8000-0000000000a1",
         *         "mailboxId": "0199f0a0-0000-7000-8000-000000000001",
         *         "direction": "inbound",
         *         "messageId": "<0199f0a0-0000-7000-8000-000000000001@example.com>",
         *         "subject": "An example",
         *         "from": {
         *           "address": "someone@example.net",
         *           "name": null
         *         },
         *         "to": [
         *           {
         *             "address": "hello@example.com",
         *             "name": null
         *           }
         *         ],
         *         "status": "received",
         *         "changes": {
         *           "isRead": true
         *         }
         *       }
         *     }
         */
        'application/json': {
          /**
           * Format: uuid
           * @description Names the event. Every repeat of it has the same.
           */
          id: string
          /**
           * @description What happened.
           * @constant
           */
          type: 'message.updated'
          /**
           * @description The form of this body, fixed when the endpoint is created.
           * @constant
           */
          apiVersion: '2026-01-01'
          /**
           * Format: date-time
           * @description When it happened.
           */
          occurredAt: string
          /** @description What happened in detail. Text and files are not in it. */
          data: {
            /**
             * @description What it happened to.
             * @constant
             */
            object: 'message'
            /**
             * Format: uuid
             * @description The id of the message.
             */
            id: string
            /** @description The mailbox that sent, received or changed it. */
            mailboxId: string | null
            /**
             * @description `inbound` was received, `outbound` is sent from here.
             * @enum {string}
             */
            direction: 'inbound' | 'outbound'
            /** @description The header Message-ID. */
            messageId: string | null
            /** @description The subject line. */
            subject: string
            /** @description The sender. */
            from: {
              /** @description The email address. */
              address: string
              /** @description The display name. */
              name: string | null
            } | null
            /** @description Its recipients. */
            to: {
              /** @description The email address. */
              address: string
              /** @description The display name. */
              name: string | null
            }[]
            /**
             * @description Where the message stood when this happened.
             * @enum {string}
             */
            status: 'queued' | 'sent' | 'delivered' | 'bounced' | 'failed' | 'received'
            /**
             * @description What it said was taken out, as an address in it was erased; the event keeps its place.
             * @constant
             */
            erased?: true
            /** @description What was asked for. */
            changes: {
              /** @description Whether it is marked as read. */
              isRead?: boolean
              /** @description Whether it is starred. */
              isStarred?: boolean
              /**
               * @description The folder in which it is.
               * @enum {string}
               */
              folder?: 'inbox' | 'sent' | 'archive' | 'spam' | 'trash'
            }
            /**
             * @description Of a sandbox: nothing of it has happened.
             * @constant
             */
            demo?: true
          }
        }
      }
    }
    responses: {
      /** @description Accepted. */
      '2XX': {
        headers: {
          [name: string]: unknown
        }
        content?: never
      }
      /** @description Tried again later. */
      '4XX': {
        headers: {
          [name: string]: unknown
        }
        content?: never
      }
    }
  }
  'on.message.deleted': {
    parameters: {
      query?: never
      header: {
        /** @description The id of the event. */
        'Service-Webhook-Id': string
        /** @description Unix seconds. */
        'Service-Webhook-Timestamp': string
        /** @description `v1=` and 64 hexadecimal digits: HMAC-SHA256 of id, timestamp and body, joined by dots. */
        'Service-Webhook-Signature': string
        /** @description The same id, for verifiers of Standard Webhooks. */
        'webhook-id': string
        /** @description Unix seconds. */
        'webhook-timestamp': string
        /** @description `v1,` and base64; several while a secret is being rotated, a blank between them. */
        'webhook-signature': string
      }
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        /**
         * @example {
         *       "id": "0199f0a0-0000-7000-8000-0000000000e1",
         *       "type": "message.deleted",
         *       "apiVersion": "2026-01-01",
         *       "occurredAt": "2026-01-05T10:00:00.000000Z",
         *       "data": {
         *         "object": "message",
         *         "id": "0199f0a0-0000-7000-8000-0000000000a1",
         *         "mailboxId": "0199f0a0-0000-7000-8000-000000000001",
         *         "direction": "inbound",
         *         "messageId": "<0199f0a0-0000-7000-8000-000000000001@example.com>",
         *         "subject": "An example",
         *         "from": {
         *           "address": "someone@example.net",
         *           "name": null
         *         },
         *         "to": [
         *           {
         *             "address": "hello@example.com",
         *             "name": null
         *           }
         *         ],
         *         "status": "received",
         *         "mailboxIds": [
         *           "0199f0a0-0000-7000-8000-000000000001"
         *         ],
         *         "reason": "deleted"
         *       }
         *     }
         */
        'application/json': {
          /**
           * Format: uuid
           * @description Names the event. Every repeat of it has the same.
           */
          id: string
          /**
           * @description What happened.
           * @constant
           */
          type: 'message.deleted'
          /**
           * @description The form of this body, fixed when the endpoint is created.
           * @constant
           */
          apiVersion: '2026-01-01'
          /**
           * Format: date-time
           * @description When it happened.
           */
          occurredAt: string
          /** @description What happened in detail. Text and files are not in it. */
          data: {
            /**
             * @description What it happened to.
             * @constant
             */
            object: 'message'
            /**
             * Format: uuid
             * @description The id of the message.
             */
            id: string
            /** @description The mailbox that sent, received or changed it. */
            mailboxId: string | null
            /**
             * @description `inbound` was received, `outbound` is sent from here.
             * @enum {string}
             */
            direction: 'inbound' | 'outbound'
            /** @description The header Message-ID. */
            messageId: string | null
            /** @description The subject line. */
            subject: string
            /** @description The sender. */
            from: {
              /** @description The email address. */
              address: string
              /** @description The display name. */
              name: string | null
            } | null
            /** @description Its recipients. */
            to: {
              /** @description The email address. */
              address: string
              /** @description The display name. */
              name: string | null
            }[]
            /**
             * @description Where the message stood when this happened.
             * @enum {string}
             */
            status: 'queued' | 'sent' | 'delivered' | 'bounced' | 'failed' | 'received'
            /**
             * @description What it said was taken out, as an address in it was erased; the event keeps its place.
             * @constant
             */
            erased?: true
            /** @description Every mailbox that it went from. */
            mailboxIds: string[]
            /**
             * @description `deleted` by the operator, or `trash_expired`: it lay in the trash for 30 days.
             * @enum {string}
             */
            reason: 'deleted' | 'trash_expired'
            /**
             * @description Of a sandbox: nothing of it has happened.
             * @constant
             */
            demo?: true
          }
        }
      }
    }
    responses: {
      /** @description Accepted. */
      '2XX': {
        headers: {
          [name: string]: unknown
        }
        content?: never
      }
      /** @description Tried again later. */
      '4XX': {
        headers: {
          [name: string]: unknown
        }
        content?: never
      }
    }
  }
  'on.mailbox.created': {
    parameters: {
      query?: never
      header: {
        /** @description The id of the event. */
        'Service-Webhook-Id': string
        /** @description Unix seconds. */
        'Service-Webhook-Timestamp': string
        /** @description `v1=` and 64 hexadecimal digits: HMAC-SHA256 of id, timestamp and body, joined by dots. */
        'Service-Webhook-Signature': string
        /** @description The same id, for verifiers of Standard Webhooks. */
        'webhook-id': string
        /** @description Unix seconds. */
        'webhook-timestamp': string
        /** @description `v1,` and base64; several while a secret is being rotated, a blank between them. */
        'webhook-signature': string
      }
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        /**
         * @example {
         *       "id": "0199f0a0-0000-7000-8000-0000000000e1",
         *       "type": "mailbox.created",
         *       "apiVersion": "2026-01-01",
         *       "occurredAt": "2026-01-05T10:00:00.000000Z",
         *       "data": {
         *         "object": "mailbox",
         *         "id": "0199f0a0-0000-7000-8000-000000000001",
         *         "address": "hello@example.com",
         *         "displayName": "Hello",
         *         "status": "active"
         *       }
         *     }
         */
        'application/json': {
          /**
           * Format: uuid
           * @description Names the event. Every repeat of it has the same.
           */
          id: string
          /**
           * @description What happened.
           * @constant
           */
          type: 'mailbox.created'
          /**
           * @description The form of this body, fixed when the endpoint is created.
           * @constant
           */
          apiVersion: '2026-01-01'
          /**
           * Format: date-time
           * @description When it happened.
           */
          occurredAt: string
          /** @description What happened in detail. Text and files are not in it. */
          data: {
            /**
             * @description What it happened to.
             * @constant
             */
            object: 'mailbox'
            /**
             * Format: uuid
             * @description The id of the mailbox.
             */
            id: string
            /** @description Its email address. */
            address: string
            /** @description The name that recipients see beside the address. */
            displayName: string
            /**
             * @description Whether it can send and receive.
             * @enum {string}
             */
            status: 'active' | 'suspended'
            /**
             * @description Of a sandbox: nothing of it has happened.
             * @constant
             */
            demo?: true
          }
        }
      }
    }
    responses: {
      /** @description Accepted. */
      '2XX': {
        headers: {
          [name: string]: unknown
        }
        content?: never
      }
      /** @description Tried again later. */
      '4XX': {
        headers: {
          [name: string]: unknown
        }
        content?: never
      }
    }
  }
  'on.mailbox.updated': {
    parameters: {
      query?: never
      header: {
        /** @description The id of the event. */
        'Service-Webhook-Id': string
        /** @description Unix seconds. */
        'Service-Webhook-Timestamp': string
        /** @description `v1=` and 64 hexadecimal digits: HMAC-SHA256 of id, timestamp and body, joined by dots. */
        'Service-Webhook-Signature': string
        /** @description The same id, for verifiers of Standard Webhooks. */
        'webhook-id': string
        /** @description Unix seconds. */
        'webhook-timestamp': string
        /** @description `v1,` and base64; several while a secret is being rotated, a blank between them. */
        'webhook-signature': string
      }
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        /**
         * @example {
         *       "id": "0199f0a0-0000-7000-8000-0000000000e1",
         *       "type": "mailbox.updated",
         *       "apiVersion": "2026-01-01",
         *       "occurredAt": "2026-01-05T10:00:00.000000Z",
         *       "data": {
         *         "object": "mailbox",
         *         "id": "0199f0a0-0000-7000-8000-000000000001",
         *         "address": "hello@example.com",
         *         "displayName": "Hello again",
         *         "status": "active"
         *       }
         *     }
         */
        'application/json': {
          /**
           * Format: uuid
           * @description Names the event. Every repeat of it has the same.
           */
          id: string
          /**
           * @description What happened.
           * @constant
           */
          type: 'mailbox.updated'
          /**
           * @description The form of this body, fixed when the endpoint is created.
           * @constant
           */
          apiVersion: '2026-01-01'
          /**
           * Format: date-time
           * @description When it happened.
           */
          occurredAt: string
          /** @description What happened in detail. Text and files are not in it. */
          data: {
            /**
             * @description What it happened to.
             * @constant
             */
            object: 'mailbox'
            /**
             * Format: uuid
             * @description The id of the mailbox.
             */
            id: string
            /** @description Its email address. */
            address: string
            /** @description The name that recipients see beside the address. */
            displayName: string
            /**
             * @description Whether it can send and receive.
             * @enum {string}
             */
            status: 'active' | 'suspended'
            /**
             * @description Of a sandbox: nothing of it has happened.
             * @constant
             */
            demo?: true
          }
        }
      }
    }
    responses: {
      /** @description Accepted. */
      '2XX': {
        headers: {
          [name: string]: unknown
        }
        content?: never
      }
      /** @description Tried again later. */
      '4XX': {
        headers: {
          [name: string]: unknown
        }
        content?: never
      }
    }
  }
  'on.mailbox.suspended': {
    parameters: {
      query?: never
      header: {
        /** @description The id of the event. */
        'Service-Webhook-Id': string
        /** @description Unix seconds. */
        'Service-Webhook-Timestamp': string
        /** @description `v1=` and 64 hexadecimal digits: HMAC-SHA256 of id, timestamp and body, joined by dots. */
        'Service-Webhook-Signature': string
        /** @description The same id, for verifiers of Standard Webhooks. */
        'webhook-id': string
        /** @description Unix seconds. */
        'webhook-timestamp': string
        /** @description `v1,` and base64; several while a secret is being rotated, a blank between them. */
        'webhook-signature': string
      }
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        /**
         * @example {
         *       "id": "0199f0a0-0000-7000-8000-0000000000e1",
         *       "type": "mailbox.suspended",
         *       "apiVersion": "2026-01-01",
         *       "occurredAt": "2026-01-05T10:00:00.000000Z",
         *       "data": {
         *         "object": "mailbox",
         *         "id": "0199f0a0-0000-7000-8000-000000000001",
         *         "address": "hello@example.com",
         *         "displayName": "Hello",
         *         "status": "suspended"
         *       }
         *     }
         */
        'application/json': {
          /**
           * Format: uuid
           * @description Names the event. Every repeat of it has the same.
           */
          id: string
          /**
           * @description What happened.
           * @constant
           */
          type: 'mailbox.suspended'
          /**
           * @description The form of this body, fixed when the endpoint is created.
           * @constant
           */
          apiVersion: '2026-01-01'
          /**
           * Format: date-time
           * @description When it happened.
           */
          occurredAt: string
          /** @description What happened in detail. Text and files are not in it. */
          data: {
            /**
             * @description What it happened to.
             * @constant
             */
            object: 'mailbox'
            /**
             * Format: uuid
             * @description The id of the mailbox.
             */
            id: string
            /** @description Its email address. */
            address: string
            /** @description The name that recipients see beside the address. */
            displayName: string
            /**
             * @description Whether it can send and receive.
             * @enum {string}
             */
            status: 'active' | 'suspended'
            /**
             * @description Of a sandbox: nothing of it has happened.
             * @constant
             */
            demo?: true
          }
        }
      }
    }
    responses: {
      /** @description Accepted. */
      '2XX': {
        headers: {
          [name: string]: unknown
        }
        content?: never
      }
      /** @description Tried again later. */
      '4XX': {
        headers: {
          [name: string]: unknown
        }
        content?: never
      }
    }
  }
  'on.domain.health_changed': {
    parameters: {
      query?: never
      header: {
        /** @description The id of the event. */
        'Service-Webhook-Id': string
        /** @description Unix seconds. */
        'Service-Webhook-Timestamp': string
        /** @description `v1=` and 64 hexadecimal digits: HMAC-SHA256 of id, timestamp and body, joined by dots. */
        'Service-Webhook-Signature': string
        /** @description The same id, for verifiers of Standard Webhooks. */
        'webhook-id': string
        /** @description Unix seconds. */
        'webhook-timestamp': string
        /** @description `v1,` and base64; several while a secret is being rotated, a blank between them. */
        'webhook-signature': string
      }
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        /**
         * @example {
         *       "id": "0199f0a0-0000-7000-8000-0000000000e1",
         *       "type": "domain.health_changed",
         *       "apiVersion": "2026-01-01",
         *       "occurredAt": "2026-01-05T10:00:00.000000Z",
         *       "data": {
         *         "object": "domain",
         *         "id": "0199f0a0-0000-7000-8000-000000000001",
         *         "domain": "example.com",
         *         "previous": "healthy",
         *         "health": "degraded",
         *         "checks": {
         *           "mx": {
         *             "status": "pass",
         *             "found": [
         *               "10 mail.example.com"
         *             ],
         *             "expected": "an MX record"
         *           },
         *           "spf": {
         *             "status": "pass",
         *             "found": [
         *               "v=spf1 mx ~all"
         *             ],
         *             "expected": "an SPF record"
         *           },
         *           "dkim": {
         *             "status": "pass",
         *             "found": [
         *               "v=DKIM1; k=rsa; p=…"
         *             ],
         *             "expected": "v=DKIM1; k=rsa; p=…"
         *           },
         *           "dmarc": {
         *             "status": "missing",
         *             "found": [],
         *             "expected": "a DMARC record"
         *           },
         *           "verification": {
         *             "status": "pass",
         *             "found": [
         *               "mdk-verify=…"
         *             ],
         *             "expected": "mdk-verify=…"
         *           }
         *         }
         *       }
         *     }
         */
        'application/json': {
          /**
           * Format: uuid
           * @description Names the event. Every repeat of it has the same.
           */
          id: string
          /**
           * @description What happened.
           * @constant
           */
          type: 'domain.health_changed'
          /**
           * @description The form of this body, fixed when the endpoint is created.
           * @constant
           */
          apiVersion: '2026-01-01'
          /**
           * Format: date-time
           * @description When it happened.
           */
          occurredAt: string
          /** @description What happened in detail. Text and files are not in it. */
          data: {
            /**
             * @description What it happened to.
             * @constant
             */
            object: 'domain'
            /**
             * Format: uuid
             * @description The id of the domain.
             */
            id: string
            /** @description Its name. */
            domain: string
            /**
             * @description Its health before.
             * @enum {string}
             */
            previous: 'pending' | 'healthy' | 'degraded' | 'failing'
            /**
             * @description Its health now.
             * @enum {string}
             */
            health: 'pending' | 'healthy' | 'degraded' | 'failing'
            /** @description What was checked, by record. */
            checks: {
              /** @description A check of its DNS records. */
              mx: {
                /**
                 * @description What came of the check.
                 * @enum {string}
                 */
                status: 'pass' | 'missing' | 'wrong' | 'error'
                /** @description The records that are there. */
                found: string[]
                /** @description What should be there. */
                expected: string
              }
              /** @description A check of its DNS records. */
              spf: {
                /**
                 * @description What came of the check.
                 * @enum {string}
                 */
                status: 'pass' | 'missing' | 'wrong' | 'error'
                /** @description The records that are there. */
                found: string[]
                /** @description What should be there. */
                expected: string
              }
              /** @description A check of its DNS records. */
              dkim: {
                /**
                 * @description What came of the check.
                 * @enum {string}
                 */
                status: 'pass' | 'missing' | 'wrong' | 'error'
                /** @description The records that are there. */
                found: string[]
                /** @description What should be there. */
                expected: string
              }
              /** @description A check of its DNS records. */
              dmarc: {
                /**
                 * @description What came of the check.
                 * @enum {string}
                 */
                status: 'pass' | 'missing' | 'wrong' | 'error'
                /** @description The records that are there. */
                found: string[]
                /** @description What should be there. */
                expected: string
              }
              /** @description A check of its DNS records. */
              verification: {
                /**
                 * @description What came of the check.
                 * @enum {string}
                 */
                status: 'pass' | 'missing' | 'wrong' | 'error'
                /** @description The records that are there. */
                found: string[]
                /** @description What should be there. */
                expected: string
              }
            }
            /**
             * @description Of a sandbox: nothing of it has happened.
             * @constant
             */
            demo?: true
          }
        }
      }
    }
    responses: {
      /** @description Accepted. */
      '2XX': {
        headers: {
          [name: string]: unknown
        }
        content?: never
      }
      /** @description Tried again later. */
      '4XX': {
        headers: {
          [name: string]: unknown
        }
        content?: never
      }
    }
  }
  'on.webhook.endpoint_verification': {
    parameters: {
      query?: never
      header: {
        /** @description The id of the event. */
        'Service-Webhook-Id': string
        /** @description Unix seconds. */
        'Service-Webhook-Timestamp': string
        /** @description `v1=` and 64 hexadecimal digits: HMAC-SHA256 of id, timestamp and body, joined by dots. */
        'Service-Webhook-Signature': string
        /** @description The same id, for verifiers of Standard Webhooks. */
        'webhook-id': string
        /** @description Unix seconds. */
        'webhook-timestamp': string
        /** @description `v1,` and base64; several while a secret is being rotated, a blank between them. */
        'webhook-signature': string
      }
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        /**
         * @example {
         *       "id": "0199f0a0-0000-7000-8000-0000000000e1",
         *       "type": "webhook.endpoint_verification",
         *       "apiVersion": "2026-01-01",
         *       "occurredAt": "2026-01-05T10:00:00.000000Z",
         *       "data": {
         *         "object": "webhook_endpoint",
         *         "id": "0199f0a0-0000-7000-8000-0000000000c1",
         *         "challenge": "pX0bJ5cWm1q3l8Zt7K2vYw4R6nE9sHgUaDfBiTjQkLo"
         *       }
         *     }
         */
        'application/json': {
          /**
           * Format: uuid
           * @description Names the event. Every repeat of it has the same.
           */
          id: string
          /**
           * @description What happened.
           * @constant
           */
          type: 'webhook.endpoint_verification'
          /**
           * @description The form of this body, fixed when the endpoint is created.
           * @constant
           */
          apiVersion: '2026-01-01'
          /**
           * Format: date-time
           * @description When it happened.
           */
          occurredAt: string
          /** @description What happened in detail. Text and files are not in it. */
          data: {
            /**
             * @description What it happened to.
             * @constant
             */
            object: 'webhook_endpoint'
            /**
             * Format: uuid
             * @description The id of the webhook endpoint.
             */
            id: string
            /** @description What to answer with. */
            challenge: string
          }
        }
      }
    }
    responses: {
      /** @description The endpoint wants what it will be sent. */
      '2XX': {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "challenge": "pX0bJ5cWm1q3l8Zt7K2vYw4R6nE9sHgUaDfBiTjQkLo"
           *     }
           */
          'application/json': {
            /** @description The one that came. */
            challenge: string
          }
        }
      }
      /** @description Tried again later. */
      '4XX': {
        headers: {
          [name: string]: unknown
        }
        content?: never
      }
    }
  }
  'on.webhook.endpoint_test': {
    parameters: {
      query?: never
      header: {
        /** @description The id of the event. */
        'Service-Webhook-Id': string
        /** @description Unix seconds. */
        'Service-Webhook-Timestamp': string
        /** @description `v1=` and 64 hexadecimal digits: HMAC-SHA256 of id, timestamp and body, joined by dots. */
        'Service-Webhook-Signature': string
        /** @description The same id, for verifiers of Standard Webhooks. */
        'webhook-id': string
        /** @description Unix seconds. */
        'webhook-timestamp': string
        /** @description `v1,` and base64; several while a secret is being rotated, a blank between them. */
        'webhook-signature': string
      }
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        /**
         * @example {
         *       "id": "0199f0a0-0000-7000-8000-0000000000e1",
         *       "type": "webhook.endpoint_test",
         *       "apiVersion": "2026-01-01",
         *       "occurredAt": "2026-01-05T10:00:00.000000Z",
         *       "data": {
         *         "object": "webhook_endpoint",
         *         "id": "0199f0a0-0000-7000-8000-0000000000c1",
         *         "test": true
         *       }
         *     }
         */
        'application/json': {
          /**
           * Format: uuid
           * @description Names the event. Every repeat of it has the same.
           */
          id: string
          /**
           * @description What happened.
           * @constant
           */
          type: 'webhook.endpoint_test'
          /**
           * @description The form of this body, fixed when the endpoint is created.
           * @constant
           */
          apiVersion: '2026-01-01'
          /**
           * Format: date-time
           * @description When it happened.
           */
          occurredAt: string
          /** @description What happened in detail. Text and files are not in it. */
          data: {
            /**
             * @description What it happened to.
             * @constant
             */
            object: 'webhook_endpoint'
            /**
             * Format: uuid
             * @description The id of the webhook endpoint.
             */
            id: string
            /**
             * @description Nothing has happened.
             * @constant
             */
            test: true
          }
        }
      }
    }
    responses: {
      /** @description Accepted. */
      '2XX': {
        headers: {
          [name: string]: unknown
        }
        content?: never
      }
      /** @description Tried again later. */
      '4XX': {
        headers: {
          [name: string]: unknown
        }
        content?: never
      }
    }
  }
}
