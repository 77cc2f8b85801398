// Addresses that bounced, complained or are stopped, a row each.
import type { ListedAddress } from '../../../src/servers/console/suppression-schemas.ts'
import { attempt } from '../../ui/attempt.ts'
import { Badge } from '../../ui/badge.tsx'
import { reasonOf } from '../../ui/reply-words.ts'
import { Time } from '../../ui/time.tsx'
import { here, isOwner } from '../place.ts'
import { stopInWords, timesInWords } from './stop-words.ts'
import { letBack, stopMailing } from './stops.ts'

export function AddressTable({ addresses }: { addresses: readonly ListedAddress[] }) {
  return (
    <div class="table folds bounces">
      <table>
        <thead>
          <tr>
            <th scope="col">Address</th>
            <th scope="col">What was said</th>
            <th scope="col">Mail to it</th>
            <th scope="col">Last</th>
            {isOwner() && (
              <th scope="col">
                <span class="unseen">Actions</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {addresses.map((address) => (
            <tr key={address.address}>
              <Row address={address} />
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Row({ address }: { address: ListedAddress }) {
  const { last, lastAt } = address
  const times = timesInWords(address)
  return (
    <>
      <th scope="row">
        <a
          class="row-link clip"
          href={here(`/bounces?recipient=${encodeURIComponent(address.address)}`)}
          title={address.address}
        >
          <bdi>{address.address}</bdi>
        </a>
        {times && <small>{times}</small>}
      </th>
      <td data-label="What was said">{last ? <Said last={last} /> : '–'}</td>
      <td data-label="Mail to it">
        <Standing address={address} />
      </td>
      <td data-label="Last">
        {last && lastAt ? (
          <a href={here(`/messages/${last.messageId}`)} title="The message">
            <Time at={lastAt} />
            <span class="unseen"> message to {address.address}</span>
          </a>
        ) : (
          '–'
        )}
      </td>
      {isOwner() && (
        <td class="actions-cell">
          <Action address={address} />
        </td>
      )}
    </>
  )
}

function Said({ last }: { last: NonNullable<ListedAddress['last']> }) {
  if (last.kind === 'complained') return <>Complained</>
  const words = reasonOf({ ...last, text: last.diagnostic }) ?? 'Nothing'
  return (
    <span class="words" title={last.diagnostic ?? words}>
      <bdi>{words}</bdi>
    </span>
  )
}

function Standing({ address: { stopped } }: { address: ListedAddress }) {
  if (!stopped) return <Badge>Not stopped</Badge>
  return (
    <span class="said">
      <Badge tone="warn">Stopped</Badge>
      <small class="words">
        <Time at={stopped.at} /> <bdi>{stopInWords(stopped)}</bdi>
        {stopped.note && (
          <>
            : <bdi>{stopped.note}</bdi>
          </>
        )}
      </small>
    </span>
  )
}

function Action({ address }: { address: ListedAddress }) {
  const of = <span class="unseen"> {address.address}</span>
  return address.stopped ? (
    <button type="button" class="quiet small" onClick={() => attempt(() => letBack(address))}>
      Let back{of}
    </button>
  ) : (
    <button type="button" class="quiet small" onClick={() => attempt(() => stopMailing(address.address))}>
      Stop mailing{of}
    </button>
  )
}
