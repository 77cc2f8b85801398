// What each problem of the catalogue means, what to do about it, and the details it comes with, for the pages that an
// integrator reads. In Markdown; the links lead to pages of the docs.
import type { ProblemCode } from './problem.ts'

export interface Explanation {
  /** When it is answered. */
  means: string
  /** How to go on. */
  toDo: string
  /** The details of an example; absent where there are none. */
  details?: Record<string, unknown>
}

const EXPLANATIONS: Record<ProblemCode, Explanation> = {
  bad_request: {
    means:
      'What came is no valid HTTP request: a broken header or chunk, no `Host`, a body that ended too soon, or a header ' +
      'twice that may come once (`details.header` names it).',
    toDo: 'Use an HTTP library, and set `Authorization`, `Content-Type`, `Idempotency-Key` and `Range` once each.',
    details: { header: 'authorization' },
  },
  invalid_json: {
    means: 'The body is not JSON, is not UTF-8, is empty, or has two members of the same name in one object.',
    toDo: 'Let a JSON library write the body. A string that is put together by hand breaks at the first quote or line end.',
  },
  validation_error: {
    means:
      'Something in the body or the query is missing, unknown, of the wrong type or beyond its limit. `details.fields` ' +
      'has each field at fault once, with its `path` (`to[1]`; empty for the whole body), a `code` for programs and a ' +
      '`message` for people. Unknown members are refused, so that a misspelled one is not silently ignored.',
    toDo:
      'Correct every field that is named, then ask again. The idempotency key is free. The ' +
      '[reference](/docs) has the fields of each operation.',
    details: {
      fields: [
        {
          path: 'to[1]',
          code: 'invalid_email',
          message: 'must be an email address such as name@example.com, without a display name',
        },
        {
          path: 'reply_to',
          code: 'unknown_field',
          message: 'is not known here; did you mean fromMailboxId? Replies go to the address of that mailbox.',
        },
      ],
    },
  },
  invalid_cursor: {
    means:
      'The cursor is neither a timestamp nor one that this list gave to this organization and environment: cut off, ' +
      'changed, or from another list or a key of the other environment.',
    toDo: 'Pass `nextCursor` on as it came, URL-encoded. To begin anew, leave `cursor` out or give a timestamp.',
  },
  missing_idempotency_key: {
    means: 'The operation has an effect that must not happen twice, and the header `Idempotency-Key` is missing.',
    toDo:
      'Make a key for each thing that you want done, such as an order number or a random UUID, and send the same one ' +
      'with every retry. See [idempotency](/docs/guides/idempotency).',
  },
  invalid_idempotency_key: {
    means: 'The header `Idempotency-Key` does not have 8 to 255 printable ASCII characters.',
    toDo: 'Use a longer or a shorter key, of letters and digits.',
  },
  webhook_url_invalid: {
    means:
      'The URL can never be delivered to. It must be `https`, have a public address, no user name, and a usual port. ' +
      'The message says what is wrong.',
    toDo: 'Give a public `https` URL. For a receiver on your own machine see [webhooks](/docs/guides/webhooks#subscribe).',
    details: { field: 'url', reason: 'must begin with https://' },
  },
  webhook_verification_failed: {
    means:
      'Before an endpoint is stored, its URL must answer a request with the `challenge` in it, and did not. ' +
      '`details.reason` says why: `timeout`, `unsafe_address`, `dns`, `redirect`, `tls`, `network`, `http_status`, ' +
      '`answer_too_long`, `invalid_json` or `wrong_challenge`. `details.statusCode` and `details.answer` are what it answered, ' +
      'if anything.',
    toDo:
      'Answer within five seconds with a 2xx and JSON that holds the same `challenge`, without a redirect. Then create ' +
      'the endpoint again: nothing was stored. See [webhooks](/docs/guides/webhooks#subscribe).',
    details: { reason: 'http_status', statusCode: 404, answer: 'Cannot POST /hooks' },
  },
  invalid_api_key: {
    means:
      'No good API key came with the request. It is the same answer for one that is missing, mistyped, unknown, expired ' +
      'or revoked, of a suspended application or organization, or sent in the URL.',
    toDo:
      'Send `Authorization: Bearer <API key>` with the whole key as it was shown. If it is right, ask whoever manages ' +
      'your keys whether it was revoked or has expired.',
  },
  invalid_signature: {
    means: 'A relay report is not signed as it must be, or was signed more than five minutes ago.',
    toDo: 'This concerns operators only: compare the secret, the clock and the octets that were signed.',
  },
  plan_capacity_exceeded: {
    means:
      'The plan has no room for it. `details.resource` says for what: `messages` of this month, `storage` in octets, ' +
      '`webhook_endpoints`, or `applications`, `keys` or `suppressions` in the console; `limit` and `used` say how much, and `resetsAt` when there is ' +
      'room again.',
    toDo:
      'Wait until `resetsAt`, or ask the operator for a larger plan. Where `resetsAt` is null, delete what you do not ' +
      'need. The idempotency key is free.',
    details: { resource: 'messages', limit: 10_000, used: 10_000, resetsAt: '2026-02-01T00:00:00.000000Z' },
  },
  insufficient_scope: {
    means: 'The key is good, and was made without the scope that this operation needs (`details.required`).',
    toDo: 'Ask for a key with that scope. The scopes of a key cannot be changed.',
    details: { required: ['messages:send'] },
  },
  not_allowed: {
    means: 'The role of a person, or of a mailbox user, does not allow it. API keys are never answered so.',
    toDo: 'Ask an Owner of the organization to do it.',
  },
  not_signed_in: {
    means:
      'A request to the console or the webmail bears no session that is still good. It may have ended for its age, or because somebody ended it. API keys mean nothing there, and are never answered so.',
    toDo: 'Sign in.',
  },
  sign_in_again: {
    means:
      'What makes or shows a secret, or changes who may sign in, needs a sign-in no older than ten minutes. Only people in the console and the webmail are answered so, never API keys.',
    toDo: 'Prove who you are again with your password and code, or with a passkey, and repeat it.',
  },
  second_factor_required: {
    means:
      'An Owner of the organization requires a second factor of everybody with a role in it, and you have only a password. Only people in the console are answered so, never API keys.',
    toDo: 'Add an authenticator app or a passkey to your account.',
  },
  cross_site_refused: {
    means:
      'A request that changes something came to the console or the webmail from another site, or without a header that says where from. API keys are never answered so.',
    toDo: 'Use the pages of the console or the webmail. A program uses the API with a key.',
  },
  content_hidden: {
    means:
      'An Owner of the organization has hidden from people what messages say: text, HTML, source and attachments. Only people in the console are answered so, never API keys.',
    toDo: 'Look at the status and the timeline of the message, which stay. An Owner can let people see the rest, on the page Settings.',
  },
  mailbox_suspended: {
    means: 'The operator has suspended the mailbox. Its mail can be read, but it takes no send and no upload.',
    toDo: 'Ask the operator to resume it, or send from another mailbox.',
  },
  not_found: {
    means:
      'There is nothing there: no such path, or no such thing for this key. A thing of another organization or of the ' +
      'other environment, one that is deleted or expired, and an id that is malformed are all answered alike. For an ' +
      'id in the body, `details.field` names the field.',
    toDo:
      'Compare the path with the [reference](/docs), and the id with what the service gave you. Ask for production things ' +
      'with a production key, for those of a sandbox with the sandbox key that made them.',
  },
  method_not_allowed: {
    means: 'The path is right, and does not support this method.',
    toDo: 'Use one of the methods in the header `Allow`.',
  },
  request_timeout: {
    means: 'The request took too long to arrive: its headers 10 seconds, a body that pauses, or 120 seconds in all.',
    toDo: 'Send the whole request without pausing, on a new connection.',
  },
  idempotency_conflict: {
    means: 'The key was used within 24 hours for another operation, another target or another body.',
    toDo:
      'Use a new key for a new request. If this was meant as a retry, send exactly the body of the first time: a ' +
      'timestamp in it makes it another one.',
  },
  idempotency_pending: {
    means: 'The first request with this key is still running.',
    toDo: 'Ask again after the seconds in `Retry-After`, with the same key and body: you get the first answer.',
  },
  not_on_its_way: {
    means:
      'Only a message that still waits to be submitted to somebody can be tried now or cancelled. Only people in the console are answered so, never API keys.',
    toDo: 'Look at what became of its recipients. What has reached the relay cannot be taken back.',
  },
  being_submitted: {
    means:
      'A message is cancelled between two tries, and a worker has it at this moment. Only people in the console are answered so, never API keys.',
    toDo: 'Try again in a moment. If the relay takes it meanwhile, it is sent.',
  },
  endpoint_disabled: {
    means: 'The endpoint is disabled, by you or after ten failures in a row, so nothing can be delivered to it.',
    toDo:
      'Enable it (`PATCH /v1/webhook-endpoints/{endpointId}` with `{"enabled": true}`), then replay. See ' +
      '[webhooks](/docs/guides/webhooks).',
  },
  replay_running: {
    means:
      'What has died for this endpoint, or this application, is being replayed already, since this instant or another.',
    toDo:
      'Look how far it is (`GET /v1/webhook-replays/{replayId}`) and wait for its end, or stop it ' +
      '(`POST /v1/webhook-replays/{replayId}/stop`) and ask again. See [webhooks](/docs/guides/webhooks).',
  },
  draft_changed: {
    means:
      'Somebody has saved the draft since the version of which this is a change, in another tab or at another place. Only the webmail ' +
      'is answered so, never API keys.',
    toDo: 'Read the draft again, and save upon the version that it has now. Nothing was overwritten.',
    details: { version: 4, savedAt: '2026-01-01T09:00:00.000000Z', savedBy: 'ada@example.com' },
  },
  draft_due: {
    means:
      'What is about to be sent is neither changed nor discarded. Only the webmail is answered so, never API keys.',
    toDo: 'Take it back, then change it. If it has been sent meanwhile, it is a message.',
  },
  upload_expired: {
    means: 'Ten minutes have passed since the upload was prepared, and it was not completed.',
    toDo: 'Prepare the upload again with a new `Idempotency-Key`: the old key names the expired one.',
  },
  payload_too_large: {
    means: 'The body has more octets than the operation reads.',
    toDo: 'Send less. Large files go by a [direct upload](/docs/guides/attachments), not in JSON.',
  },
  attachment_too_large: {
    means: 'The file is larger than an attachment may be: 25 MiB, or 3 MiB in JSON.',
    toDo: 'Above 3 MiB use a [direct upload](/docs/guides/attachments); above 25 MiB send a link instead.',
  },
  message_too_large: {
    means: 'The whole message, with its files in base64, would have more than 25 MiB. A file grows by a third in it.',
    toDo: 'Attach fewer or smaller files, or send a link to them.',
  },
  unsupported_media_type: {
    means: 'The body is not marked as JSON, is compressed, or is in another charset than UTF-8.',
    toDo: 'Send `Content-Type: application/json` and no `Content-Encoding`.',
  },
  range_not_satisfiable: {
    means:
      'The range that was asked for begins behind the end of the file. The header `Content-Range` and ' +
      '`details.sizeBytes` say how many octets it has.',
    toDo: 'If you were continuing a download, it is complete. Otherwise ask for a range within the file.',
    details: { sizeBytes: 48_213 },
  },
  upload_mismatch: {
    means:
      'The bytes are not those that were announced. `details.mismatch` says in what: `size`, `mediaType` or `sha256`.',
    toDo:
      'Put the announced bytes with the headers that `upload.headers` gave, then complete again, while the upload lasts. ' +
      'If the announcement was wrong, prepare another upload.',
    details: { mismatch: ['sha256'] },
  },
  upload_missing: {
    means: 'The upload was completed before any bytes were put.',
    toDo: 'Put the bytes to `upload.url`, wait for its success, then complete.',
  },
  rate_limited: {
    means:
      'Too many requests in the window: from your address (`ip`), with this key (`key`) or by the organization (`tenant`). ' +
      '`details.limit` says which. Nothing was done.',
    toDo:
      'Wait for the seconds in `Retry-After`, plus a random moment, then ask again. Every answer says in ' +
      '`RateLimit-Remaining` how many are left. See [limits](/docs/guides/limits).',
    details: { limit: 'key' },
  },
  headers_too_large: {
    means: 'The headers of the request, its URL included, have more than 16 KiB.',
    toDo: 'Leave out cookies and other headers that the service does not read.',
  },
  internal_error: {
    means: 'A fault of the service. It is logged under the `requestId`.',
    toDo: 'Ask again, with the same idempotency key. If it happens again, give the operator the `requestId`.',
  },
  service_unavailable: {
    means: 'The database or the file store is away, or there is no room for another large body at the moment.',
    toDo: 'Ask again after the seconds in `Retry-After`, with the same idempotency key, and let the waits grow.',
  },
}

/** What somebody should know who was answered so. */
export function explain(code: ProblemCode): Explanation {
  return EXPLANATIONS[code]
}

/** The details of an example; undefined where it has none. */
export function exampleDetails(code: ProblemCode): Record<string, unknown> | undefined {
  return EXPLANATIONS[code].details
}

/** Where the service shows it. */
export function pageOfProblem(code: ProblemCode): string {
  return `/docs/errors/${code}`
}

/** Markdown of an explanation as a reader hears it, for what shows no Markdown. */
export function inPlainText(markdown: string): string {
  return markdown.replaceAll(/\[([^\]]+)\]\([^)]+\)/g, '$1').replaceAll('`', '')
}
