// Whether addresses are stopped automatically. It is the tenant's, in production and in every sandbox.
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
          <h2 id="automatic-title">Automatic stops</h2>
          {isOwner() ? (
            <label class="choice">
              <input
                type="checkbox"
                checked={on}
                onChange={({ currentTarget }) => attempt(() => turn(currentTarget.checked))}
              />
              <span>
                Stop addresses automatically
                <br />
                <small>
                  When mail comes back because the mailbox does not exist, or when its owner complains, nothing more is
                  sent to that address, in production and in sandboxes. You can let it back at any time.
                </small>
              </span>
            </label>
          ) : (
            <p class="soft">
              {on
                ? 'An address that bounces for good or complains is stopped automatically.'
                : 'Addresses are not stopped automatically.'}
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
    toast(on ? 'Addresses are now stopped automatically.' : 'Addresses are no longer stopped automatically.')
  } finally {
    await changed(PATH)
  }
}
