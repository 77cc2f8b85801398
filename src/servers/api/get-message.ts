// Shows a message whole.
import { problem } from '../../access/problem.ts'
import { IdParams } from '../../lib/schemas.ts'
import type { Db } from '../../lib/sql.ts'
import { readMessage } from '../../messages/read-message.ts'
import { MessageDetailAnswer } from '../../messages/schemas.ts'
import { AT, summary } from './contract/examples.ts'
import { defineOperation } from './operation.ts'

export default defineOperation(
  {
    name: 'getMessage',
    method: 'GET',
    path: '/v1/messages/:messageId',
    auth: 'key',
    scope: 'messages:read',
    params: IdParams('messageId'),
    answers: { 200: MessageDetailAnswer },
    words: {
      tag: 'Messages',
      summary: 'Get a message',
      description:
        'The whole message: bodies, headers, recipients with their outcomes, attachments and the tree of its MIME ' +
        'parts. A recipient that waits shows why in `diagnostic`, how often it was tried in `attempts`, and when it is ' +
        'tried again in `nextAttemptAt`. Bodies are cut after 1 MiB, and `textTruncated` or `htmlTruncated` says so.',
      examples: {
        answer: {
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
                attempts: 1,
                nextAttemptAt: null,
                complainedAt: null,
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
    },
  },
  ({ database }: { database: Db }) =>
    async (request) => {
      const message = await readMessage(database, request.actor, request.params.messageId)
      if (!message) throw problem('not_found')
      request.messageId = message.id
      return { message }
    },
)
