// Changes what an endpoint is. A new URL has to answer first.
import type { ShownEndpoint } from '../../../src/servers/console/webhook-schemas.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Form, Submit } from '../../ui/form.tsx'
import { changed } from '../../ui/query.ts'
import { send } from '../../ui/request.ts'
import { toast } from '../../ui/toast.tsx'
import { here } from '../place.ts'
import { EndpointFields } from './endpoint-fields.tsx'
import { chosenTypes } from './endpoint-words.ts'
import { Handshake, useHandshake } from './handshake.tsx'

export function EditEndpoint({ endpoint, onClose }: { endpoint: ShownEndpoint; onClose(): void }) {
  const { told, telling } = useHandshake()
  return (
    <Dialog title="Edit endpoint" onClose={onClose}>
      <Form onSubmit={(values) => telling(values.url ?? '', () => save(values))}>
        <EndpointFields {...endpoint} />
        <Handshake told={told} />
        <div class="actions end">
          <Submit>Save</Submit>
        </div>
      </Form>
    </Dialog>
  )

  async function save({ url = '', description = '', ...values }: Record<string, string>): Promise<void> {
    await send('PATCH', here(`/data/webhooks/${endpoint.id}`), {
      url: url.trim(),
      description: description.trim() || null,
      eventTypes: chosenTypes(values),
    })
    onClose()
    await changed('/data/webhooks')
    toast('The endpoint is changed.')
  }
}
