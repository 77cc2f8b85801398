// What is in a message: fetched when it is opened, as each look leaves a record.
import { Fragment } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { MessageContent } from '../../../src/servers/console/message-schemas.ts'
import { MailFrame } from '../../ui/mail/mail-frame.tsx'
import { EmptyState, Loaded } from '../../ui/states.tsx'
import { here } from '../place.ts'
import { Attachments } from './attachments.tsx'
import { fetchImages, namedImages } from './inline-images.ts'
import { useOnce } from './use-once.ts'

export function ContentView({ messageId }: { messageId: string }) {
  const content = useOnce<MessageContent>(here(`/data/messages/${messageId}/content`))
  const fileAt = (id: string) => here(`/data/messages/${messageId}/attachments/${id}`)
  return <Loaded query={content}>{(shown) => <MailContent content={shown} fileAt={fileAt} />}</Loaded>
}

/** `fileAt`: where the bytes of an attachment are. */
export function MailContent({ content, fileAt }: { content: MessageContent; fileAt(id: string): string }) {
  const { headers, text, html, isCut, attachments } = content
  const [asText, setAsText] = useState(html === null)
  return (
    <div class="stack">
      {html !== null && text !== null && (
        <div class="actions">
          <button type="button" aria-pressed={!asText} onClick={() => setAsText(false)}>
            HTML
          </button>
          <button type="button" aria-pressed={asText} onClick={() => setAsText(true)}>
            Text
          </button>
        </div>
      )}
      {isCut && <p class="alert">Only the beginning is shown: the source has the whole message.</p>}
      {html !== null && !asText && <Html html={html} attachments={attachments} fileAt={fileAt} />}
      {asText && text !== null && (
        <pre class="card mail-text" dir="auto">
          {text}
        </pre>
      )}
      {html === null && text === null && <EmptyState title="No text">There is neither text nor HTML in it.</EmptyState>}
      {attachments.length > 0 && <Attachments attachments={attachments} fileAt={fileAt} />}
      <Headers headers={headers} />
    </div>
  )
}

/** Once the images within it are there. */
function Html({
  html,
  attachments,
  fileAt,
}: {
  html: string
  attachments: MessageContent['attachments']
  fileAt(id: string): string
}) {
  const [images, setImages] = useState<Record<string, string>>()
  useEffect(() => {
    let isShown = true
    void fetchImages(namedImages(html, attachments), ({ id }) => fileAt(id)).then(
      (found) => isShown && setImages(found),
    )
    return () => {
      isShown = false
    }
  }, [html])
  return images ? <MailFrame html={html} images={images} /> : <div class="loading" aria-busy="true" />
}

function Headers({ headers }: Pick<MessageContent, 'headers'>) {
  return (
    <details class="card">
      <summary>Headers ({headers.length})</summary>
      <dl class="facts">
        {headers.map(({ name, value }, i) => (
          <Fragment key={i}>
            <dt>{name}</dt>
            <dd>
              <bdi>{value}</bdi>
            </dd>
          </Fragment>
        ))}
      </dl>
    </details>
  )
}
