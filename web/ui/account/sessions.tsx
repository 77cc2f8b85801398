// Where the user is signed in.
import type { SessionList } from '../../../src/servers/sessions/account-schemas.ts'
import { attempt } from '../attempt.ts'
import { Badge } from '../badge.tsx'
import { changed, useQuery } from '../query.ts'
import { send } from '../request.ts'
import { Loaded } from '../states.tsx'
import { Time } from '../time.tsx'
import { toast } from '../toast.tsx'
import { browserName } from './browser-name.ts'

type Session = SessionList['items'][number]

export function Sessions() {
  const sessions = useQuery<SessionList>('/data/account/sessions')
  return (
    <section class="card stack" id="sessions" aria-labelledby="sessions-title">
      <div class="beside apart">
        <h2 id="sessions-title">Sessions</h2>
        <form method="post" action="/sign-out">
          <input type="hidden" name="everywhere" value="yes" />
          <button type="submit">Sign out everywhere</button>
        </form>
      </div>
      <Loaded query={sessions}>
        {({ items }) => (
          <ul class="plain rows">
            {items.map((session) => (
              <li key={session.id} class="beside apart">
                <div>
                  <strong>{browserName(session.userAgent)}</strong>{' '}
                  {session.isThis && <Badge tone="good">This browser</Badge>}
                  <br />
                  <small>
                    {session.clientAddress}, signed in <Time at={session.createdAt} />, last used{' '}
                    <Time at={session.lastUsedAt} />
                  </small>
                </div>
                {!session.isThis && (
                  <button type="button" class="quiet small danger" onClick={() => attempt(() => end(session))}>
                    End<span class="unseen"> session of {browserName(session.userAgent)}</span>
                  </button>
                )}
              </li>
            ))}
          </ul>
        )}
      </Loaded>
    </section>
  )

  async function end({ id }: Session): Promise<void> {
    await send('DELETE', `/data/account/sessions/${id}`)
    await changed('/data/account/sessions')
    toast('The session has ended.')
  }
}
