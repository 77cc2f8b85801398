// One domain: how it stands, and each record that it needs with what was found of it. Owners remove it.
import { useState } from 'preact/hooks'
import type { ShownDomain } from '../../../src/servers/console/domain-schemas.ts'
import { Ask } from '../../ui/ask.tsx'
import { Badge } from '../../ui/badge.tsx'
import { CopyButton, CopyId } from '../../ui/copy.tsx'
import { Page } from '../../ui/page.tsx'
import { changed, useQuery } from '../../ui/query.ts'
import { send } from '../../ui/request.ts'
import { go } from '../../ui/router.ts'
import { Loaded } from '../../ui/states.tsx'
import { Time } from '../../ui/time.tsx'
import { toast } from '../../ui/toast.tsx'
import { OfAllEnvironments } from '../of-all-environments.tsx'
import { here, isOwner } from '../place.ts'
import { CheckNow } from './check-now.tsx'
import { DomainRecord } from './domain-record.tsx'
import { healthOf, meaningOf } from './domain-words.ts'

/** A check that changes nothing is no event, by which a page would hear of it. */
const LOOK_EVERY_MS = 10_000

export function DomainPage({ domainId = '' }: Record<string, string>) {
  const shown = useQuery<ShownDomain>(here(`/data/domains/${domainId}`), () => LOOK_EVERY_MS)
  const [removing, setRemoving] = useState(false)
  const domain = shown.data
  return (
    <Page
      title={domain?.domain ?? 'Domain'}
      product="Console"
      actions={
        domain && (
          <>
            <CheckNow domain={domain} />
            {isOwner() && domain.mailboxCount === 0 && (
              <button type="button" class="danger" onClick={() => setRemoving(true)}>
                Remove
              </button>
            )}
          </>
        )
      }
    >
      <OfAllEnvironments what="Domains" />
      <Loaded query={shown}>
        {(found) => (
          <div class="stack loose">
            <p class={`alert ${found.verified ? healthOf(found).tone : 'warn'}`}>{meaningOf(found)}</p>
            <Facts {...found} />
            {isOwner() && found.mailboxCount > 0 && (
              <p class="soft">
                It cannot be removed while it has{' '}
                {found.mailboxCount === 1 ? 'a mailbox' : `${found.mailboxCount} mailboxes`}: their mail is signed and
                received by it.
              </p>
            )}
            <Records domain={found} />
          </div>
        )}
      </Loaded>
      {removing && domain && <AskRemove {...domain} onClose={() => setRemoving(false)} />}
    </Page>
  )
}

function Facts(domain: ShownDomain) {
  const { id, verified, vouched, mailboxCount, checkedAt, nextCheckAt, createdAt } = domain
  const { words, tone } = healthOf(domain)
  return (
    <dl class="card facts">
      <dt>Health</dt>
      <dd>
        <Badge tone={tone}>{words}</Badge>
      </dd>
      <dt>Ownership</dt>
      <dd>{vouched ? 'Vouched for by the operator' : verified ? 'Verified' : 'Not verified yet'}</dd>
      <dt>Checked</dt>
      <dd>
        {checkedAt ? <Time at={checkedAt} /> : 'Never'}
        {nextCheckAt ? (
          <>
            ; next check <Time at={nextCheckAt} />
          </>
        ) : (
          '; no checks are scheduled'
        )}
      </dd>
      <dt>Mailboxes</dt>
      <dd>
        <a href={here(`/mailboxes?q=${encodeURIComponent(`@${domain.domain}`)}`)}>{mailboxCount}</a>
      </dd>
      <dt>Added</dt>
      <dd>
        <Time at={createdAt} />
      </dd>
      <dt>Id</dt>
      <dd>
        <CopyId id={id} label="domain id" />
      </dd>
    </dl>
  )
}

function Records({ domain }: { domain: ShownDomain }) {
  const zone = domain.records.map(({ zoneLine }) => `${zoneLine}\n`).join('')
  return (
    <section class="stack" aria-labelledby="records-title">
      <div class="beside apart">
        <h2 id="records-title">Records</h2>
        <CopyButton label="all as a zone file" value={zone} isSaid />
      </div>
      {domain.records.map((record) => (
        <DomainRecord key={record.purpose} record={record} domain={domain} />
      ))}
    </section>
  )
}

function AskRemove({ id, domain, onClose }: ShownDomain & { onClose(): void }) {
  async function remove(): Promise<void> {
    await send('DELETE', here(`/data/domains/${id}`))
    go(here('/domains'))
    void Promise.all([changed('/data/domains'), changed('/data/overview')])
    toast(`${domain} is removed.`)
  }
  return (
    <Ask title={`Remove ${domain}?`} verb="Remove" onYes={remove} onClose={onClose}>
      Nobody can make mailboxes on it any more, and its DKIM key is gone for good. Added again it gets other records.
    </Ask>
  )
}
