// What the package offers.
export {
  type CallOptions,
  type ClientOptions,
  type FeedPage,
  type IdempotentCallOptions,
  MailDeveloperApi,
  type UploadFileInput,
} from './client.ts'
export { ApiError, ConnectionError, type FieldFault } from './errors.ts'
export type { FileSource } from './file-source.ts'
export { type Page, Pages } from './pages.ts'
export type * from './types.ts'
export {
  type VerifyWebhookInput,
  verifyWebhook,
  type WebhookEvent,
  type WebhookVerificationCode,
  WebhookVerificationError,
} from './verify-webhook.ts'
