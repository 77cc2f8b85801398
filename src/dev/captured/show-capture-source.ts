// The beginning of a captured mail as it came.
import { IdParams } from '../../lib/schemas.ts'
import { consoleData } from '../../servers/console/console-data.ts'
import { ShownSource } from '../../servers/console/message-schemas.ts'
import { MOST_SHOWN_BYTES } from '../../servers/console/show-message-source.ts'
import type { CapturedMail } from './captured-mail.ts'

export default consoleData(
  { method: 'GET', path: '/data/captured/:captureId/source', params: IdParams('captureId'), answer: ShownSource },
  ({ mail }: { mail: CapturedMail }) =>
    async ({ actor, params }) => {
      const { octets } = await mail.open(actor, params.captureId)
      const text = octets.subarray(0, MOST_SHOWN_BYTES).toString('utf8')
      return { text, isCut: octets.length > MOST_SHOWN_BYTES, sizeBytes: octets.length }
    },
)
