// How the user wants the webmail: its looks, its keys, what it says of new mail, and whose images show.
import { Page } from '../../ui/page.tsx'
import { Loaded } from '../../ui/states.tsx'
import { Identities } from './identities.tsx'
import { ImageSenders } from './image-senders.tsx'
import { Notifications } from './notifications.tsx'
import { useSettings } from './own-settings.ts'
import { Shortcuts } from './shortcuts.tsx'
import { Theme } from './theme.tsx'

export function SettingsPage() {
  return (
    <Page title="Settings" product="Webmail">
      <Loaded query={useSettings()}>
        {(settings) => (
          <div class="stack loose narrow">
            <Theme theme={settings.theme} />
            <Shortcuts isOn={settings.shortcuts} />
            <Identities />
            <Notifications isOn={settings.notifications} />
            <ImageSenders addresses={settings.imageSenders} />
            <section class="card stack tight" aria-labelledby="account-title">
              <h2 id="account-title">Account</h2>
              <p>
                Your name, your <a href="/account#security">password, authenticator app and passkeys</a>, your{' '}
                <a href="/account#recovery">recovery address</a>, and{' '}
                <a href="/account#sessions">where you are signed in</a> are on the page of your account.
              </p>
            </section>
          </div>
        )}
      </Loaded>
    </Page>
  )
}
