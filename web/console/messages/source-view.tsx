// A message as it was sent or received: fetched when it is opened, as each look leaves a record.
import type { ShownSource } from '../../../src/servers/console/message-schemas.ts'
import { EmptyState, Loaded } from '../../ui/states.tsx'
import { here } from '../place.ts'
import { useOnce } from './use-once.ts'

interface Props {
  messageId: string
  /** Null until the message is built. */
  sizeBytes: number | null
}

export function SourceView({ messageId, sizeBytes }: Props) {
  if (sizeBytes === null) {
    return <EmptyState title="Not built yet">The message is put together when it is first submitted.</EmptyState>
  }
  return <MailSource at={`/data/messages/${messageId}`} />
}

/** `at`: where the data of the mail is. */
export function MailSource({ at }: { at: string }) {
  const source = useOnce<ShownSource>(here(`${at}/source`))
  return (
    <Loaded query={source}>
      {({ text, isCut }) => (
        <div class="stack">
          <div class="actions">
            <a class="button" href={here(`${at}/raw`)} download>
              Download
            </a>
          </div>
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
  )
}
