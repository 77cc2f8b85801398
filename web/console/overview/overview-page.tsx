// How things stand: what became of the mail of the last days, and what needs somebody.
import type { ComponentChildren } from 'preact'
import type { Overview } from '../../../src/servers/console/schemas.ts'
import { Badge, type Tone } from '../../ui/badge.tsx'
import { Page } from '../../ui/page.tsx'
import { useQuery } from '../../ui/query.ts'
import { Loaded } from '../../ui/states.tsx'
import { Time } from '../../ui/time.tsx'
import { here } from '../place.ts'
import { bytesInWords, shareOf } from './amounts.ts'

export function OverviewPage() {
  const overview = useQuery<Overview>(here('/data/overview'))
  return (
    <Page title="Overview" product="Console">
      <Loaded query={overview}>
        {(now) => (
          <div class="stack loose">
            <Mail {...now} />
            <div class="columns">
              <Endpoints {...now} />
              <Domains {...now} />
              {now.plan && <Plan plan={now.plan} />}
            </div>
          </div>
        )}
      </Loaded>
    </Page>
  )
}

const STATUSES = ['received', 'queued', 'sent', 'delivered', 'bounced', 'failed'] as const
const TROUBLE: readonly string[] = ['bounced', 'failed']
const count = new Intl.NumberFormat('en')

function Mail({ messages, oldestQueuedAt }: Overview) {
  return (
    <section class="stack" aria-labelledby="mail-title">
      <div class="beside apart">
        <h2 id="mail-title">Mail of the last 7 days</h2>
        {oldestQueuedAt && (
          <p class="soft">
            The oldest in the queue is from <Time at={oldestQueuedAt} />.
          </p>
        )}
      </div>
      <dl class="card figures">
        {STATUSES.map((status) => (
          <div key={status} class={TROUBLE.includes(status) && messages[status] > 0 ? 'bad' : undefined}>
            <dt>{status.charAt(0).toUpperCase() + status.slice(1)}</dt>
            <dd>{count.format(messages[status])}</dd>
          </div>
        ))}
      </dl>
      {messages.more && <p class="soft">Only the newest messages are counted: there are more.</p>}
    </section>
  )
}

function Endpoints({ endpoints }: Overview) {
  return (
    <Concern title="Webhooks" fine={endpoints.length === 0 && 'All endpoints accept what they are sent.'}>
      {endpoints.map(({ id, url, consecutiveFailures, disabledAt, disabledReason }) => (
        <li key={id}>
          <a class="address" href={here(`/webhooks/${id}`)}>
            <bdi>{url}</bdi>
          </a>
          <br />
          {disabledAt ? (
            <>
              <Badge tone="bad">Disabled</Badge>{' '}
              <small>
                <Time at={disabledAt} />
                {disabledReason && `: ${disabledReason}`}
              </small>
            </>
          ) : (
            <Badge tone="warn">Failed {consecutiveFailures} times in a row</Badge>
          )}
        </li>
      ))}
    </Concern>
  )
}

const HEALTH_TONES: Record<string, Tone> = { pending: 'neutral', degraded: 'warn', failing: 'bad' }

function Domains({ domains }: Overview) {
  return (
    <Concern title="Domains" fine={domains.length === 0 && 'All domains are healthy.'}>
      {domains.map(({ id, domain, health }) => (
        <li key={id} class="beside apart">
          <strong>{domain}</strong>
          <Badge tone={HEALTH_TONES[health] ?? 'neutral'}>{health === 'pending' ? 'not checked yet' : health}</Badge>
        </li>
      ))}
    </Concern>
  )
}

/** What needs somebody, or a word that nothing does. */
function Concern({ title, fine, children }: { title: string; fine: string | false; children: ComponentChildren }) {
  return (
    <section class="card stack tight">
      <h2>{title}</h2>
      {fine ? <p class="soft">{fine}</p> : <ul class="plain rows">{children}</ul>}
    </section>
  )
}

function Plan({ plan }: { plan: NonNullable<Overview['plan']> }) {
  return (
    <section class="card stack">
      <h2>Plan {plan.name}</h2>
      <Share label="Messages this month" {...plan.messages} words={(amount) => count.format(amount)} />
      <Share label="Stored" {...plan.storedBytes} words={bytesInWords} />
    </section>
  )
}

interface ShareProps {
  label: string
  used: number
  limit: number | null
  words(amount: number): string
}

function Share({ label, used, limit, words }: ShareProps) {
  const share = shareOf(used, limit)
  return (
    <div class="stack tight">
      <div class="beside apart">
        <h3>{label}</h3>
        <span class="soft">{limit === null ? words(used) : `${words(used)} of ${words(limit)}`}</span>
      </div>
      {limit !== null && <meter aria-label={label} min={0} max={100} high={80} optimum={0} value={share} />}
      {share >= 100 ? (
        <p class="alert bad">All of it is used: more is refused.</p>
      ) : (
        share >= 80 && <p class="alert warn">{share} % of it is used.</p>
      )}
    </div>
  )
}
