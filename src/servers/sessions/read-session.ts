// Shows a page who is signed in to it.
import { Type } from '../../lib/schema-types.ts'
import { Uuid } from '../../lib/schemas.ts'
import { dataFor } from './data.ts'

const SignedIn = Type.Object({
  userId: Uuid,
  login: Type.String(),
  name: Type.Union([Type.String(), Type.Null()]),
  /** Whose data is shown. */
  tenantId: Uuid,
  /** Of a person; null for a mailbox user. */
  role: Type.Union([Type.Literal('owner'), Type.Literal('admin'), Type.Null()]),
  /** Whether the session may do what needs a sign-in no older than ten minutes. */
  fresh: Type.Boolean(),
  /** Whether the tenant requires a second factor that the user has yet to add: until then only the own account answers. */
  mustAddFactor: Type.Boolean(),
})

export default dataFor<unknown>()(
  { method: 'GET', path: '/data/session', ownAccount: true, answer: SignedIn },
  () =>
    async ({ session: { userId, login, name, tenantId, inTenantId, role, fresh, mustAddFactor } }) => ({
      userId,
      login,
      name,
      tenantId: inTenantId ?? tenantId,
      role,
      fresh,
      mustAddFactor,
    }),
)
