// The domains of the organization: what it sends and receives as. Owners add more.
import { useState } from 'preact/hooks'
import type { DomainOfList, Domains } from '../../../src/servers/console/domain-schemas.ts'
import { Badge } from '../../ui/badge.tsx'
import { Page } from '../../ui/page.tsx'
import { useQuery } from '../../ui/query.ts'
import { EmptyState, Loaded } from '../../ui/states.tsx'
import { Time } from '../../ui/time.tsx'
import { OfAllEnvironments } from '../of-all-environments.tsx'
import { here, isOwner } from '../place.ts'
import { AddDomainDialog } from './add-domain-dialog.tsx'
import { CheckNow } from './check-now.tsx'
import { healthOf } from './domain-words.ts'
import { titleOf } from './record-words.ts'

/** A check that changes nothing is no event, by which a page would hear of it. */
const LOOK_EVERY_MS = 10_000

export function DomainsPage() {
  const domains = useQuery<Domains>(here('/data/domains'), () => LOOK_EVERY_MS)
  const [adding, setAdding] = useState(false)
  return (
    <Page
      title="Domains"
      product="Console"
      actions={
        isOwner() && (
          <button type="button" class="primary" onClick={() => setAdding(true)}>
            Add domain
          </button>
        )
      }
    >
      <OfAllEnvironments what="Domains" />
      <Loaded query={domains}>
        {({ items }) =>
          items.length > 0 ? (
            <DomainTable domains={items} />
          ) : (
            <EmptyState title="No domains yet">
              {isOwner()
                ? 'Add the domain that you want to send and receive as, and publish the records that it needs.'
                : 'An Owner adds the domains that mail is sent and received as.'}
            </EmptyState>
          )
        }
      </Loaded>
      {adding && <AddDomainDialog onClose={() => setAdding(false)} />}
    </Page>
  )
}

function DomainTable({ domains }: { domains: readonly DomainOfList[] }) {
  return (
    <div class="table folds">
      <table>
        <thead>
          <tr>
            <th scope="col">Domain</th>
            <th scope="col">Health</th>
            <th scope="col">Missing or wrong</th>
            <th scope="col" class="number">
              Mailboxes
            </th>
            <th scope="col">Checked</th>
            <th scope="col">
              <span class="unseen">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {domains.map((domain) => (
            <tr key={domain.id}>
              <th scope="row" class="address">
                <a class="row-link" href={here(`/domains/${domain.id}`)}>
                  <bdi>{domain.domain}</bdi>
                </a>{' '}
                {!domain.verified && <Badge tone="warn">Not verified</Badge>}
              </th>
              <td data-label="Health">
                <Badge tone={healthOf(domain).tone}>{healthOf(domain).words}</Badge>
              </td>
              <td data-label="Missing or wrong">{atFaultOf(domain)}</td>
              <td data-label="Mailboxes" class="number">
                {domain.mailboxCount}
              </td>
              <td data-label="Checked">{domain.checkedAt ? <Time at={domain.checkedAt} /> : 'Never'}</td>
              <td class="actions-cell">
                <CheckNow domain={domain} ofRow />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function atFaultOf({ atFault, vouched }: DomainOfList): string {
  const missed = atFault.filter((purpose) => !(vouched && purpose === 'verification'))
  return missed.length > 0 ? missed.map(titleOf).join(', ') : '–'
}
