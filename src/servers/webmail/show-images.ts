// Users ask for images that a message names and somebody else has.
import type { MailboxUser } from '../../access/actor.ts'
import type { Network } from '../../lib/network.ts'
import { checkUrl } from '../../lib/public-fetch/url.ts'
import { IdParams } from '../../lib/schemas.ts'
import type { Database } from '../../lib/sql.ts'
import type { ImageLinks } from '../../messages/own/image-links.ts'
import { requireRemoteImages } from '../../messages/own/require-remote-images.ts'
import { dataFor } from '../sessions/data.ts'
import { ShownImages, WantedImages } from './content-schemas.ts'

/** 200 URLs of the longest. */
const BODY_LIMIT_BYTES = 1024 * 1024

export default dataFor<MailboxUser>()(
  {
    method: 'POST',
    path: '/data/messages/:messageId/images',
    params: IdParams('messageId'),
    body: WantedImages,
    bodyLimitBytes: BODY_LIMIT_BYTES,
    answer: ShownImages,
  },
  ({ database, imageLinks, imageAllow }: { database: Database; imageLinks: ImageLinks; imageAllow: Network[] }) =>
    async ({ actor, session: { sessionId }, params: { messageId }, body }) => {
      await requireRemoteImages(database, actor, messageId)
      // Those that would never be fetched stay as they are.
      const fetchable = body.urls.filter((url) => checkUrl(url, imageAllow, true).ok)
      const pathOf = (image: string) => imageLinks.pathOf('remote', { sessionId, messageId, image })
      return { images: Object.fromEntries(fetchable.map((url) => [url, pathOf(url)])) }
    },
)
