// What is quoted below: folded, in the frame for strangers' HTML, until it is left out or becomes text of one's own.
import { useEffect, useState } from 'preact/hooks'
import type { DraftContent } from '../../../src/servers/webmail/draft-schemas.ts'
import { attempt } from '../../ui/attempt.ts'
import { MailFrame } from '../../ui/mail/mail-frame.tsx'
import { open } from '../../ui/request.ts'
import { imagePath, shownIn } from './clean-body.ts'

interface Props {
  quote: NonNullable<DraftContent['quote']>
  fileIds: readonly string[]
  onRemove(): void
  onText(): Promise<void>
}

export function Quoted({ quote: { html, attribution }, fileIds, onRemove, onText }: Props) {
  const [isOpen, setOpen] = useState(false)
  return (
    <section class="quote stack tight" aria-label="Quoted text">
      <div class="actions">
        <button type="button" class="small" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? 'Hide quoted text' : 'Show quoted text'}
        </button>
        <button type="button" class="quiet small" onClick={() => attempt(onText)}>
          Edit as text
        </button>
        <button type="button" class="quiet small" onClick={onRemove}>
          Remove quoted text
        </button>
      </div>
      {isOpen && (
        <>
          <p class="soft" dir="auto">
            {attribution}
          </p>
          <QuotedHtml html={html} fileIds={fileIds} />
        </>
      )}
    </section>
  )
}

function QuotedHtml({ html, fileIds }: { html: string; fileIds: readonly string[] }) {
  const [images, setImages] = useState<Readonly<Record<string, string>>>({})
  const wanted = [...shownIn(html)].filter((id) => fileIds.includes(id)).join()
  // The frame has no cookie, and is handed what it shows.
  useEffect(() => {
    const left = new AbortController()
    const fetched = wanted
      .split(',')
      .filter(Boolean)
      .map(async (id) => [id, await asData(imagePath(id), left.signal)])
    Promise.all(fetched).then(
      (entries) => setImages(Object.fromEntries(entries)),
      () => {},
    )
    return () => left.abort()
  }, [wanted])
  return <MailFrame html={html} images={images} title="Quoted text" />
}

async function asData(path: string, signal: AbortSignal): Promise<string> {
  const file = await (await open(path, { signal })).blob()
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const reader = new FileReader()
  reader.onload = () => resolve(String(reader.result))
  reader.onerror = () => reject(reader.error)
  reader.readAsDataURL(file)
  return promise
}
