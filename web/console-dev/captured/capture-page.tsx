// One captured mail: what is in it, and its source, with the envelope by which it went.
import type { ComponentChildren } from 'preact'
import type { ShownCapture } from '../../../src/dev/captured/schemas.ts'
import { MailContent } from '../../console/messages/content-view.tsx'
import { Addresses } from '../../console/messages/message-page.tsx'
import { NO_SUBJECT } from '../../console/messages/message-table.tsx'
import { MailSource } from '../../console/messages/source-view.tsx'
import { here } from '../../console/place.ts'
import { bytesInWords } from '../../ui/bytes-in-words.ts'
import { Page } from '../../ui/page.tsx'
import { useQuery } from '../../ui/query.ts'
import { Loaded } from '../../ui/states.tsx'
import { Time } from '../../ui/time.tsx'
import { Views, viewShown } from '../../ui/views.tsx'

const VIEWS = [
  ['content', 'Content'],
  ['source', 'Source'],
] as const

export function CapturePage({ captureId = '' }: Record<string, string>) {
  const at = `/data/captured/${encodeURIComponent(captureId)}`
  const capture = useQuery<ShownCapture>(here(at))
  const { data } = capture
  return (
    <Page title={data ? data.subject.trim() || NO_SUBJECT : 'Captured mail'} product="Console">
      <Loaded query={capture}>
        {(shown) => (
          <div class="stack message">
            <Head {...shown} />
            <Views label="Captured mail" views={VIEWS} />
            {viewShown(VIEWS) === 'source' ? (
              <MailSource at={at} />
            ) : (
              <MailContent content={shown.content} fileAt={(id) => here(`${at}/file?part=${encodeURIComponent(id)}`)} />
            )}
          </div>
        )}
      </Loaded>
    </Page>
  )
}

function Head({ from, to, cc, sender, recipients, capturedAt, sizeBytes, messageId }: ShownCapture) {
  return (
    <dl class="card facts">
      <Fact name="From">{from && <Addresses addresses={[from]} />}</Fact>
      <Fact name="To">{to.length > 0 && <Addresses addresses={to} />}</Fact>
      {cc.length > 0 && (
        <Fact name="Cc">
          <Addresses addresses={cc} />
        </Fact>
      )}
      <Fact name="Envelope sender">{sender !== '' && <bdi>{sender}</bdi>}</Fact>
      <Fact name="Envelope recipients">
        <bdi>{recipients.join(', ')}</bdi>
      </Fact>
      <Fact name="Captured">
        <Time at={capturedAt} />
        <span class="soft">, {bytesInWords(sizeBytes)}</span>
      </Fact>
      <Fact name="Message">
        {messageId ? (
          <a href={`/messages/${messageId}`}>What became of it</a>
        ) : (
          'None: the service itself has mailed it'
        )}
      </Fact>
    </dl>
  )
}

function Fact({ name, children }: { name: string; children: ComponentChildren }) {
  return (
    <>
      <dt>{name}</dt>
      <dd class="words">{children || '–'}</dd>
    </>
  )
}
