// Takes the bytes of a file that was announced. A user who sends many at once does not keep others from sending.
import type { MailboxUser } from '../../access/actor.ts'
import { problem } from '../../access/problem.ts'
import { putOwnUpload } from '../../attachments/own/put-own-upload.ts'
import { MAX_ATTACHMENT_BYTES } from '../../attachments/schemas.ts'
import type { TakeDeps } from '../../attachments/take-bytes.ts'
import { IdParams } from '../../lib/schemas.ts'
import { dataFor } from '../sessions/data.ts'

/** specification.md#uploads: of a user, in one process. */
const MOST_AT_ONCE = 4

export default dataFor<MailboxUser>()(
  {
    method: 'PUT',
    path: '/data/uploads/:uploadId/content',
    params: IdParams('uploadId'),
    body: 'stream',
    bodyLimitBytes: MAX_ATTACHMENT_BYTES,
    answer: null,
  },
  (deps: TakeDeps) => {
    const underWay = new Map<string, number>()
    return async ({ actor, params: { uploadId }, body }) => {
      const user = actor.mailboxUserId
      const others = underWay.get(user) ?? 0
      if (others >= MOST_AT_ONCE) {
        const details = { limit: 'uploads' }
        throw problem('rate_limited', { message: 'Four files come at once at most.', details, retryAfterSeconds: 1 })
      }
      underWay.set(user, others + 1)
      try {
        await putOwnUpload(deps, actor, uploadId, body)
      } finally {
        const left = (underWay.get(user) ?? 1) - 1
        if (left > 0) underWay.set(user, left)
        else underWay.delete(user)
      }
    }
  },
)
