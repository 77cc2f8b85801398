// How things stand: how much mail there was, and what needs somebody.
import type { ComponentChildren } from 'preact'
import type { Overview } from '../../../src/servers/console/schemas.ts'
import { Badge, type Tone } from '../../ui/badge.tsx'
import { bytesInWords } from '../../ui/bytes-in-words.ts'
import { Page } from '../../ui/page.tsx'
import { useQuery } from '../../ui/query.ts'
import { Loaded } from '../../ui/states.tsx'
import { Time } from '../../ui/time.tsx'
import { viewShown } from '../../ui/views.tsx'
import { here } from '../place.ts'
import { Activity } from './activity.tsx'
import { PERIODS } from './period.ts'
import { Share } from './share.tsx'

/** What is counted is about a second behind what happens. */
const LOOK_AGAIN_MS = 1_000

export function OverviewPage() {
  const period = viewShown(PERIODS)
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions()
  const asked = new URLSearchParams({ days: period === 'today' ? '1' : '30', timeZone })
  const overview = useQuery<Overview>(here(`/data/overview?${asked}`), (shown) =>
    shown && !shown.activity.isCurrent ? LOOK_AGAIN_MS : false,
  )
  return (
    <Page title="Overview" product="Console">
      <Loaded query={overview}>
        {(now) => (
          <div class="stack loose">
            <Activity {...now} period={period} />
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

const count = new Intl.NumberFormat('en')

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
            <Badge tone="warn">
              {consecutiveFailures === 1 ? 'Failed once' : `Failed ${consecutiveFailures} times in a row`}
            </Badge>
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
          <a class="address" href={here(`/domains/${id}`)}>
            <bdi>{domain}</bdi>
          </a>
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
      <h2>
        <a href={here('/settings')}>Plan {plan.name}</a>
      </h2>
      <Share
        label="Messages this month, one for each recipient"
        {...plan.messages}
        words={(amount) => count.format(amount)}
      />
      <Share label="Stored" {...plan.storedBytes} words={bytesInWords} />
    </section>
  )
}
