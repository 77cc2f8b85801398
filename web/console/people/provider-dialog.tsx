// Names the provider of single sign-on. The service asks it before anything changes.
import type { SingleSignOnSettings } from '../../../src/servers/console/schemas.ts'
import { CopyId } from '../../ui/copy.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field, Form, Submit } from '../../ui/form.tsx'
import { changed } from '../../ui/query.ts'
import { send } from '../../ui/request.ts'
import { toast } from '../../ui/toast.tsx'

interface ProviderDialogProps {
  settings: SingleSignOnSettings
  onClose(): void
}

export function ProviderDialog({ settings: { provider, callbackUrl }, onClose }: ProviderDialogProps) {
  return (
    <Dialog title="Single sign-on" onClose={onClose}>
      <p>
        Register the console there as a web application, with this callback address:
        <br />
        <CopyId id={callbackUrl} label="callback address" />
      </p>
      <Form onSubmit={save}>
        <Field
          label="Issuer"
          name="issuer"
          type="url"
          hint="As the provider calls itself, such as https://id.example.com."
          autoComplete="off"
          defaultValue={provider?.issuer ?? ''}
          autoFocus
        />
        <Field label="Client ID" name="clientId" autoComplete="off" defaultValue={provider?.clientId ?? ''} />
        <Field
          label="Client secret"
          name="clientSecret"
          type="password"
          autoComplete="off"
          hint="It is kept sealed and never shown."
        />
        {provider && <p class="soft">Another issuer unlinks everybody from the present one.</p>}
        <div class="actions end">
          <Submit>Save</Submit>
        </div>
      </Form>
    </Dialog>
  )

  async function save({ issuer = '', clientId = '', clientSecret = '' }: Record<string, string>): Promise<void> {
    await send('PUT', '/data/single-sign-on', { issuer: issuer.trim(), clientId: clientId.trim(), clientSecret })
    onClose()
    await Promise.all([changed('/data/single-sign-on'), changed('/data/people')])
    toast('Single sign-on is set up.')
  }
}
