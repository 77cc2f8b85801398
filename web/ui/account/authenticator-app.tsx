// The authenticator app: added with a code that proves it works, and removed; and the codes for the day it is lost.
import { useState } from 'preact/hooks'
import type { Account, RecoveryCodes, TotpOffer } from '../../../src/servers/sessions/account-schemas.ts'
import { Ask } from '../ask.tsx'
import { attempt } from '../attempt.ts'
import { Badge } from '../badge.tsx'
import { CopyField } from '../copy.tsx'
import { Dialog } from '../dialog.tsx'
import { Field, Form, Submit } from '../form.tsx'
import { changed } from '../query.ts'
import { send } from '../request.ts'
import { loadSession } from '../session.ts'
import { toast } from '../toast.tsx'

import { RecoveryCodesDialog } from './recovery-codes.tsx'

type Shown = { kind: 'offer'; offer: TotpOffer } | { kind: 'codes'; codes: string[] } | { kind: 'remove' }

export function AuthenticatorApp({ account }: { account: Account }) {
  const [shown, setShown] = useState<Shown>()
  const close = () => setShown(undefined)
  return (
    <div class="beside apart">
      <div>
        <h3>Authenticator app {account.hasTotp && <Badge tone="good">On</Badge>}</h3>
        <p class="soft">
          {account.hasTotp
            ? `${account.recoveryCodes} of your recovery codes are left.`
            : 'A code from your phone, beside the password.'}
        </p>
      </div>
      {account.hasTotp ? (
        <div class="actions">
          <button type="button" onClick={() => attempt(renewCodes)}>
            New recovery codes
          </button>
          <button type="button" class="danger" onClick={() => setShown({ kind: 'remove' })}>
            Remove<span class="unseen"> authenticator app</span>
          </button>
        </div>
      ) : (
        <button type="button" onClick={() => attempt(offer)}>
          Add authenticator app
        </button>
      )}
      {shown?.kind === 'offer' && <Offer offer={shown.offer} onCodes={keepCodes} onClose={close} />}
      {shown?.kind === 'codes' && <RecoveryCodesDialog codes={shown.codes} onClose={closeCodes} />}
      {shown?.kind === 'remove' && (
        <Ask title="Remove the authenticator app?" verb="Remove" onYes={remove} onClose={close}>
          You will sign in without its codes, and your recovery codes end too.
        </Ask>
      )}
    </div>
  )

  async function offer(): Promise<void> {
    setShown({ kind: 'offer', offer: await send<TotpOffer>('POST', '/data/account/totp') })
  }

  async function renewCodes(): Promise<void> {
    await keepCodes(await send<RecoveryCodes>('POST', '/data/account/recovery-codes'))
  }

  async function keepCodes({ recoveryCodes }: RecoveryCodes): Promise<void> {
    setShown({ kind: 'codes', codes: recoveryCodes })
    await changed('/data/account')
  }

  function closeCodes(): void {
    close()
    // With a factor there may be more to see than this page, which takes the codes away.
    attempt(loadSession)
  }

  async function remove(): Promise<void> {
    await send('DELETE', '/data/account/totp')
    await changed('/data/account')
    await loadSession()
    toast('The authenticator app is removed.')
  }
}

interface OfferProps {
  offer: TotpOffer
  onCodes(codes: RecoveryCodes): Promise<void>
  onClose(): void
}

function Offer({ offer, onCodes, onClose }: OfferProps) {
  return (
    <Dialog title="Add authenticator app" onClose={onClose}>
      <Form
        onSubmit={async ({ code }) =>
          onCodes(await send<RecoveryCodes>('POST', '/data/account/totp/confirm', { code }))
        }
      >
        <p>Scan this with your authenticator app, or type the key into it.</p>
        <img
          class="qr"
          src={`data:image/svg+xml,${encodeURIComponent(offer.qr)}`}
          alt="The key as a QR code"
          width="200"
          height="200"
        />
        <CopyField label="Key" value={offer.key} />
        <Field
          label="Code"
          name="code"
          inputMode="numeric"
          autoComplete="one-time-code"
          hint="The six digits that it shows now."
          autoFocus
        />
        <div class="actions end">
          <Submit>Confirm</Submit>
        </div>
      </Form>
    </Dialog>
  )
}
