// A message: what became of it, what is in it, and what may be done with it.
import { Fragment } from 'preact'
import type { ShownMessage } from '../../../src/servers/console/message-schemas.ts'
import { Badge } from '../../ui/badge.tsx'
import { bytesInWords } from '../../ui/bytes-in-words.ts'
import { CopyId } from '../../ui/copy.tsx'
import { Page } from '../../ui/page.tsx'
import { useQuery } from '../../ui/query.ts'
import { reasonOf } from '../../ui/reply-words.ts'
import { Loaded } from '../../ui/states.tsx'
import { Time } from '../../ui/time.tsx'
import { Views, viewShown } from '../../ui/views.tsx'
import { here } from '../place.ts'
import { nameOfStatus, toneOf } from '../words.ts'
import { ContentView } from './content-view.tsx'
import { EventsView } from './events-view.tsx'
import { MessageActions } from './message-actions.tsx'
import { NO_SUBJECT } from './message-table.tsx'
import { SourceView } from './source-view.tsx'
import { TimelineView } from './timeline-view.tsx'
import { waitOf } from './timeline-words.ts'
import { WhereSeen } from './where-seen.tsx'

const VIEWS = [
  ['timeline', 'Timeline'],
  ['content', 'Content'],
  ['source', 'Source'],
  ['events', 'Events'],
] as const

export function MessagePage({ messageId = '' }: Record<string, string>) {
  const message = useQuery<ShownMessage>(here(`/data/messages/${encodeURIComponent(messageId)}`))
  const { data } = message
  const title = data ? data.subject.trim() || NO_SUBJECT : 'Message'
  return (
    <Page title={title} product="Console" actions={data && <MessageActions message={data} />}>
      <Loaded query={message}>
        {(shown) => (
          <div class="stack message">
            <Head message={shown} />
            <Views label="Message" views={VIEWS} />
            <View message={shown} />
          </div>
        )}
      </Loaded>
    </Page>
  )
}

function View({ message }: { message: ShownMessage }) {
  switch (viewShown(VIEWS)) {
    case 'timeline':
      return <TimelineView message={message} />
    case 'content':
      return (
        <WhereSeen>
          <ContentView messageId={message.id} />
        </WhereSeen>
      )
    case 'source':
      return (
        <WhereSeen>
          <SourceView messageId={message.id} sizeBytes={message.sizeBytes} />
        </WhereSeen>
      )
    case 'events':
      return <EventsView messageId={message.id} />
  }
}

function Head({ message }: { message: ShownMessage }) {
  const { id, direction, from, to, cc, bcc, createdAt, messageId, sizeBytes } = message
  return (
    <div class="card stack">
      <Standing message={message} />
      <dl class="facts">
        <dt>From</dt>
        <dd>{from ? <Addresses addresses={[from]} /> : '–'}</dd>
        {(
          [
            ['To', to],
            ['Cc', cc],
            ['Bcc', bcc],
          ] as const
        ).map(
          ([words, addresses]) =>
            addresses.length > 0 && (
              <Fragment key={words}>
                <dt>{words}</dt>
                <dd>
                  <Addresses addresses={addresses} />
                </dd>
              </Fragment>
            ),
        )}
        <dt>{direction === 'inbound' ? 'Received' : 'Accepted'}</dt>
        <dd>
          <Time at={createdAt} />
          {sizeBytes !== null && <span class="soft">, {bytesInWords(sizeBytes)}</span>}
        </dd>
        <dt>Id</dt>
        <dd>
          <CopyId id={id} label="message id" />
        </dd>
        {messageId && (
          <>
            <dt>Message-ID</dt>
            <dd>
              <CopyId id={messageId} label="Message-ID" />
            </dd>
          </>
        )}
      </dl>
    </div>
  )
}

/** Its status, the reason of it, and what it waits for. */
function Standing({ message: { status, recipients, timeline } }: { message: ShownMessage }) {
  const alike = recipients.filter((recipient) => recipient.status === status)
  const reasons =
    status === 'delivered' || status === 'sent' ? [] : alike.flatMap((recipient) => reasonFor(recipient) ?? [])
  const { waiting, isHeld } = timeline
  return (
    <div class="beside">
      <Badge tone={toneOf(status)}>{nameOfStatus(status)}</Badge>
      {reasons[0] && (
        <strong class="words">
          <bdi>{reasons[0]}</bdi>
        </strong>
      )}
      {recipients.length > 1 && alike.length > 0 && (
        <span class="soft">
          {alike.length} of {recipients.length} recipients
        </span>
      )}
      {isHeld && <Badge tone="warn">Held</Badge>}
      {waiting && (
        <span>
          {waitOf(waiting)}
          {waiting.until !== null && (
            <>
              {' '}
              Until <Time at={waiting.until} />, at the latest.
            </>
          )}
        </span>
      )}
    </div>
  )
}

const reasonFor = ({ smtpCode, enhancedCode, diagnostic }: ShownMessage['recipients'][number]) =>
  reasonOf({ smtpCode, enhancedCode, text: diagnostic })

export function Addresses({ addresses }: { addresses: ShownMessage['to'] }) {
  return (
    <>
      {addresses.map(({ address, name }, i) => (
        <span key={address}>
          {i > 0 && ', '}
          <bdi>{name ? `${name} <${address}>` : address}</bdi>
        </span>
      ))}
    </>
  )
}
