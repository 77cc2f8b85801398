// Looks a domain's records up in the DNS now. What comes of it shows where the records are.
import { useState } from 'preact/hooks'
import type { ShownDomain } from '../../../src/servers/console/domain-schemas.ts'
import { attempt } from '../../ui/attempt.ts'
import { changed } from '../../ui/query.ts'
import { Refusal, send } from '../../ui/request.ts'
import { toast } from '../../ui/toast.tsx'
import { here } from '../place.ts'

type Checked = Pick<ShownDomain, 'id' | 'domain'>

/** `ofRow`: among others, from which its name tells it. */
export function CheckNow({ domain, ofRow = false }: { domain: Checked; ofRow?: boolean }) {
  const [isBusy, setBusy] = useState(false)
  return (
    <button
      type="button"
      class={ofRow ? 'quiet small' : undefined}
      aria-disabled={isBusy ? 'true' : undefined}
      onClick={() => {
        if (isBusy) return
        setBusy(true)
        attempt(() => check(domain).finally(() => setBusy(false)))
      }}
    >
      {isBusy ? 'Checking…' : 'Check now'}
      {ofRow && <span class="unseen"> {domain.domain}</span>}
    </button>
  )
}

async function check({ id, domain }: Checked): Promise<void> {
  const ask = () => send('POST', here(`/data/domains/${id}/check`))
  await ask().catch(async (error: unknown) => {
    // It was checked a moment ago, perhaps before the record was there.
    const seconds = error instanceof Refusal && (error.details as { retryAfterSeconds?: number }).retryAfterSeconds
    if (!seconds) throw error
    await new Promise((resolve) => setTimeout(resolve, seconds * 1_000))
    await ask()
  })
  await Promise.all([changed('/data/domains'), changed('/data/overview')])
  toast(`${domain} was checked.`)
}
