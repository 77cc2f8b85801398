// A captured mail as it came, as a file.
import { Readable } from 'node:stream'
import { IdParams } from '../../lib/schemas.ts'
import { consoleData } from '../../servers/console/console-data.ts'
import { FILE } from '../../servers/sessions/sent-file.ts'
import type { CapturedMail } from './captured-mail.ts'

export default consoleData(
  { method: 'GET', path: '/data/captured/:captureId/raw', params: IdParams('captureId'), answer: FILE },
  ({ mail }: { mail: CapturedMail }) =>
    async ({ actor, params: { captureId } }) => {
      const { octets } = await mail.open(actor, captureId)
      const file = { filename: `${captureId}.eml`, mediaType: 'message/rfc822' }
      return { ...file, sizeBytes: octets.length, bytes: Readable.from([octets]) }
    },
)
