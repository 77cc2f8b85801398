// What the tenant has used, of which plan; and what holds for all of it. Owners change it.
import type { Settings } from '../../../src/servers/console/settings-schemas.ts'
import { bytesInWords } from '../../ui/bytes-in-words.ts'
import { Page } from '../../ui/page.tsx'
import { useQuery } from '../../ui/query.ts'
import { Loaded } from '../../ui/states.tsx'
import { Time } from '../../ui/time.tsx'
import { Share } from '../overview/share.tsx'
import { here } from '../place.ts'
import { ContentSwitch } from './content-switch.tsx'
import { Kept } from './kept.tsx'
import { TenantName } from './tenant-name.tsx'
import { Usage } from './usage.tsx'

const count = new Intl.NumberFormat('en')
const words = (amount: number) => count.format(amount)

export function SettingsPage() {
  const settings = useQuery<Settings>(here('/data/settings'))
  return (
    <Page title="Usage and settings" product="Console">
      <Loaded query={settings}>
        {(now) => (
          <div class="stack loose">
            <Plan plan={now.plan} />
            <Usage />
            <TenantName tenant={now.tenant} />
            <ContentSwitch peopleSeeContent={now.peopleSeeContent} />
            <Kept keptDays={now.keptDays} />
          </div>
        )}
      </Loaded>
    </Page>
  )
}

function Plan({ plan }: Pick<Settings, 'plan'>) {
  return (
    <section class="card stack narrow" aria-labelledby="plan-title">
      <h2 id="plan-title">Plan {plan.name}</h2>
      <Share label="Messages this month, one for each recipient" {...plan.messages} words={words} />
      <Share label="Stored" {...plan.storedBytes} words={bytesInWords} />
      <Share label="Requests today" {...plan.requestsPerDay} words={words} />
      <Share label="Applications" {...plan.applications} words={words} />
      <p class="soft">
        {plan.requestsPerMinute === null
          ? 'A key may make as many requests a minute as it likes.'
          : `A key may make ${words(plan.requestsPerMinute)} requests a minute.`}{' '}
        Months and days are those of UTC: the next month begins <Time at={plan.messages.resetsAt} />. Whoever runs the
        service changes the plan.
      </p>
    </section>
  )
}
