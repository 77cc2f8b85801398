// The client: one method for each operation of the contract, under its name there. Knows no HTTP beyond paths.
import { randomUUID } from 'node:crypto'
import { type FileSource, openFile } from './file-source.ts'
import { Pages } from './pages.ts'
import { putBytes } from './put-bytes.ts'
import { persistently } from './retry.ts'
import { createTransport, type Request, type Transport } from './transport.ts'
import type {
  Attachment,
  AttachmentDownload,
  CreateWebhookEndpointInput,
  Domain,
  Event,
  EventPage,
  LegacyDownload,
  ListEventsQuery,
  ListMessagesQuery,
  ListWebhookDeliveriesQuery,
  Mailbox,
  MessageDetail,
  MessagePage,
  MessageSummary,
  NewWebhookEndpoint,
  PrepareAttachmentInput,
  PreparedAttachment,
  QueuedMessage,
  ReplayedDelivery,
  ReplaySinceInput,
  SendMessageInput,
  UpdateMessageInput,
  UpdateWebhookEndpointInput,
  UploadAttachmentInput,
  WebhookAttempt,
  WebhookDelivery,
  WebhookDeliveryPage,
  WebhookEndpoint,
  WebhookReplay,
  WebhookTestResult,
} from './types.ts'

export interface ClientOptions {
  /** Where the service answers, such as `https://mail.example.com`. */
  baseUrl: string
  /** `mdk_live_…` or `mdk_test_…`. Keep it on your servers: it must never reach a browser. */
  apiKey: string
  /** How often a call is attempted in all, first included; 4 unless given. */
  attempts?: number
  /** How long one attempt may take until it is answered; 30 s unless given. */
  timeoutMs?: number
  /** In place of the global fetch, such as one that goes through a proxy. */
  fetch?: typeof fetch
}

export interface CallOptions {
  signal?: AbortSignal
}

/** For the operations that take an Idempotency-Key. */
export interface IdempotentCallOptions extends CallOptions {
  /**
   * 8 to 255 characters. Give one that your own record of the work holds, so that a restart of your program repeats
   * nothing; otherwise each call makes its own, which covers the attempts of that call.
   */
  idempotencyKey?: string
}

export interface UploadFileInput {
  mailboxId: string
  file: FileSource
  /** The name recipients see; that of the file unless given. */
  filename?: string
  /** Such as `application/pdf`; that of a Blob, or `application/octet-stream`, unless given. */
  mediaType?: string
}

/** An event page, with where to go on later: store it once the items are durably accepted. */
export interface FeedPage extends EventPage {
  /** The position after this page's last item. */
  resumeCursor: string
}

const ATTEMPTS = 4
const TIMEOUT_MS = 30_000
const UPLOAD_TIMEOUT_MS = 300_000

/** Every method throws ApiError, ConnectionError, or the reason of its own signal. */
export class MailDeveloperApi {
  readonly #transport: Transport
  readonly #attempts: number

  /** @throws Error in a browser, TypeError when an option is wrong */
  constructor(options: ClientOptions) {
    refuseBrowsers()
    if (!/^mdk_(live|test)_/.test(options.apiKey)) throw new TypeError('apiKey begins with mdk_live_ or mdk_test_')
    if (!/^https?:\/\//.test(options.baseUrl)) throw new TypeError('baseUrl begins with https:// or http://')
    this.#attempts = options.attempts ?? ATTEMPTS
    this.#transport = createTransport({
      baseUrl: options.baseUrl,
      apiKey: options.apiKey,
      attempts: this.#attempts,
      timeoutMs: options.timeoutMs ?? TIMEOUT_MS,
      fetch: options.fetch ?? fetch,
    })
  }

  // Mailboxes and domains

  async listMailboxes(options: CallOptions = {}): Promise<Mailbox[]> {
    return (await this.#get<{ items: Mailbox[] }>('/v1/mailboxes', {}, options)).items
  }

  async listDomains(options: CallOptions = {}): Promise<Domain[]> {
    return (await this.#get<{ items: Domain[] }>('/v1/domains', {}, options)).items
  }

  // Messages

  /** Newest first. Await it for one page, iterate for all messages. */
  listMessages(query: ListMessagesQuery = {}, options: CallOptions = {}): Pages<MessageSummary, MessagePage> {
    return new Pages((cursor) => this.#get<MessagePage>('/v1/messages', { ...query, cursor }, options), query.cursor)
  }

  /** Queues a message. What it gives is durable; events report its delivery. */
  sendMessage(input: SendMessageInput, options: IdempotentCallOptions = {}): Promise<QueuedMessage> {
    return this.#idempotent<QueuedMessage>('/v1/messages', input, options)
  }

  async getMessage(messageId: string, options: CallOptions = {}): Promise<MessageDetail> {
    return (await this.#get<{ message: MessageDetail }>(`/v1/messages/${id(messageId)}`, {}, options)).message
  }

  /** The message as it was sent or received, `message/rfc822`. Read the stream or cancel it. */
  async getRawMessage(messageId: string, options: CallOptions = {}): Promise<ReadableStream<Uint8Array>> {
    const request: Request = { method: 'GET', path: `/v1/messages/${id(messageId)}/raw`, repeatable: true, ...options }
    return (await this.#transport(request)).body as ReadableStream<Uint8Array>
  }

  /** Files or flags the message in one mailbox. */
  async updateMessage(messageId: string, input: UpdateMessageInput, options: CallOptions = {}): Promise<void> {
    await this.#send('PATCH', `/v1/messages/${id(messageId)}`, input, { repeatable: true, ...options })
  }

  // Attachments

  /** Prepares, uploads and completes: the whole direct upload of one file of up to 25 MiB. */
  async uploadFile(input: UploadFileInput, options: IdempotentCallOptions = {}): Promise<Attachment> {
    const file = await openFile(input.file)
    const filename = input.filename ?? file.filename
    if (filename === undefined) throw new TypeError('filename: give one, as this file has none of its own')
    const prepared = await this.prepareAttachmentUpload(
      {
        mailboxId: input.mailboxId,
        filename,
        mediaType: input.mediaType ?? file.mediaType ?? 'application/octet-stream',
        sizeBytes: file.sizeBytes,
        sha256: file.sha256,
      },
      options,
    )
    if (prepared.upload) {
      const { signal } = options
      const target = { ...prepared.upload, sizeBytes: file.sizeBytes, timeoutMs: UPLOAD_TIMEOUT_MS, signal }
      const put = () => putBytes(target, file.open())
      await persistently(put, { attempts: this.#attempts, repeatable: true, signal })
    }
    return this.completeAttachmentUpload(prepared.uploadId, options)
  }

  prepareAttachmentUpload(
    input: PrepareAttachmentInput,
    options: IdempotentCallOptions = {},
  ): Promise<PreparedAttachment> {
    return this.#idempotent<PreparedAttachment>('/v1/attachments/uploads', input, options)
  }

  async completeAttachmentUpload(uploadId: string, options: CallOptions = {}): Promise<Attachment> {
    const path = `/v1/attachments/uploads/${id(uploadId)}/complete`
    const { signal } = options
    return (await this.#send<{ attachment: Attachment }>('POST', path, undefined, { repeatable: true, signal }))
      .attachment
  }

  async getAttachment(attachmentId: string, options: CallOptions = {}): Promise<Attachment> {
    return (await this.#get<{ attachment: Attachment }>(`/v1/attachments/${id(attachmentId)}`, {}, options)).attachment
  }

  /** A URL that works for a minute without the key: a secret for that long. */
  getAttachmentDownloadUrl(attachmentId: string, options: CallOptions = {}): Promise<AttachmentDownload> {
    return this.#get<AttachmentDownload>(`/v1/attachments/${id(attachmentId)}/download-url`, {}, options)
  }

  /** Small files as base64 in JSON; prefer `uploadFile`. */
  async uploadAttachment(input: UploadAttachmentInput, options: IdempotentCallOptions = {}): Promise<Attachment> {
    return (await this.#idempotent<{ attachment: Attachment }>('/v1/attachments', input, options)).attachment
  }

  /** Small files as base64 in JSON; prefer `getAttachmentDownloadUrl`. */
  downloadAttachment(attachmentId: string, options: CallOptions = {}): Promise<LegacyDownload> {
    return this.#get<LegacyDownload>(`/v1/attachments/${id(attachmentId)}/download`, {}, options)
  }

  // Events

  /**
   * Oldest first. Await it for one page, iterate for all events there are now; with `.pages()` each page carries
   * the `resumeCursor` to store once its items are durably accepted.
   */
  listEvents(query: ListEventsQuery = {}, options: CallOptions = {}): Pages<Event, FeedPage> {
    const fetchPage = async (cursor: string | undefined): Promise<FeedPage> => {
      const request: Request = { method: 'GET', path: '/v1/events', query: { ...query, cursor }, repeatable: true }
      const { headers, body } = await this.#transport({ ...request, signal: options.signal })
      const resumeCursor = headers.get('mdk-resume-cursor') ?? cursor ?? ''
      return { ...(body as EventPage), resumeCursor }
    }
    return new Pages(fetchPage, query.cursor)
  }

  async getEvent(eventId: string, options: CallOptions = {}): Promise<Event> {
    return (await this.#get<{ event: Event }>(`/v1/events/${id(eventId)}`, {}, options)).event
  }

  // Webhooks

  async listWebhookEndpoints(options: CallOptions = {}): Promise<WebhookEndpoint[]> {
    return (await this.#get<{ items: WebhookEndpoint[] }>('/v1/webhook-endpoints', {}, options)).items
  }

  /** The receiver must answer the verification request. Keep the secret: it is shown this once. */
  createWebhookEndpoint(input: CreateWebhookEndpointInput, options: CallOptions = {}): Promise<NewWebhookEndpoint> {
    return this.#send<NewWebhookEndpoint>('POST', '/v1/webhook-endpoints', input, { repeatable: false, ...options })
  }

  async getWebhookEndpoint(endpointId: string, options: CallOptions = {}): Promise<WebhookEndpoint> {
    return (await this.#get<{ endpoint: WebhookEndpoint }>(`/v1/webhook-endpoints/${id(endpointId)}`, {}, options))
      .endpoint
  }

  async updateWebhookEndpoint(
    endpointId: string,
    input: UpdateWebhookEndpointInput,
    options: CallOptions = {},
  ): Promise<WebhookEndpoint> {
    const path = `/v1/webhook-endpoints/${id(endpointId)}`
    return (await this.#send<{ endpoint: WebhookEndpoint }>('PATCH', path, input, { repeatable: true, ...options }))
      .endpoint
  }

  async deleteWebhookEndpoint(endpointId: string, options: CallOptions = {}): Promise<void> {
    await this.#send('DELETE', `/v1/webhook-endpoints/${id(endpointId)}`, undefined, { repeatable: false, ...options })
  }

  /** For 24 hours deliveries carry both signatures in `webhook-signature`. */
  rotateWebhookEndpointSecret(endpointId: string, options: CallOptions = {}): Promise<NewWebhookEndpoint> {
    const path = `/v1/webhook-endpoints/${id(endpointId)}/rotate-secret`
    return this.#send<NewWebhookEndpoint>('POST', path, undefined, { repeatable: false, ...options })
  }

  /** Posts a signed request to the endpoint now and says what came of it. Counts nothing. */
  testWebhookEndpoint(endpointId: string, options: CallOptions = {}): Promise<WebhookTestResult> {
    const path = `/v1/webhook-endpoints/${id(endpointId)}/test`
    return this.#send<WebhookTestResult>('POST', path, undefined, { repeatable: false, ...options })
  }

  /** Newest first. Await it for one page, iterate for all deliveries. */
  listWebhookDeliveries(
    query: ListWebhookDeliveriesQuery = {},
    options: CallOptions = {},
  ): Pages<WebhookDelivery, WebhookDeliveryPage> {
    const fetchPage = (cursor: string | undefined) =>
      this.#get<WebhookDeliveryPage>('/v1/webhook-deliveries', { ...query, cursor }, options)
    return new Pages(fetchPage, query.cursor)
  }

  async getWebhookDelivery(deliveryId: string, options: CallOptions = {}): Promise<WebhookDelivery> {
    const path = `/v1/webhook-deliveries/${id(deliveryId)}`
    return (await this.#get<{ delivery: WebhookDelivery }>(path, {}, options)).delivery
  }

  /** Starts a new cycle. Give a key of your own to be sure of one replay. */
  replayWebhookDelivery(deliveryId: string, options: IdempotentCallOptions = {}): Promise<ReplayedDelivery> {
    const path = `/v1/webhook-deliveries/${id(deliveryId)}/replay`
    return this.#idempotent<ReplayedDelivery>(path, undefined, options)
  }

  /** Oldest first, of all cycles. */
  async listWebhookAttempts(deliveryId: string, options: CallOptions = {}): Promise<WebhookAttempt[]> {
    const path = `/v1/webhook-deliveries/${id(deliveryId)}/attempts`
    return (await this.#get<{ items: WebhookAttempt[] }>(path, {}, options)).items
  }

  /** Replays all that died since an instant. It goes on by itself: `getWebhookReplay` says how far it is. */
  replayWebhookEndpoint(
    endpointId: string,
    input: ReplaySinceInput,
    options: IdempotentCallOptions = {},
  ): Promise<WebhookReplay> {
    return this.#idempotent<WebhookReplay>(`/v1/webhook-endpoints/${id(endpointId)}/replay`, input, options)
  }

  getWebhookReplay(replayId: string, options: CallOptions = {}): Promise<WebhookReplay> {
    return this.#get<WebhookReplay>(`/v1/webhook-replays/${id(replayId)}`, {}, options)
  }

  /** What has been replayed is delivered all the same. */
  stopWebhookReplay(replayId: string, options: CallOptions = {}): Promise<WebhookReplay> {
    const path = `/v1/webhook-replays/${id(replayId)}/stop`
    return this.#send<WebhookReplay>('POST', path, undefined, { repeatable: true, ...options })
  }

  async #get<Body>(path: string, query: object, { signal }: CallOptions): Promise<Body> {
    return (await this.#transport({ method: 'GET', path, query, repeatable: true, signal })).body as Body
  }

  /** Every attempt carries the same key, so that twice is once. */
  #idempotent<Body>(path: string, body: unknown, options: IdempotentCallOptions): Promise<Body> {
    const { idempotencyKey = randomUUID(), signal } = options
    return this.#send<Body>('POST', path, body, { idempotencyKey, repeatable: true, signal })
  }

  async #send<Body>(
    method: Request['method'],
    path: string,
    body: unknown,
    options: Pick<Request, 'repeatable' | 'signal' | 'idempotencyKey'>,
  ): Promise<Body> {
    return (await this.#transport({ method, path, body, ...options })).body as Body
  }
}

/** An id in a path, which must not become a path. */
function id(text: string): string {
  return encodeURIComponent(text)
}

function refuseBrowsers(): void {
  const { window } = globalThis as { window?: { document?: unknown } }
  if (window?.document !== undefined) {
    throw new Error('API keys are for servers: call the API from yours, and your server from the browser.')
  }
}
