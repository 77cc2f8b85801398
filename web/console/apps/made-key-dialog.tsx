// A key that was just made, shown this once, with a first request that can be pasted.
import type { Scope } from '../../../src/access/permissions.ts'
import type { MadeKey, ShownApp } from '../../../src/servers/console/app-schemas.ts'
import { CopyButton, CopyField } from '../../ui/copy.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { session } from '../../ui/session.ts'
import { firstRequest } from './first-request.ts'

interface MadeKeyDialogProps extends Pick<ShownApp, 'app' | 'apiUrl' | 'mailbox'> {
  made: MadeKey
  scopes: readonly Scope[]
  onClose(): void
}

export function MadeKeyDialog({ app, apiUrl, mailbox, made: { key }, scopes, onClose }: MadeKeyDialogProps) {
  const request = firstRequest({ apiUrl, key, scopes, mailbox, to: session().login })
  return (
    <Dialog title="Your new key" onClose={onClose}>
      <div class="stack">
        <p>
          Store it where your program finds it, and nowhere else: it is shown only now. It may{' '}
          <strong>{scopes.join(', ')}</strong>, and is refused anything else.
        </p>
        <CopyField label="Key" value={key} />
        {request ? (
          <>
            <p>
              {request.does}
              {app.environment === 'sandbox' && scopes.includes('messages:send') && ' In a sandbox it reaches nobody.'}
            </p>
            <section class="code" aria-label="First request">
              {/* biome-ignore lint/a11y/noNoninteractiveTabindex: whoever has no mouse scrolls it by the keyboard */}
              <pre tabIndex={0}>
                <code>{request.command}</code>
              </pre>
              <CopyButton label="the first request" value={request.command} />
            </section>
          </>
        ) : (
          <p class="soft">
            {mailbox === null && scopes.includes('messages:send')
              ? 'There is no mailbox to send from yet: ask whoever runs the service for one.'
              : 'It works on what there is already: the reference of the API has the requests.'}
          </p>
        )}
        <div class="actions end">
          <button type="button" class="primary" onClick={onClose}>
            Done
          </button>
        </div>
      </div>
    </Dialog>
  )
}
