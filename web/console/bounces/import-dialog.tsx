// Stops mail to many addresses: pasted, or of a file.
import { useRef, useState } from 'preact/hooks'
import type { ImportedStops } from '../../../src/servers/console/suppression-schemas.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Form, Submit, TextArea } from '../../ui/form.tsx'
import { changed } from '../../ui/query.ts'
import { send } from '../../ui/request.ts'
import { go } from '../../ui/router.ts'
import { here } from '../place.ts'
import { importInWords } from './stop-words.ts'

/** What the service takes at once. */
const MOST_BYTES = 3_500_000

export function ImportDialog({ onClose }: { onClose(): void }) {
  const [report, setReport] = useState<ImportedStops>()
  return (
    <Dialog title="Import addresses to stop" onClose={onClose}>
      {report ? <Report report={report} onClose={leave} /> : <Addresses onDone={setReport} />}
    </Dialog>
  )

  function leave(): void {
    onClose()
    go(here('/bounces?status=stopped'))
  }
}

function Addresses({ onDone }: { onDone(report: ImportedStops): void }) {
  const chosen = useRef<HTMLInputElement>(null)
  return (
    <Form onSubmit={stop}>
      <TextArea label="Addresses" name="text" hint="One a line, or CSV with a column called email." autoFocus />
      <div class="field">
        <label for="stops-file">Or a file of them</label>
        <input id="stops-file" ref={chosen} type="file" accept=".csv,.txt,text/csv,text/plain" />
      </div>
      <div class="actions end">
        <Submit>Stop mailing</Submit>
      </div>
    </Form>
  )

  async function stop({ text: pasted = '' }: Record<string, string>): Promise<void> {
    const file = chosen.current?.files?.[0]
    if (file && file.size > MOST_BYTES)
      throw new Error('The file is too large for the console. Ask the operator to import it.')
    const text = file ? await file.text() : pasted
    if (text.trim() === '') throw new Error('Paste addresses, or choose a file that has some.')
    const report = await send<ImportedStops>('POST', here('/data/suppressions/import'), { text })
    await changed('/data/bounces')
    onDone(report)
  }
}

function Report({ report, onClose }: { report: ImportedStops; onClose(): void }) {
  const { refused, faults } = report
  return (
    <div class="stack">
      <p role="status">{importInWords(report)}</p>
      {refused > 0 && (
        <>
          <p class="alert bad" role="alert">
            {refused === 1 ? '1 line has' : `${refused.toLocaleString('en')} lines have`} no address where one should
            be.
          </p>
          <ul class="plain faults">
            {faults.map(({ line, text, message }) => (
              <li key={line}>
                Line {line}: <bdi>{text}</bdi> {message}
              </li>
            ))}
          </ul>
        </>
      )}
      <div class="actions end">
        <button type="button" class="primary" onClick={onClose}>
          Done
        </button>
      </div>
    </div>
  )
}
