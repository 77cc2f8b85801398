// Shows a page who is signed in to it.
import { dataFor } from './data.ts'
import { SignedIn } from './session-schema.ts'

export default dataFor<unknown>()(
  { method: 'GET', path: '/data/session', ownAccount: true, answer: SignedIn },
  () =>
    async ({ session: { userId, login, name, tenantId, inTenantId, role, fresh, onlyTenantId, mustAddFactor } }) => ({
      userId,
      login,
      name,
      tenantId: inTenantId ?? tenantId,
      role,
      fresh,
      bySingleSignOn: onlyTenantId !== null,
      mustAddFactor,
    }),
)
