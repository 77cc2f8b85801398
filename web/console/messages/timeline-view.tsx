// What became of a message: where each recipient stands, and what happened, in order.
import type { ShownMessage } from '../../../src/servers/console/message-schemas.ts'
import { Badge } from '../../ui/badge.tsx'
import { CopyId } from '../../ui/copy.tsx'
import { meaningOf, saidBy } from '../../ui/reply-words.ts'
import { EmptyState } from '../../ui/states.tsx'
import { Time } from '../../ui/time.tsx'
import { nameOfStatus, toneOf } from '../words.ts'
import { entryOf, type Said } from './timeline-words.ts'

export function TimelineView({ message: { recipients, timeline } }: { message: ShownMessage }) {
  return (
    <div class="stack">
      {recipients.length > 0 && <Recipients recipients={recipients} />}
      <section class="card stack" aria-labelledby="timeline-title">
        <h2 id="timeline-title">What happened</h2>
        {timeline.isCut && <p class="alert">There is more than this: of what is older, only the outcomes are here.</p>}
        {timeline.items.length === 0 && (
          <EmptyState title="Nothing is known">
            What happened to it was so long ago that its events are gone.
          </EmptyState>
        )}
        <ol class="plain timeline">
          {timeline.items.map((item, i) => (
            <Entry key={i} item={item} />
          ))}
        </ol>
      </section>
    </div>
  )
}

function Recipients({ recipients }: Pick<ShownMessage, 'recipients'>) {
  return (
    <div class="table folds">
      <table>
        <thead>
          <tr>
            <th scope="col">Recipient</th>
            <th scope="col">Status</th>
            <th scope="col">What was said</th>
            <th scope="col">Attempts</th>
          </tr>
        </thead>
        <tbody>
          {recipients.map(({ address, kind, status, smtpCode, enhancedCode, diagnostic, attempts, nextAttemptAt }) => {
            const reply = { smtpCode, enhancedCode, text: diagnostic }
            return (
              <tr key={address}>
                <th scope="row" class="words">
                  <bdi>{address}</bdi> {kind !== 'to' && <span class="soft">({kind})</span>}
                </th>
                <td data-label="Status">
                  <Badge tone={toneOf(status)}>{nameOfStatus(status)}</Badge>
                </td>
                <td data-label="What was said" class="words">
                  <Words meaning={meaningOf(reply)} words={saidBy(reply)} />
                </td>
                <td data-label="Attempts">
                  {attempts}
                  {nextAttemptAt !== null && (
                    <span class="soft">
                      , next <Time at={nextAttemptAt} />
                    </span>
                  )}
                </td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </div>
  )
}

/** What it means, and as it was said. */
function Words({ meaning, words }: Pick<Said, 'meaning' | 'words'>) {
  return (
    <span class="said">
      {meaning && <strong>{meaning}</strong>}
      {words ? <q>{words}</q> : <span class="soft">–</span>}
    </span>
  )
}

function Entry({ item }: { item: ShownMessage['timeline']['items'][number] }) {
  const { at, since, what, tone, said, nextAt } = entryOf(item)
  return (
    <li>
      <div class="beside apart">
        <Badge tone={tone}>{what}</Badge>
        <span class="soft">
          {since && (
            <>
              <Time at={since} /> to{' '}
            </>
          )}
          <Time at={at} />
        </span>
      </div>
      {said.map(({ recipients, outcome, meaning, words }) => (
        <p key={recipients.join()} class="words">
          {recipients.length > 0 && <Whom recipients={recipients} />}
          {outcome && `${outcome}. `}
          {(meaning ?? words) !== undefined && <Words meaning={meaning} words={words} />}
        </p>
      ))}
      {nextAt && (
        <p class="soft">
          Next attempt <Time at={nextAt} />, at the latest
        </p>
      )}
      {item.kind === 'accepted' && item.request && <Request request={item.request} />}
    </li>
  )
}

/** Of a long list the first. */
const MOST_NAMED = 5

function Whom({ recipients }: Pick<Said, 'recipients'>) {
  const more = recipients.length - MOST_NAMED
  return (
    <span class="soft" title={recipients.join(', ')}>
      <bdi>{recipients.slice(0, MOST_NAMED).join(', ')}</bdi>
      {more > 0 && ` and ${more} more`}:{' '}
    </span>
  )
}

type Accepted = Extract<ShownMessage['timeline']['items'][number], { kind: 'accepted' }>

function Request({ request }: { request: NonNullable<Accepted['request']> }) {
  const { key: by, requestId, clientAddress, userAgent } = request
  return (
    <p class="beside soft">
      <span>
        {by && (
          <>
            With key <bdi>{by.name ?? by.id}</bdi>
          </>
        )}
        {clientAddress && ` from ${clientAddress}`}
      </span>
      {userAgent && (
        <span class="clip" title={userAgent}>
          by <bdi>{userAgent}</bdi>
        </span>
      )}
      {requestId && (
        <span>
          Request <CopyId id={requestId} label="request id" />
        </span>
      )}
    </p>
  )
}
