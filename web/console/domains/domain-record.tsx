// One record that a domain needs: what to publish, whether it was found, and what was found instead.
import type { ShownDomain, ShownRecord } from '../../../src/servers/console/domain-schemas.ts'
import { Badge } from '../../ui/badge.tsx'
import { CopyButton } from '../../ui/copy.tsx'
import { adviceOn, stateOf, titleOf, whatFor } from './record-words.ts'

export function DomainRecord({ record, domain }: { record: ShownRecord; domain: ShownDomain }) {
  const { purpose, type, name, value, check } = record
  const title = titleOf(purpose)
  const { words, tone } = stateOf(record, domain)
  const advice = words === 'Not needed' ? undefined : adviceOn(record)
  return (
    <section class="card stack record" aria-labelledby={`record-${purpose}`}>
      <div class="beside">
        <h3 id={`record-${purpose}`}>{title}</h3>
        <Badge tone={tone}>{words}</Badge>
      </div>
      <p class="soft">{whatFor(purpose)}</p>
      <dl class="facts">
        <dt>Type</dt>
        <dd>{type}</dd>
        <dt>Name</dt>
        <dd>
          <Copied label={`name of the ${title} record`} value={name} />
        </dd>
        <dt>Value</dt>
        <dd>
          <Copied label={`value of the ${title} record`} value={value} />
        </dd>
      </dl>
      {advice && <p class={toneOf(check)}>{advice}</p>}
      {check && <Found check={check} value={value} />}
    </section>
  )
}

/** What stands in the way is said louder than that something is not there yet. */
function toneOf(check: ShownRecord['check']): string | undefined {
  if (check?.fault === 'nothing') return undefined
  return check?.status === 'error' ? 'alert warn' : 'alert bad'
}

function Copied({ label, value }: { label: string; value: string }) {
  return (
    <span class="copied">
      <code>{value}</code>
      <CopyButton label={label} value={value} />
    </span>
  )
}

/** Word for word, where it is something else than what is to be published. */
function Found({
  check: { status, found, others, alias },
  value,
}: {
  check: NonNullable<ShownRecord['check']>
  value: string
}) {
  const instead = status === 'pass' ? found.filter((record) => record !== value) : [...found, ...others]
  if (instead.length === 0 && alias === null) return null
  return (
    <div class="stack tight">
      <h4>{status === 'pass' ? 'Found' : 'Found instead'}</h4>
      <ul class="plain stack tight">
        {alias !== null && (
          <li>
            <pre class="answer">
              <bdi>CNAME {alias}</bdi>
            </pre>
          </li>
        )}
        {instead.map((record, n) => (
          <li key={n}>
            <pre class="answer">
              <bdi>{record}</bdi>
            </pre>
          </li>
        ))}
      </ul>
    </div>
  )
}
