// Keys, a row each: what they may do, who made them, how they are used and until when they are good.
import type { ConsoleKey } from '../../../src/servers/console/app-schemas.ts'
import { Badge } from '../../ui/badge.tsx'
import { Time } from '../../ui/time.tsx'
import { isOwner } from '../place.ts'
import { calledOf, replacementOf, stateOf } from './key-state.ts'
import { Week } from './week.tsx'

interface KeysTableProps {
  keys: readonly ConsoleKey[]
  /** Of the application. */
  all: readonly ConsoleKey[]
  /** Absent: there is nothing to be done with them. */
  onAsk?(kind: 'revoke' | 'replace', key: ConsoleKey): void
}

export function KeysTable({ keys, all, onAsk }: KeysTableProps) {
  const hasActions = onAsk !== undefined && isOwner()
  return (
    <div class="table folds">
      <table>
        <thead>
          <tr>
            <th scope="col">Key</th>
            <th scope="col">Scopes</th>
            <th scope="col">Last used</th>
            <th scope="col">Requests, 7 days</th>
            <th scope="col">Expires</th>
            {hasActions && (
              <th scope="col">
                <span class="unseen">Actions</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {keys.map((key) => (
            <tr key={key.id}>
              <Named of={key} all={all} />
              <td data-label="Scopes">
                <Scopes scopes={key.scopes} />
              </td>
              <td data-label="Last used">{key.lastUsedAt ? <Time at={key.lastUsedAt} /> : 'Never'}</td>
              <td data-label="Requests, 7 days">
                <Week days={key.requests} />
              </td>
              <td data-label="Expires">
                <Expiry {...key} />
              </td>
              {hasActions && (
                <td class="actions-cell">
                  <Actions of={key} all={all} onAsk={onAsk} />
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Named({ of, all }: { of: ConsoleKey; all: readonly ConsoleKey[] }) {
  const replacement = stateOf(of, Date.now()) === 'revoked' ? undefined : replacementOf(of, all, Date.now())
  return (
    <th scope="row">
      <strong>
        <bdi>{of.name ?? 'Without a name'}</bdi>
      </strong>
      <br />
      <code>{of.prefix}…</code>
      <br />
      <small>
        Created <Time at={of.createdAt} />
        <Maker {...of} />
      </small>
      {replacement && (
        <>
          <br />
          {replacement.isUnused ? (
            <Badge tone="good">Replaced, no longer used</Badge>
          ) : (
            <Badge tone="warn">Replaced, still used</Badge>
          )}
        </>
      )}
    </th>
  )
}

function Scopes({ scopes }: Pick<ConsoleKey, 'scopes'>) {
  return (
    <ul class="plain scopes">
      {scopes.map((scope) => (
        <li key={scope}>{scope}</li>
      ))}
    </ul>
  )
}

function Maker({ madeBy }: Pick<ConsoleKey, 'madeBy'>) {
  if (!madeBy) return null
  return <> by {madeBy.kind === 'operator' ? 'the operator' : <bdi>{madeBy.name ?? 'somebody who has left'}</bdi>}</>
}

function Expiry(key: ConsoleKey) {
  const { expiresAt, revokedAt } = key
  switch (stateOf(key, Date.now())) {
    case 'revoked':
      return (
        <div>
          <Badge tone="bad">Revoked</Badge> {revokedAt && <Time at={revokedAt} />}
        </div>
      )
    case 'expired':
      return (
        <div>
          <Badge tone="bad">Expired</Badge> {expiresAt && <Time at={expiresAt} />}
        </div>
      )
    case 'expires_soon':
      return (
        <div>
          <Badge tone="warn">Soon</Badge> {expiresAt && <Time at={expiresAt} />}
        </div>
      )
    case 'good':
      return expiresAt ? <Time at={expiresAt} /> : <>Never</>
  }
}

function Actions({ of, all, onAsk }: { of: ConsoleKey } & Required<Pick<KeysTableProps, 'all' | 'onAsk'>>) {
  const replacement = replacementOf(of, all, Date.now())
  const called = <span class="unseen"> {calledOf(of)}</span>
  return (
    <>
      {!replacement && (
        <button type="button" class="quiet small" onClick={() => onAsk('replace', of)}>
          Replace{called}
        </button>
      )}
      <button
        type="button"
        class={replacement?.isUnused ? 'small danger' : 'quiet small danger'}
        onClick={() => onAsk('revoke', of)}
      >
        Revoke{called}
      </button>
    </>
  )
}
