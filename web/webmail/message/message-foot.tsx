// What may be done with one message besides reading it: its source looked at, a file made of it, printed.
import { useState } from 'preact/hooks'
import type { OpenSource } from '../../../src/servers/webmail/content-schemas.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { useQuery } from '../../ui/query.ts'
import { Loaded } from '../../ui/states.tsx'
import { contentPath } from './message-data.ts'

interface Props {
  messageId: string
  isText: boolean
  /** Shows it as text, or as HTML again; undefined when it is one of them alone. */
  onText: (() => void) | undefined
}

export function MessageFoot({ messageId, isText, onText }: Props) {
  const [showsSource, setShowsSource] = useState(false)
  return (
    <div class="actions foot">
      {onText && (
        <button type="button" class="quiet small" onClick={onText}>
          {isText ? 'Show as HTML' : 'Show as text'}
        </button>
      )}
      <button type="button" class="quiet small" onClick={() => setShowsSource(true)}>
        View source
      </button>
      <a class="button quiet small" href={`${contentPath(messageId)}/raw`} download="">
        Download
      </a>
      <button type="button" class="quiet small" onClick={() => print()}>
        Print
      </button>
      {showsSource && <SourceDialog messageId={messageId} onClose={() => setShowsSource(false)} />}
    </div>
  )
}

function SourceDialog({ messageId, onClose }: { messageId: string; onClose(): void }) {
  const source = useQuery<OpenSource>(`${contentPath(messageId)}/source`)
  return (
    <Dialog title="Source" isWide onClose={onClose}>
      <Loaded query={source}>
        {({ source: text, isCut }) => (
          <div class="stack">
            {isCut && <p class="alert">Only the beginning is shown. Download it to see the whole.</p>}
            <section class="code" aria-label="Source">
              {/* biome-ignore lint/a11y/noNoninteractiveTabindex: whoever has no mouse scrolls it by the keyboard */}
              <pre tabIndex={0}>
                <code>{text}</code>
              </pre>
            </section>
          </div>
        )}
      </Loaded>
    </Dialog>
  )
}
