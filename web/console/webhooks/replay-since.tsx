// Asks since when what died is to be replayed, and has it done.
import type { ShownEndpoint } from '../../../src/servers/console/webhook-schemas.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Field, Form, Submit } from '../../ui/form.tsx'
import { fromLocal, toLocal } from '../../ui/local-time.ts'
import { changed } from '../../ui/query.ts'
import { Refusal, send } from '../../ui/request.ts'
import { toast } from '../../ui/toast.tsx'
import { here } from '../place.ts'
import { replayFrom } from './endpoint-words.ts'

export function ReplaySince({ endpoint, onClose }: { endpoint: ShownEndpoint; onClose(): void }) {
  return (
    <Dialog title="Replay failed since" onClose={onClose}>
      <Form onSubmit={replay}>
        <p class="soft">
          Every delivery that was given up since then is posted again, each once. Its receiver knows an event that it
          has already by its id.
        </p>
        <Field
          label="Since"
          name="since"
          type="datetime-local"
          defaultValue={toLocal(replayFrom(endpoint, Date.now()))}
          autoFocus
        />
        {!endpoint.enabled && <p class="alert warn">The endpoint is disabled. An Owner enables it first.</p>}
        <div class="actions end">
          <Submit>Replay failed since</Submit>
        </div>
      </Form>
    </Dialog>
  )

  async function replay({ since = '' }: Record<string, string>): Promise<void> {
    try {
      await send('POST', here(`/data/webhooks/${endpoint.id}/replays`), { since: fromLocal(since) })
    } catch (error) {
      if (!(error instanceof Refusal) || error.code !== 'replay_running') throw error
      toast('A replay is running already: this is how far it is.')
    }
    onClose()
    await Promise.all([changed('/data/webhooks'), changed('/data/deliveries')])
  }
}
