// The applications of the tenant: what has keys, for production or as a sandbox. Owners make more.
import { useState } from 'preact/hooks'
import type { Apps, ConsoleApp } from '../../../src/servers/console/app-schemas.ts'
import { Badge } from '../../ui/badge.tsx'
import { Page } from '../../ui/page.tsx'
import { useQuery } from '../../ui/query.ts'
import { EmptyState, Loaded } from '../../ui/states.tsx'
import { Time } from '../../ui/time.tsx'
import { here, isOwner } from '../place.ts'
import { NewAppDialog } from './new-app-dialog.tsx'

export function AppsPage() {
  const apps = useQuery<Apps>(here('/data/apps'))
  const [making, setMaking] = useState(false)
  return (
    <Page
      title="Applications"
      product="Console"
      actions={
        isOwner() && (
          <button type="button" class="primary" onClick={() => setMaking(true)}>
            Create application
          </button>
        )
      }
    >
      <Loaded query={apps}>
        {({ items }) =>
          items.length > 0 ? (
            <AppsTable apps={items} />
          ) : (
            <EmptyState title="No applications yet">
              {isOwner()
                ? 'Create one for each program that sends or reads mail. It gets keys of its own, which you can take away alone.'
                : 'An Owner creates one for each program that sends or reads mail.'}
            </EmptyState>
          )
        }
      </Loaded>
      {making && <NewAppDialog onClose={() => setMaking(false)} />}
    </Page>
  )
}

function AppsTable({ apps }: { apps: readonly ConsoleApp[] }) {
  return (
    <div class="table folds">
      <table>
        <thead>
          <tr>
            <th scope="col">Application</th>
            <th scope="col">Environment</th>
            <th scope="col" class="number">
              Active keys
            </th>
            <th scope="col">Last used</th>
            <th scope="col">Created</th>
          </tr>
        </thead>
        <tbody>
          {apps.map((app) => (
            <tr key={app.id}>
              <th scope="row">
                <a class="row-link" href={here(`/apps/${app.id}`)}>
                  <bdi>{app.name}</bdi>
                </a>{' '}
                {app.status === 'suspended' && <Badge tone="warn">Suspended</Badge>}
              </th>
              <td data-label="Environment">
                {app.environment === 'production' ? 'Production' : <Badge tone="warn">Sandbox</Badge>}
              </td>
              <td data-label="Active keys" class="number">
                {app.keys}
              </td>
              <td data-label="Last used">{app.lastUsedAt ? <Time at={app.lastUsedAt} /> : 'Never'}</td>
              <td data-label="Created">
                <Time at={app.createdAt} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
