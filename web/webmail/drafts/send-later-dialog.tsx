// Asks when a message is to be sent: a time that most people choose, or any within a year.
import { useState } from 'preact/hooks'
import { Dialog } from '../../ui/dialog.tsx'
import { Field, Form, Submit } from '../../ui/form.tsx'
import { toLocal } from '../../ui/local-time.ts'
import { Refusal } from '../../ui/request.ts'
import { faultOfTime, LATEST_MS, presetsAt, timeInWords } from './send-times.ts'

interface Props {
  title?: string
  /** What it throws is shown, and the dialog stays. */
  onSend(at: Date): Promise<void>
  onClose(): void
}

const HOUR_MS = 3_600_000

export function SendLaterDialog({ title = 'Send later', onSend, onClose }: Props) {
  const [openedAt] = useState(Date.now)
  const [fault, setFault] = useState<Error>()
  const [begin] = toLocal(new Date(openedAt).toISOString()).split('T')
  const [end] = toLocal(new Date(openedAt + LATEST_MS).toISOString()).split('T')
  const [day, hour] = toLocal(new Date(openedAt + HOUR_MS).toISOString()).split('T')
  const choose = (at: Date): void => {
    onSend(at).then(onClose, setFault)
  }
  return (
    <Dialog title={title} onClose={onClose}>
      <div class="stack">
        {fault && (
          <p class="alert bad" role="alert">
            {fault.message}
          </p>
        )}
        <ul class="plain stack tight">
          {presetsAt(openedAt).map(({ words, at }) => (
            <li key={words}>
              <button type="button" class="preset" onClick={() => choose(at)}>
                <span>{words}</span> <span class="soft">{timeInWords(at.toISOString(), openedAt)}</span>
              </button>
            </li>
          ))}
        </ul>
        <Form
          onSubmit={async ({ date, time }) => {
            const at = new Date(`${date}T${time}`)
            const wrong = faultOfTime(at.getTime(), Date.now())
            if (wrong) throw new Error(wrong)
            await onSend(at).catch((why: Error) => {
              throw why instanceof Refusal ? new Error(why.message) : why
            })
            onClose()
          }}
        >
          <div class="beside">
            <Field label="Day" name="date" type="date" min={begin} max={end} value={day} required />
            <Field label="Time" name="time" type="time" value={hour} required />
          </div>
          <p class="soft">By the clock of this device, {Intl.DateTimeFormat().resolvedOptions().timeZone}.</p>
          <div class="actions end">
            <button type="button" onClick={onClose}>
              Cancel
            </button>
            <Submit>Send at this time</Submit>
          </div>
        </Form>
      </div>
    </Dialog>
  )
}
