// What is said: in the editor, or as plain text.
import { useEffect, useRef, useState } from 'preact/hooks'
import type { DraftContent } from '../../../src/servers/webmail/draft-schemas.ts'
import { Ask } from '../../ui/ask.tsx'
import { lines } from './begin-draft.ts'
import { Editor, type EditorHandle } from './editor.tsx'

interface Props {
  content: Pick<DraftContent, 'format' | 'body'>
  isReadOnly: boolean
  isFile(id: string): boolean
  onChange(part: Partial<DraftContent>): void
  onImages(files: readonly File[]): void
  onReady(handle: EditorHandle): void
}

export function Body({ content: { format, body }, isReadOnly, isFile, onChange, onImages, onReady }: Props) {
  const handle = useRef<EditorHandle>(undefined)
  const [asks, setAsks] = useState(false)
  const ready = (editor: EditorHandle) => {
    handle.current = editor
    onReady(editor)
  }
  const toText = () =>
    onChange({ format: 'text', body: (handle.current?.text() ?? '').replace(/\u200b/g, '').trimEnd() })
  const switchFormat = () => {
    if (format === 'text') onChange({ format: 'html', body: lines(body) })
    else if (isPlain(body)) toText()
    else setAsks(true)
  }
  return (
    <div class="body">
      {format === 'html' ? (
        <Editor
          label="Message"
          html={body}
          isReadOnly={isReadOnly}
          isFile={isFile}
          onChange={(html) => onChange({ body: html })}
          onImages={onImages}
          onReady={ready}
        />
      ) : (
        <PlainText text={body} onChange={(text) => onChange({ body: text })} onReady={ready} />
      )}
      <label class="choice">
        <input
          type="checkbox"
          checked={format === 'text'}
          onClick={(event) => {
            // It is ticked when it is so.
            event.preventDefault()
            switchFormat()
          }}
        />
        <span>Plain text</span>
      </label>
      {asks && (
        <Ask
          title="Write it as plain text?"
          verb="Remove formatting"
          onYes={async () => toText()}
          onClose={() => setAsks(false)}
        >
          Formatting, links and images within the text are gone. The words stay.
        </Ask>
      )}
    </div>
  )
}

const isPlain = (html: string): boolean => !/<(?!\/?div>|br>)/i.test(html)

interface PlainTextProps {
  text: string
  onChange(text: string): void
  onReady(handle: EditorHandle): void
}

function PlainText({ text, onChange, onReady }: PlainTextProps) {
  const area = useRef<HTMLTextAreaElement>(null)
  useEffect(() => {
    onReady({
      focus: () => area.current?.focus(),
      insertImage: () => {},
      text: () => area.current?.value ?? '',
      body: () => area.current?.value ?? '',
    })
  }, [])
  return (
    <textarea
      ref={area}
      class="written"
      aria-label="Message"
      rows={14}
      dir="auto"
      value={text}
      onInput={({ currentTarget }) => onChange(currentTarget.value)}
    />
  )
}
