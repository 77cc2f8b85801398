// All mail that went to the relay of `mdk dev`, newest first: of messages, and of the service's own, as invitations.
import type { ListedCapture } from '../../../src/dev/captured/schemas.ts'
import { NO_SUBJECT } from '../../console/messages/message-table.tsx'
import { here } from '../../console/place.ts'
import { List } from '../../ui/list.tsx'
import { Page } from '../../ui/page.tsx'
import { usePages } from '../../ui/query.ts'
import { EmptyState } from '../../ui/states.tsx'
import { Time } from '../../ui/time.tsx'

/** Of mail that belongs to no message there is no event. */
const LOOK_EVERY_MS = 1_000

export function CapturesPage() {
  const captures = usePages<ListedCapture>(here('/data/captured'), () => LOOK_EVERY_MS)
  return (
    <Page title="Captured mail" product="Console">
      <div class="stack">
        <p class="soft">
          What went to the relay of mdk dev, which keeps it and sends it nowhere. Mail of a sandbox goes to no relay: it
          is among the sandbox’s messages.
        </p>
        <List
          pages={captures}
          empty={
            <EmptyState title="Nothing captured yet">
              Send a message with the live key, and it shows here within a second.
            </EmptyState>
          }
        >
          {(items) => <CaptureTable captures={items} />}
        </List>
      </div>
    </Page>
  )
}

function CaptureTable({ captures }: { captures: readonly ListedCapture[] }) {
  return (
    <div class="table folds messages">
      <table>
        <thead>
          <tr>
            <th scope="col">Subject</th>
            <th scope="col">From</th>
            <th scope="col">To</th>
            <th scope="col">Time</th>
          </tr>
        </thead>
        <tbody>
          {captures.map((capture) => (
            <Row key={capture.id} {...capture} />
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Row({ id, subject, from, recipients: [first = '–', ...others], capturedAt }: ListedCapture) {
  return (
    <tr>
      <th scope="row">
        <a class="row-link clip" href={here(`/captured/${id}`)} title={subject}>
          <bdi>{subject.trim() === '' ? NO_SUBJECT : subject}</bdi>
        </a>
      </th>
      <td data-label="From">
        <span class="clip" title={from?.address}>
          <bdi>{from?.address ?? '–'}</bdi>
        </span>
      </td>
      <td data-label="To">
        <span class="first-of">
          <bdi class="clip">{first}</bdi>
          {others.length > 0 && <span class="soft">+{others.length}</span>}
        </span>
      </td>
      <td data-label="Time">
        <Time at={capturedAt} />
      </td>
    </tr>
  )
}
