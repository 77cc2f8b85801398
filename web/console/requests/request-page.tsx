// One refused request: what it was, why it was refused, and what to do about it.
import type { RefusedRequestView } from '../../../src/servers/console/request-schemas.ts'
import { Badge } from '../../ui/badge.tsx'
import { CopyId } from '../../ui/copy.tsx'
import { Page } from '../../ui/page.tsx'
import { useQuery } from '../../ui/query.ts'
import { Loaded } from '../../ui/states.tsx'
import { Time } from '../../ui/time.tsx'
import { here } from '../place.ts'
import { durationInWords, keyInWords, toneOfStatus } from './request-words.ts'

export function RequestPage({ requestId = '' }: Record<string, string>) {
  const query = useQuery<RefusedRequestView>(here(`/data/requests/${requestId}`))
  return (
    <Page title="Refused request" product="Console">
      <Loaded query={query}>
        {(view) => (
          <div class="stack loose">
            <Reason {...view} />
            <Facts {...view} />
          </div>
        )}
      </Loaded>
    </Page>
  )
}

function Reason({ request: { status, code }, explanation }: RefusedRequestView) {
  return (
    <div class={`alert ${toneOfStatus(status)} stack tight`}>
      <p>
        <Badge tone={toneOfStatus(status)}>{status}</Badge> <strong>{code}</strong>
      </p>
      {explanation && (
        <>
          <p>{explanation.means}</p>
          <p>
            <strong>What to do:</strong> {explanation.toDo}
          </p>
          <p>
            <a href={explanation.page} target="_blank" rel="noopener">
              {code} in the docs
            </a>
          </p>
        </>
      )}
    </div>
  )
}

function Facts({ request }: RefusedRequestView) {
  const { requestId, at, method, path, route, appId, appName, keyId, clientAddress, userAgent, durationMs } = request
  return (
    <section class="card" aria-label="Facts">
      <dl class="facts">
        <dt>Request</dt>
        <dd>
          {method} <bdi>{path}</bdi>
        </dd>
        {route !== path && (
          <>
            <dt>Operation</dt>
            <dd>
              {method} {route}
            </dd>
          </>
        )}
        <dt>Received</dt>
        <dd>
          <Time at={at} />, answered within {durationInWords(durationMs)}
        </dd>
        <dt>Key</dt>
        <dd>
          <bdi>{keyInWords(request)}</bdi> · <a href={here(`/requests?key=${keyId}`)}>its other refused requests</a>
        </dd>
        <dt>Application</dt>
        <dd>
          <a href={here(`/apps/${appId}`)}>
            <bdi>{appName}</bdi>
          </a>
        </dd>
        <dt>From</dt>
        <dd>{clientAddress}</dd>
        <dt>User agent</dt>
        <dd class="address">{userAgent === null ? 'did not say' : <bdi>{userAgent}</bdi>}</dd>
        <dt>Request id</dt>
        <dd>
          <CopyId id={requestId} label="request id" />
        </dd>
      </dl>
    </section>
  )
}
