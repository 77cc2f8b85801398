// One application: what it is, and its keys. Owners suspend it, and make, replace and revoke its keys.
import { useState } from 'preact/hooks'
import type { ShownApp } from '../../../src/servers/console/app-schemas.ts'
import { Ask } from '../../ui/ask.tsx'
import { Badge } from '../../ui/badge.tsx'
import { CopyId } from '../../ui/copy.tsx'
import { Page } from '../../ui/page.tsx'
import { changed, useQuery } from '../../ui/query.ts'
import { send } from '../../ui/request.ts'
import { Loaded } from '../../ui/states.tsx'
import { Time } from '../../ui/time.tsx'
import { toast } from '../../ui/toast.tsx'
import { here, isOwner } from '../place.ts'
import { Keys } from './keys.tsx'
import { NewKeyDialog } from './new-key-dialog.tsx'

export function AppPage({ appId }: Record<string, string>) {
  const shown = useQuery<ShownApp>(here(`/data/apps/${appId}`))
  const [open, setOpen] = useState<'key' | 'status'>()
  const close = () => setOpen(undefined)
  const app = shown.data?.app
  return (
    <Page
      title={app?.name ?? 'Application'}
      product="Console"
      actions={
        isOwner() &&
        app && (
          <>
            <button type="button" onClick={() => setOpen('status')}>
              {app.status === 'active' ? 'Suspend' : 'Resume'}
            </button>
            <button type="button" class="primary" onClick={() => setOpen('key')}>
              Create key
            </button>
          </>
        )
      }
    >
      <Loaded query={shown}>
        {(found) => (
          <div class="stack loose">
            {found.app.status === 'suspended' && (
              <p class="alert warn">This application is suspended: every key of it is refused.</p>
            )}
            <Facts {...found.app} />
            <Keys {...found} />
            {open === 'key' && <NewKeyDialog {...found} onClose={close} />}
            {open === 'status' && <AskStatus {...found.app} onClose={close} />}
          </div>
        )}
      </Loaded>
    </Page>
  )
}

function Facts({ id, environment, createdAt, lastUsedAt }: ShownApp['app']) {
  return (
    <dl class="card facts">
      <dt>Id</dt>
      <dd>
        <CopyId id={id} label="application id" />
      </dd>
      <dt>Environment</dt>
      <dd>
        {environment === 'production' ? (
          'Production'
        ) : (
          <>
            <Badge tone="warn">Sandbox</Badge>{' '}
            <a href={`/?environment=${encodeURIComponent(`sandbox:${id}`)}`}>Show what is in it</a>
          </>
        )}
      </dd>
      <dt>Created</dt>
      <dd>
        <Time at={createdAt} />
      </dd>
      <dt>Last used</dt>
      <dd>{lastUsedAt ? <Time at={lastUsedAt} /> : 'Never'}</dd>
    </dl>
  )
}

function AskStatus({ id, name, status, onClose }: ShownApp['app'] & { onClose(): void }) {
  const next = status === 'active' ? 'suspended' : 'active'
  async function change(): Promise<void> {
    await send('PUT', `/data/apps/${id}/status`, { status: next })
    await changed('/data/apps')
    toast(next === 'suspended' ? `${name} is suspended.` : `${name} is resumed.`)
  }
  return next === 'suspended' ? (
    <Ask title={`Suspend ${name}?`} verb="Suspend" onYes={change} onClose={onClose}>
      Every key of it is refused within a second, until you resume it. Mail that it has sent already still goes out, and
      its webhooks are still delivered.
    </Ask>
  ) : (
    <Ask title={`Resume ${name}?`} verb="Resume" onYes={change} onClose={onClose}>
      Its keys are good again within a second, but for those that are revoked or have expired.
    </Ask>
  )
}
