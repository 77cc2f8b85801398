// The frame of the console: whose data is shown, in production or in a sandbox, and where one can go.
import type { ComponentChildren } from 'preact'
import type { Surroundings } from '../../src/servers/console/schemas.ts'
import { attempt } from '../ui/attempt.ts'
import { type Destination, Frame } from '../ui/frame.tsx'
import { Icon } from '../ui/icon.tsx'
import { useQuery } from '../ui/query.ts'
import { send } from '../ui/request.ts'
import { path } from '../ui/router.ts'
import { session } from '../ui/session.ts'
import { FindButton, Palette } from './find/palette.tsx'
import type { PageOf } from './pages.ts'
import { environment, here } from './place.ts'
import { useShownPages } from './shown-pages.ts'

export function ConsoleFrame({ product, children }: { product: string; children: ComponentChildren }) {
  const { login, name, mustAddFactor } = session()
  const around = useQuery<Surroundings>(mustAddFactor ? undefined : '/data/surroundings').data
  return (
    <Frame
      product={product}
      destinations={destinations(useShownPages())}
      user={{ login, name }}
      above={around && <Switches {...around} />}
      find={!mustAddFactor && <FindButton />}
      banner={mustAddFactor ? <FactorBanner /> : around && <SandboxBanner {...around} />}
    >
      {children}
      {!mustAddFactor && <Palette />}
    </Frame>
  )
}

/** In the environment where the page is. */
function destinations(pages: readonly PageOf[]): Destination[] {
  return pages.flatMap(({ path, label, icon, also, isFor = () => true }) =>
    label && icon && isFor() ? { path, label, icon, also, href: here(path) } : [],
  )
}

function Switches({ tenant, tenants, sandboxes }: Surroundings) {
  const pages = useShownPages()
  return (
    <div class="switches">
      {tenants.length > 1 ? (
        <label>
          <span class="unseen">Tenant</span>
          <select value={tenant.id} onChange={({ currentTarget }) => attempt(() => enter(currentTarget.value))}>
            {tenants.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        </label>
      ) : (
        <p class="tenant">{tenant.name}</p>
      )}
      {sandboxes.length > 0 && (
        <label>
          <span class="unseen">Environment</span>
          <select
            value={environment() ?? 'production'}
            onChange={({ currentTarget: { value } }) =>
              // All that is shown is of another place then.
              location.assign(
                value === 'production'
                  ? listOf(pages, path())
                  : `${listOf(pages, path())}?environment=${encodeURIComponent(value)}`,
              )
            }
          >
            <option value="production">Production</option>
            {sandboxes.map(({ id, name }) => (
              <option key={id} value={`sandbox:${id}`}>
                Sandbox: {name}
              </option>
            ))}
          </select>
        </label>
      )}
    </div>
  )
}

/** What a page shows one of is in no other environment. */
function listOf(pages: readonly PageOf[], at: string): string {
  const list = `/${at.split('/')[1]}`
  return pages.find(({ also }) => also === list)?.path ?? list
}

/** Everything that is shown is of the other tenant then. */
async function enter(tenantId: string): Promise<void> {
  await send('PUT', '/data/session/tenant', { tenantId })
  location.assign('/')
}

function SandboxBanner({ sandboxes }: Surroundings) {
  const app = sandboxes.find(({ id }) => environment() === `sandbox:${id}`)
  if (!app) return null
  return (
    <aside class="banner" aria-label="Mode">
      <Icon name="sandbox" />
      <span>
        Sandbox of <strong>{app.name}</strong>: nothing here is mailed to anybody.
      </span>
    </aside>
  )
}

function FactorBanner() {
  return (
    <aside class="banner" aria-label="What is to be done first">
      Your organization requires a second factor. Add an authenticator app or a passkey to go on.
    </aside>
  )
}
