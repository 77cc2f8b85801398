// Adds one's account at the organization's provider to what one signs in by.
import type { SingleSignOnSettings } from '../../src/servers/console/schemas.ts'
import { ProviderForm } from '../ui/provider-form.tsx'
import { useQuery } from '../ui/query.ts'
import { session } from '../ui/session.ts'

/** Nothing where the tenant has none, for whoever came in by it, which is linked, and while a second factor is to be added. */
export function LinkSingleSignOn() {
  const { tenantId, bySingleSignOn, mustAddFactor } = session()
  const path = bySingleSignOn || mustAddFactor ? undefined : '/data/single-sign-on'
  const { data } = useQuery<SingleSignOnSettings>(path)
  if (!data?.provider) return null
  return (
    <section class="card stack" aria-labelledby="link-title">
      <h2 id="link-title">Single sign-on</h2>
      <div class="beside apart">
        <p class="soft">Come in by your account at {new URL(data.provider.issuer).hostname} too.</p>
        <ProviderForm tenantId={tenantId} purpose="link">
          Link single sign-on
        </ProviderForm>
      </div>
    </section>
  )
}
