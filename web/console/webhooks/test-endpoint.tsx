// Posts a signed request that is no event to an endpoint, at once, and says what came of it.
import { useEffect, useState } from 'preact/hooks'
import type { ShownEndpoint, TestedEndpoint } from '../../../src/servers/console/webhook-schemas.ts'
import type { DeliveryError } from '../../../src/webhooks/delivery-state.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { send } from '../../ui/request.ts'
import { here } from '../place.ts'
import { Answer } from './answer.tsx'
import { explainError } from './delivery-words.ts'

export function TestEndpoint({ endpoint, onClose }: { endpoint: ShownEndpoint; onClose(): void }) {
  const [tested, setTested] = useState<TestedEndpoint | Error>()
  useEffect(() => {
    send<TestedEndpoint>('POST', here(`/data/webhooks/${endpoint.id}/test`)).then(setTested, setTested)
  }, [])
  return (
    <Dialog title="Test" onClose={onClose}>
      <div class="stack">
        <p class="soft">
          A signed request of type <code>webhook.endpoint_test</code> is posted. It is no event, and counts for nothing.
        </p>
        <div role="status">
          {tested === undefined ? (
            <p>Waiting for the answer…</p>
          ) : tested instanceof Error ? (
            <p class="alert bad">{tested.message}</p>
          ) : (
            <Result tested={tested} />
          )}
        </div>
        <div class="actions end">
          <button type="button" class="primary" onClick={onClose}>
            Done
          </button>
        </div>
      </div>
    </Dialog>
  )
}

function Result({ tested: { delivered, statusCode, error, durationMs, answer } }: { tested: TestedEndpoint }) {
  if (delivered || error === null) {
    return (
      <p class="alert good">
        Accepted with {statusCode} after {durationMs} ms.
      </p>
    )
  }
  const { what, toDo } = explainError(error as DeliveryError, statusCode)
  return (
    <div class="alert bad stack tight">
      <p>
        {what} after {durationMs} ms. {toDo}
      </p>
      {answer !== null && <Answer text={answer} />}
    </div>
  )
}
