// By which provider people may come in, and the addresses that it and they need.
import { useState } from 'preact/hooks'
import type { SingleSignOnSettings } from '../../../src/servers/console/schemas.ts'
import { Ask } from '../../ui/ask.tsx'
import { CopyId } from '../../ui/copy.tsx'
import { changed, useQuery } from '../../ui/query.ts'
import { send } from '../../ui/request.ts'
import { Loaded } from '../../ui/states.tsx'
import { toast } from '../../ui/toast.tsx'
import { isOwner } from '../place.ts'
import { ProviderDialog } from './provider-dialog.tsx'

export function SingleSignOn() {
  const settings = useQuery<SingleSignOnSettings>('/data/single-sign-on')
  return (
    <section class="card stack narrow" aria-labelledby="single-sign-on-title">
      <h2 id="single-sign-on-title">Single sign-on</h2>
      <Loaded query={settings}>{(found) => <Settings settings={found} />}</Loaded>
    </section>
  )
}

function Settings({ settings }: { settings: SingleSignOnSettings }) {
  const { provider, signInUrl, callbackUrl } = settings
  const [shown, setShown] = useState<'provider' | 'remove'>()
  const close = () => setShown(undefined)
  return (
    <>
      {provider ? (
        <>
          <p>
            People sign in through <strong>{provider.issuer}</strong>, which knows this console as {provider.clientId}.
          </p>
          <p>
            They sign in at
            <br />
            <CopyId id={signInUrl} label="address" />
          </p>
          <p>
            The provider sends them back to
            <br />
            <CopyId id={callbackUrl} label="callback address" />
          </p>
        </>
      ) : (
        <p class="soft">People can sign in through your organization’s own OpenID provider. None is set up yet.</p>
      )}
      {isOwner() && (
        <div class="actions">
          <button type="button" onClick={() => setShown('provider')}>
            {provider ? 'Change provider' : 'Set up single sign-on'}
          </button>
          {provider && (
            <button type="button" class="danger" onClick={() => setShown('remove')}>
              Remove single sign-on
            </button>
          )}
        </div>
      )}
      {shown === 'provider' && <ProviderDialog settings={settings} onClose={close} />}
      {shown === 'remove' && (
        <Ask title="Remove single sign-on?" verb="Remove" onYes={remove} onClose={close}>
          Whoever signed in by it is signed out at once, and is no longer linked to the provider.
        </Ask>
      )}
    </>
  )
}

async function remove(): Promise<void> {
  await send('DELETE', '/data/single-sign-on')
  await Promise.all([changed('/data/single-sign-on'), changed('/data/people')])
  toast('Single sign-on is removed.')
}
