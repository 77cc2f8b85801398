// Looks at the files of a message, one after the other.

import { useState } from 'preact/hooks'
import { Dialog } from '../../ui/dialog.tsx'
import { plainWords } from '../../ui/plain-words.ts'
import { useQuery } from '../../ui/query.ts'
import { Loaded } from '../../ui/states.tsx'
import { attachmentPath } from './message-data.ts'
import { PdfPreview } from './pdf-preview.tsx'
import type { Attachment } from './shapes.ts'

interface Props {
  messageId: string
  /** Those that can be looked at. */
  files: readonly Attachment[]
  /** The id of the one that is. */
  shown: string
  onShow(id: string): void
  onClose(): void
}

export function PreviewDialog({ messageId, files, shown, onShow, onClose }: Props) {
  const at = files.findIndex(({ id }) => id === shown)
  const file = files[at]
  if (!file) return null
  const [before, after] = [files[at - 1], files[at + 1]]
  const turn = (event: KeyboardEvent) => {
    const next = { ArrowLeft: before, ArrowRight: after }[event.key]
    // Text is scrolled by the same keys.
    if (!next || (event.target as Element).closest('pre')) return
    event.preventDefault()
    onShow(next.id)
  }
  return (
    <Dialog title={plainWords(file.filename)} isWide onKeyDown={turn} onClose={onClose}>
      <div class="stack preview">
        <Preview key={file.id} file={file} path={`${attachmentPath(messageId, file.id)}/preview`} onEscape={onClose} />
        <div class="beside apart">
          <div class="actions">
            {files.length > 1 && (
              <>
                <button
                  type="button"
                  aria-disabled={before ? undefined : 'true'}
                  onClick={() => before && onShow(before.id)}
                >
                  Previous
                </button>
                <button
                  type="button"
                  aria-disabled={after ? undefined : 'true'}
                  onClick={() => after && onShow(after.id)}
                >
                  Next
                </button>
                <span class="soft" role="status">
                  {at + 1} of {files.length}
                </span>
              </>
            )}
          </div>
          <a class="button" href={attachmentPath(messageId, file.id)} download="">
            Download
          </a>
        </div>
      </div>
    </Dialog>
  )
}

function Preview({ file, path, onEscape }: { file: Attachment; path: string; onEscape(): void }) {
  const name = plainWords(file.filename)
  if (file.preview === 'image') return <ImagePreview name={name} path={path} />
  if (file.preview === 'pdf') return <PdfPreview name={name} path={path} onEscape={onEscape} />
  return <TextPreview path={path} />
}

const NOT_SHOWN = 'This cannot be shown. Download it to see it.'

function ImagePreview({ name, path }: { name: string; path: string }) {
  const [state, setState] = useState<'waits' | 'there' | 'fault'>('waits')
  if (state === 'fault') return <p class="alert">{NOT_SHOWN}</p>
  return (
    <img
      class="preview"
      src={path}
      alt={name}
      aria-busy={state === 'waits' ? 'true' : undefined}
      onLoad={() => setState('there')}
      onError={() => setState('fault')}
    />
  )
}

function TextPreview({ path }: { path: string }) {
  const text = useQuery<{ text: string; isCut: boolean }>(path)
  return (
    <Loaded query={text}>
      {(shown) => (
        <>
          {shown.isCut && <p class="alert">Only the beginning is shown. Download it to see the whole.</p>}
          <section class="code" aria-label="Text">
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: whoever has no mouse scrolls it by the keyboard */}
            <pre tabIndex={0} dir="auto">
              <code>{shown.text}</code>
            </pre>
          </section>
        </>
      )}
    </Loaded>
  )
}
