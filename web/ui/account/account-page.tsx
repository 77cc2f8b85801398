// Who is signed in: their name, what they prove themselves by, and where they are signed in.
import type { ComponentChildren } from 'preact'
import type { Account } from '../../../src/servers/sessions/account-schemas.ts'
import { Field, Form, Submit } from '../form.tsx'
import { Page } from '../page.tsx'
import { changed, useQuery } from '../query.ts'
import { send } from '../request.ts'
import { loadSession } from '../session.ts'
import { Loaded } from '../states.tsx'
import { toast } from '../toast.tsx'
import { AuthenticatorApp } from './authenticator-app.tsx'
import { Passkeys } from './passkeys.tsx'
import { Password } from './password.tsx'
import { Sessions } from './sessions.tsx'

interface AccountPageProps {
  product: string
  /** What is mailed to whoever wants it; absent where nothing is. */
  noticesAbout?: string
  /** Ways in of one site alone. */
  children?: ComponentChildren
}

export function AccountPage({ product, noticesAbout, children }: AccountPageProps) {
  const account = useQuery<Account>('/data/account')
  return (
    <Page title="Account" product={product}>
      <Loaded query={account}>
        {(own) => (
          <div class="stack loose narrow">
            <Profile account={own} noticesAbout={noticesAbout} />
            <section class="card stack" id="security" aria-labelledby="security-title">
              <h2 id="security-title">Security</h2>
              <Password account={own} />
              <hr />
              <AuthenticatorApp account={own} />
              <hr />
              <Passkeys account={own} />
            </section>
            {children}
            <Sessions />
          </div>
        )}
      </Loaded>
    </Page>
  )
}

function Profile({ account, noticesAbout }: { account: Account; noticesAbout?: string | undefined }) {
  async function save(values: Record<string, string>): Promise<void> {
    const notices = noticesAbout === undefined ? account.notices : values.notices === 'on'
    await send('PATCH', '/data/account', { name: values.name ?? '', notices })
    await changed('/data/account')
    await loadSession()
    toast('Your profile is saved.')
  }
  return (
    <section class="card stack" aria-labelledby="profile-title">
      <h2 id="profile-title">Profile</h2>
      <Form onSubmit={save}>
        <p>
          You sign in as <strong>{account.login}</strong>.
        </p>
        <Field label="Name" name="name" defaultValue={account.name ?? ''} autoComplete="name" maxLength={100} />
        {noticesAbout !== undefined && (
          <label class="choice">
            <input type="checkbox" name="notices" defaultChecked={account.notices} />
            <span>
              Mail me notices
              <br />
              <small>{noticesAbout}</small>
            </span>
          </label>
        )}
        <div class="actions">
          <Submit>Save</Submit>
        </div>
      </Form>
    </section>
  )
}
