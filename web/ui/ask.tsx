// Asks before something that cannot be taken back. Its button is called what it does.
import type { ComponentChildren } from 'preact'
import { Dialog } from './dialog.tsx'
import { Form, Submit } from './form.tsx'

interface AskProps {
  title: string
  verb: string
  children: ComponentChildren
  /** What it throws is shown, and the dialog stays. */
  onYes(): Promise<unknown>
  onClose(): void
}

export function Ask({ title, verb, children, onYes, onClose }: AskProps) {
  return (
    <Dialog title={title} onClose={onClose}>
      <Form onSubmit={() => onYes().then(onClose)}>
        <p>{children}</p>
        <div class="actions end">
          <button type="button" onClick={onClose}>
            Keep
          </button>
          <Submit danger>{verb}</Submit>
        </div>
      </Form>
    </Dialog>
  )
}
