// A file of a captured mail.
import { Readable } from 'node:stream'
import { absent } from '../../access/problem.ts'
import { Type } from '../../lib/schema-types.ts'
import { Closed, IdParams } from '../../lib/schemas.ts'
import { consoleData } from '../../servers/console/console-data.ts'
import { FILE } from '../../servers/sessions/sent-file.ts'
import type { CapturedMail } from './captured-mail.ts'

export default consoleData(
  {
    method: 'GET',
    path: '/data/captured/:captureId/file',
    params: IdParams('captureId'),
    query: Closed({ part: Type.String({ maxLength: 500 }) }),
    answer: FILE,
  },
  ({ mail }: { mail: CapturedMail }) =>
    async ({ actor, params, query }) => {
      const { parsed } = await mail.read(actor, params.captureId)
      const file = parsed.attachments.find((attachment) => attachment.partId === query.part)
      if (!file) throw absent('attachment')
      const { filename, mediaType, sizeBytes, content } = file
      return { filename, mediaType, sizeBytes, bytes: Readable.from([content]) }
    },
)
