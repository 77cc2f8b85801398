// Adds an endpoint: its application, where it is and what it hears; then its secret, this once.
import { useState } from 'preact/hooks'
import type { ShownSecret, Webhooks } from '../../../src/servers/console/webhook-schemas.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Form, Select, Submit } from '../../ui/form.tsx'
import { changed } from '../../ui/query.ts'
import { send } from '../../ui/request.ts'
import { here } from '../place.ts'
import { EndpointFields } from './endpoint-fields.tsx'
import { chosenTypes } from './endpoint-words.ts'
import { Handshake, useHandshake } from './handshake.tsx'
import { SecretDialog } from './secret-dialog.tsx'

export function AddEndpoint({ apps, onClose }: { apps: Webhooks['apps']; onClose(): void }) {
  const [added, setAdded] = useState<ShownSecret>()
  const { told, telling } = useHandshake()
  if (added) {
    return (
      <SecretDialog title="Endpoint added" secret={added.secret} onClose={onClose}>
        Its receiver checks by this secret that requests come from here.
      </SecretDialog>
    )
  }
  return (
    <Dialog title="Add endpoint" onClose={onClose}>
      <Form onSubmit={(values) => telling(values.url ?? '', () => add(values))}>
        {apps.length > 1 && (
          <Select label="Application" name="appId" hint="Whose events it hears, and whose keys may change it.">
            {apps.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </Select>
        )}
        <EndpointFields />
        <Handshake told={told} />
        <div class="actions end">
          <Submit>Add endpoint</Submit>
        </div>
      </Form>
    </Dialog>
  )

  async function add({ appId = apps[0]?.id, url = '', description = '', ...values }: Record<string, string>) {
    const made = await send<ShownSecret>('POST', here('/data/webhooks'), {
      ...{ appId, url: url.trim(), eventTypes: chosenTypes(values) },
      ...(description.trim() === '' ? {} : { description: description.trim() }),
    })
    setAdded(made)
    await changed('/data/webhooks')
  }
}
