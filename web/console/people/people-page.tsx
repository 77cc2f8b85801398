// Who may come in here. Owners invite, change and remove; Admins see who there is.
import { useState } from 'preact/hooks'
import type { People } from '../../../src/servers/console/schemas.ts'
import { attempt } from '../../ui/attempt.ts'
import { Page } from '../../ui/page.tsx'
import { changed, useQuery } from '../../ui/query.ts'
import { send } from '../../ui/request.ts'
import { Loaded } from '../../ui/states.tsx'
import { toast } from '../../ui/toast.tsx'
import { isOwner } from '../place.ts'
import { InviteDialog } from './invite-dialog.tsx'
import { PeopleTable } from './people-table.tsx'
import { SingleSignOn } from './single-sign-on.tsx'

export function PeoplePage() {
  const people = useQuery<People>('/data/people')
  const [inviting, setInviting] = useState(false)
  return (
    <Page
      title="People"
      product="Console"
      actions={
        isOwner() && (
          <button type="button" class="primary" onClick={() => setInviting(true)}>
            Invite
          </button>
        )
      }
    >
      <Loaded query={people}>
        {({ items, requiresSecondFactor }) => (
          <div class="stack loose">
            <PeopleTable people={items} />
            <SecondFactor required={requiresSecondFactor} />
            <SingleSignOn />
          </div>
        )}
      </Loaded>
      {inviting && <InviteDialog onClose={() => setInviting(false)} />}
    </Page>
  )
}

function SecondFactor({ required }: { required: boolean }) {
  async function require(next: boolean): Promise<void> {
    try {
      await send('PUT', '/data/people/second-factor', { required: next })
      toast(next ? 'Everybody needs a second factor now.' : 'A second factor is everybody’s own choice now.')
    } finally {
      await changed('/data/people')
    }
  }
  return (
    <section class="card stack narrow" aria-labelledby="second-factor-title">
      <h2 id="second-factor-title">Second factor</h2>
      {isOwner() ? (
        <label class="choice">
          <input
            type="checkbox"
            checked={required}
            onChange={({ currentTarget }) => attempt(() => require(currentTarget.checked))}
          />
          <span>
            Require a second factor
            <br />
            <small>Whoever has none can do nothing here but add one: an authenticator app or a passkey.</small>
          </span>
        </label>
      ) : (
        <p class="soft">{required ? 'Everybody must have a second factor.' : 'It is everybody’s own choice.'}</p>
      )}
    </section>
  )
}
