// The files of a message: each is downloaded, and what can be looked at without harm is looked at here.
import { useState } from 'preact/hooks'
import { bytesInWords } from '../../ui/bytes-in-words.ts'
import { plainWords } from '../../ui/plain-words.ts'
import { attachmentPath, contentPath } from './message-data.ts'
import { PreviewDialog } from './preview-dialog.tsx'
import type { Message } from './shapes.ts'

/** `isSuspect`: what is in them is not shown here. */
export function Attachments({ message, isSuspect }: { message: Message; isSuspect: boolean }) {
  const { id, attachments } = message
  const [previewed, setPreviewed] = useState<string>()
  // What the HTML shows stands where it belongs.
  const shown = attachments.filter(({ isInline }) => !isInline)
  const previews = shown.filter(({ preview }) => preview !== null)
  if (shown.length === 0) return null
  return (
    <section class="stack tight attachments" aria-label="Attachments">
      <div class="beside apart">
        <h3>{shown.length === 1 ? '1 attachment' : `${shown.length} attachments`}</h3>
        {shown.length > 1 && (
          <a class="button small" href={`${contentPath(id)}/attachments.zip`} download="">
            Download all
          </a>
        )}
      </div>
      <ul class="plain rows">
        {shown.map((file) => (
          <li key={file.id} class="beside apart">
            <div>
              <bdi class="file">{plainWords(file.filename)}</bdi>
              <br />
              <small>
                <bdi>{file.mediaType}</bdi>, {bytesInWords(file.sizeBytes)}
              </small>
            </div>
            <div class="actions">
              {file.preview !== null && !isSuspect && (
                <button type="button" class="small" onClick={() => setPreviewed(file.id)}>
                  Preview<span class="unseen"> {plainWords(file.filename)}</span>
                </button>
              )}
              <a class="button small" href={attachmentPath(id, file.id)} download="">
                Download<span class="unseen"> {plainWords(file.filename)}</span>
              </a>
            </div>
          </li>
        ))}
      </ul>
      {previewed !== undefined && (
        <PreviewDialog
          messageId={id}
          files={previews}
          shown={previewed}
          onShow={setPreviewed}
          onClose={() => setPreviewed(undefined)}
        />
      )}
    </section>
  )
}
