// Gives a URL for the bytes of an attachment, so that they do not pass through JSON.
import { type DownloadDeps, downloadUrl } from '../../attachments/download-url.ts'
import { AttachmentDownload } from '../../attachments/schemas.ts'
import { IdParams } from '../../lib/schemas.ts'
import { AT, SHA256 } from './contract/examples.ts'
import { defineOperation } from './operation.ts'

export default defineOperation(
  {
    name: 'getAttachmentDownloadUrl',
    method: 'GET',
    path: '/v1/attachments/:attachmentId/download-url',
    auth: 'key',
    scope: 'attachments:read',
    params: IdParams('attachmentId'),
    answers: { 200: AttachmentDownload },
    words: {
      tag: 'Attachments',
      summary: 'Get a download URL',
      description:
        'A URL that returns the bytes to a GET without the API key for sixty seconds. It is a secret for that ' +
        'time. Each call checks again whether the attachment is available.',
      examples: {
        answer: {
          url: 'https://mail.example.com/v1/blobs/AQAAAAE',
          expiresAt: AT,
          filename: 'invoice.pdf',
          mediaType: 'application/pdf',
          sizeBytes: 48213,
          sha256: SHA256,
        },
      },
    },
  },
  (deps: DownloadDeps) =>
    async ({ actor, params: { attachmentId } }) =>
      downloadUrl(deps, actor, attachmentId),
)
