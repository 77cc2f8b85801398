// Whether addresses are stopped by themselves. It is the tenant's, in production and in every sandbox.
import type { AutomaticStops as Switch } from '../../../src/servers/console/suppression-schemas.ts'
import { attempt } from '../../ui/attempt.ts'
import { changed, useQuery } from '../../ui/query.ts'
import { send } from '../../ui/request.ts'
import { Loaded } from '../../ui/states.tsx'
import { toast } from '../../ui/toast.tsx'
import { isOwner } from '../place.ts'

const PATH = '/data/suppressions/automatic'

export function AutomaticStops() {
  const automatic = useQuery<Switch>(PATH)
  return (
    <Loaded query={automatic}>
      {({ on }) => (
        <section class="card stack narrow" aria-labelledby="automatic-title">
          <h2 id="automatic-title">Stopping by itself</h2>
          {isOwner() ? (
            <label class="choice">
              <input
                type="checkbox"
                checked={on}
                onChange={({ currentTarget }) => attempt(() => turn(currentTarget.checked))}
              />
              <span>
                Stop addresses by themselves
                <br />
                <small>
                  Once mail to an address comes back as there is no such mailbox, or its owner complains, no more goes
                  to it, in production and in sandboxes. You can let it back.
                </small>
              </span>
            </label>
          ) : (
            <p class="soft">
              {on
                ? 'An address that bounces for good, or complains, is stopped by itself.'
                : 'No address is stopped by itself.'}
            </p>
          )}
        </section>
      )}
    </Loaded>
  )
}

async function turn(on: boolean): Promise<void> {
  try {
    await send('PUT', PATH, { on })
    toast(on ? 'Addresses are stopped by themselves now.' : 'No address is stopped by itself now.')
  } finally {
    await changed(PATH)
  }
}
