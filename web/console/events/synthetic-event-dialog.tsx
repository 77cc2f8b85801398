// Sends an event to a sandbox that nothing brought about, to see what becomes of it.
import { Dialog } from '../../ui/dialog.tsx'
import { Form, Select, Submit, TextArea } from '../../ui/form.tsx'
import { changed } from '../../ui/query.ts'
import { Refusal, send } from '../../ui/request.ts'
import { toast } from '../../ui/toast.tsx'
import { here } from '../place.ts'
import { EVENT_TYPES } from '../words.ts'

export function SyntheticEventDialog({ onClose }: { onClose(): void }) {
  return (
    <Dialog title="Send a synthetic event" onClose={onClose}>
      <Form onSubmit={trigger}>
        <p>It is logged and delivered like any other event of this sandbox. Nothing else happens.</p>
        <Select label="Type" name="type" autoFocus>
          {EVENT_TYPES.map(([type, words]) => (
            <option key={type} value={type}>
              {words}
            </option>
          ))}
        </Select>
        <TextArea
          label="Data"
          name="data"
          hint='A JSON object such as {"subject": "Invoice 7"}. What it leaves out is as in an example; "id" is whatever the event is about.'
        />
        <div class="actions end">
          <Submit>Send</Submit>
        </div>
      </Form>
    </Dialog>
  )

  async function trigger({ type, data = '' }: Record<string, string>): Promise<void> {
    await send('POST', here('/data/events'), { type, ...(data.trim() === '' ? {} : { data: objectOf(data) }) })
    onClose()
    await changed('/data/events')
    toast('The event is in the log.')
  }
}

/** @throws Refusal, beside the field */
function objectOf(text: string): object {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value
  } catch {}
  throw new Refusal(0, { details: { fields: [{ path: 'data', message: 'must be a JSON object' }] } })
}
