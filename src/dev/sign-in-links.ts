// The demo's Owner and mailbox user, and links that sign them in.
import { type Operator, operatorIn, productionOf, type TenantOperator } from '../access/actor.ts'
import { recordAct } from '../audit/record.ts'
import type { Database } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'
import { addMailboxUser } from '../mailboxes/add-mailbox-user.ts'
import { listMailboxUsers } from '../mailboxes/list-mailbox-users.ts'
import { invitePerson } from '../people/invite-person.ts'
import { listPeople } from '../people/list-people.ts'
import { findLink, makeLink } from '../users/links.ts'
import { listSessions } from '../users/sessions.ts'
import { mailboxUserRef, personRef, type UserRef } from '../users/user.ts'
import type { Demo } from './demo.ts'

const OWNER = 'owner@demo.test'

export interface SignInLinks {
  /** Each signs in once, and without a password. */
  consoleLink: string
  webmailLink: string
}

/** Gives where a page of the console is, in a way that whoever works with the demo can get in by. */
export type PlaceOf = (path: string) => Promise<string>

/** Finds or makes both, with new links: those of an earlier start are no good any more. */
export async function makeSignInLinks(
  database: Database,
  operator: Operator,
  { tenantId, mailboxId, address }: Pick<Demo, 'tenantId' | 'mailboxId' | 'address'>,
  { consoleUrl, webmailUrl }: { consoleUrl: string; webmailUrl: string },
): Promise<{ links: SignInLinks; placeOf: PlaceOf }> {
  const actor = operatorIn(operator, productionOf(tenantId))
  const found = (await listPeople(database, actor)).find(({ email }) => email === OWNER)
  const owner = personRef((found ?? (await invitePerson(database, actor, { email: OWNER, role: 'owner' }))).id)
  const user = (await listMailboxUsers(database, actor, mailboxId)).find(({ login }) => login === address)
  const { id: userId } = user ?? (await addMailboxUser(database, actor, { mailboxId, login: address, access: 'write' }))
  const ownerLink = async () => `${consoleUrl}/enter/${await signInLink(database, actor, owner, 'person')}`
  const consoleLink = await ownerLink()
  let latest = consoleLink

  return {
    links: {
      consoleLink,
      webmailLink: `${webmailUrl}/enter/${await signInLink(database, actor, mailboxUserRef(tenantId, userId), 'mailbox_user')}`,
    },
    async placeOf(path) {
      const isUnused = (await findLink(database, 'person', latest.slice(latest.lastIndexOf('/') + 1))) !== undefined
      if (!isUnused) {
        if ((await listSessions(database, owner)).length > 0) return `${consoleUrl}${path}`
        latest = await ownerLink()
      }
      return `${latest}?to=${path.replaceAll('&', '%26')}`
    },
  }
}

function signInLink(database: Database, actor: TenantOperator, user: UserRef, resourceType: string): Promise<string> {
  return database.transaction(async (tx) => {
    const { token } = await makeLink(tx, user, 'sign_in', actor.tenantId)
    await recordAct(tx, actor, { operation: 'signInLink.make', resourceType, resourceId: user.userId as Uuid })
    return token
  })
}
