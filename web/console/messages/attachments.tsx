// The files of a message: they are downloaded, and never shown.
import type { MessageContent } from '../../../src/servers/console/message-schemas.ts'
import { bytesInWords } from '../../ui/bytes-in-words.ts'

interface Props extends Pick<MessageContent, 'attachments'> {
  /** Where the bytes of one are. */
  fileAt(id: string): string
}

export function Attachments({ attachments, fileAt }: Props) {
  return (
    <section class="card stack tight" aria-labelledby="attachments-title">
      <h2 id="attachments-title">Attachments</h2>
      <ul class="plain rows">
        {attachments.map(({ id, filename, mediaType, sizeBytes }) => (
          <li key={id} class="beside apart">
            <a href={fileAt(id)} download>
              <bdi>{filename}</bdi>
            </a>
            <span class="soft">
              {mediaType}, {bytesInWords(sizeBytes)}
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}
