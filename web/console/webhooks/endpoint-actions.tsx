// What may be done to an endpoint. Owners do all of it; Admins replay.
import { useState } from 'preact/hooks'
import type { ShownEndpoint } from '../../../src/servers/console/webhook-schemas.ts'
import { Ask } from '../../ui/ask.tsx'
import { attempt } from '../../ui/attempt.ts'
import { changed } from '../../ui/query.ts'
import { send } from '../../ui/request.ts'
import { go } from '../../ui/router.ts'
import { toast } from '../../ui/toast.tsx'
import { here, isOwner } from '../place.ts'
import { EditEndpoint } from './edit-endpoint.tsx'
import { ReplaySince } from './replay-since.tsx'
import { RotateSecret } from './rotate-secret.tsx'
import { TestEndpoint } from './test-endpoint.tsx'

type Shown = 'replay' | 'test' | 'edit' | 'rotate' | 'disable' | 'delete'

export function EndpointActions({ endpoint }: { endpoint: ShownEndpoint }) {
  const [shown, setShown] = useState<Shown>()
  const close = () => setShown(undefined)
  const { id, enabled } = endpoint
  return (
    <>
      {isOwner() && (
        <>
          {!enabled && (
            <button type="button" class="primary" onClick={() => attempt(enable)}>
              Enable
            </button>
          )}
          <button type="button" onClick={() => setShown('test')}>
            Test
          </button>
        </>
      )}
      <button type="button" onClick={() => setShown('replay')}>
        Replay failed since
      </button>
      {isOwner() && (
        <>
          <button type="button" onClick={() => setShown('edit')}>
            Edit
          </button>
          <button type="button" onClick={() => setShown('rotate')}>
            Rotate secret
          </button>
          {enabled && (
            <button type="button" onClick={() => setShown('disable')}>
              Disable
            </button>
          )}
          <button type="button" class="danger" onClick={() => setShown('delete')}>
            Delete
          </button>
        </>
      )}
      {shown === 'replay' && <ReplaySince endpoint={endpoint} onClose={close} />}
      {shown === 'test' && <TestEndpoint endpoint={endpoint} onClose={close} />}
      {shown === 'edit' && <EditEndpoint endpoint={endpoint} onClose={close} />}
      {shown === 'rotate' && <RotateSecret endpoint={endpoint} onClose={close} />}
      {shown === 'disable' && (
        <Ask title="Disable this endpoint?" verb="Disable" onYes={disable} onClose={close}>
          What is on its way there is given up, and nothing is posted until it is enabled again. What happens meanwhile
          can be replayed then.
        </Ask>
      )}
      {shown === 'delete' && (
        <Ask title="Delete this endpoint?" verb="Delete" onYes={remove} onClose={close}>
          Nothing is posted there any more, and what was delivered to it shows nowhere. Its secret ends with it.
        </Ask>
      )}
    </>
  )

  async function enable(): Promise<void> {
    await send('POST', here(`/data/webhooks/${id}/enable`))
    await changed('/data/webhooks')
    toast('The endpoint is enabled.')
  }

  async function disable(): Promise<void> {
    await send('POST', here(`/data/webhooks/${id}/disable`))
    await Promise.all([changed('/data/webhooks'), changed('/data/deliveries')])
    toast('The endpoint is disabled.')
  }

  async function remove(): Promise<void> {
    await send('DELETE', here(`/data/webhooks/${id}`))
    go(here('/webhooks'))
    await changed('/data/webhooks')
    toast('The endpoint is deleted.')
  }
}
