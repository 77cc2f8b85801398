// Each time that mail to one address came back, or that it complained, with the message.
import type { BouncesOfAddress as Bounces } from '../../../src/servers/console/suppression-schemas.ts'
import { Badge } from '../../ui/badge.tsx'
import { useQuery } from '../../ui/query.ts'
import { reasonOf } from '../../ui/reply-words.ts'
import { Loaded } from '../../ui/states.tsx'
import { Time } from '../../ui/time.tsx'
import { NO_SUBJECT } from '../messages/message-table.tsx'
import { here } from '../place.ts'
import { lookAgain } from './look-again.ts'

type ListedBounce = Bounces['items'][number]

export function BouncesOfAddress({ address }: { address: string }) {
  const bounces = useQuery<Bounces>(here(`/data/bounces/messages?recipient=${encodeURIComponent(address)}`), (shown) =>
    lookAgain(shown?.items.length ?? 0),
  )
  return (
    <Loaded query={bounces}>
      {({ items }) =>
        items.length > 0 && (
          <section class="stack" aria-labelledby="bounces-title">
            <h2 id="bounces-title">From which messages</h2>
            <div class="table folds bounces">
              <table>
                <thead>
                  <tr>
                    <th scope="col">Message</th>
                    <th scope="col">What happened</th>
                    <th scope="col">What was said</th>
                    <th scope="col">Time</th>
                  </tr>
                </thead>
                <tbody>
                  {items.map((bounce) => (
                    <Row key={bounce.id} bounce={bounce} />
                  ))}
                </tbody>
              </table>
            </div>
          </section>
        )
      }
    </Loaded>
  )
}

function Row({ bounce: { kind, at, messageId, subject, diagnostic: text, ...answer } }: { bounce: ListedBounce }) {
  const words = reasonOf({ ...answer, text })
  return (
    <tr>
      <th scope="row">
        {subject === null ? (
          <span class="soft">A message that is gone</span>
        ) : (
          <a class="row-link clip" href={here(`/messages/${messageId}`)} title={subject}>
            <bdi>{subject.trim() === '' ? NO_SUBJECT : subject}</bdi>
          </a>
        )}
      </th>
      <td data-label="What happened">
        <Badge tone="bad">{kind === 'bounced' ? 'Bounced' : 'Complained'}</Badge>
      </td>
      <td data-label="What was said">
        {words ? (
          <span class="words">
            <bdi>{words}</bdi>
            {text && text !== words && (
              <>
                <br />
                <small>
                  <bdi>{text}</bdi>
                </small>
              </>
            )}
          </span>
        ) : (
          '–'
        )}
      </td>
      <td data-label="Time">
        <Time at={at} />
      </td>
    </tr>
  )
}
