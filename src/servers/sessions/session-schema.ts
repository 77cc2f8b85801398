// Who is signed in to a page.
import type { Static } from 'typebox'
import { Type } from '../../lib/schema-types.ts'
import { Closed, Nullable, OneOf, Uuid } from '../../lib/schemas.ts'

export const SignedIn = Closed({
  userId: Uuid,
  login: Type.String(),
  name: Nullable(Type.String()),
  /** Whose data is shown. */
  tenantId: Uuid,
  /** Of a person; null for a mailbox user. */
  role: Nullable(OneOf(['owner', 'admin'])),
  /** Whether the session may do what needs a sign-in no older than ten minutes. */
  fresh: Type.Boolean(),
  /** Whether the tenant's single sign-on opened it: that is also where its user proves again who it is. */
  bySingleSignOn: Type.Boolean(),
  /** Whether the tenant requires a second factor that the user has yet to add: until then only the own account answers. */
  mustAddFactor: Type.Boolean(),
})
export type SignedIn = Static<typeof SignedIn>
