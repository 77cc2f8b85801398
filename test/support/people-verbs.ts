// The verbs about who signs in, as every-verb.ts has those about everything else.
import type { TenantActor } from '../../src/access/actor.ts'
import { Secret } from '../../src/lib/secret.ts'
import { newId } from '../../src/lib/uuid.ts'
import { addMailboxUser } from '../../src/mailboxes/add-mailbox-user.ts'
import { inviteMailboxUserAgain } from '../../src/mailboxes/invite-mailbox-user-again.ts'
import { listMailboxUsers } from '../../src/mailboxes/list-mailbox-users.ts'
import { removeMailboxUser } from '../../src/mailboxes/remove-mailbox-user.ts'
import { resetMailboxUser } from '../../src/mailboxes/reset-mailbox-user.ts'
import { setMailboxAccess } from '../../src/mailboxes/set-mailbox-access.ts'
import { invitePerson } from '../../src/people/invite-person.ts'
import { listPeople } from '../../src/people/list-people.ts'
import { removePerson } from '../../src/people/remove-person.ts'
import { resetPerson } from '../../src/people/reset-person.ts'
import { setRole } from '../../src/people/set-role.ts'
import { isSecondFactorRequired, setSecondFactorRequired } from '../../src/people/set-second-factor-required.ts'
import { createProviders } from '../../src/people/single-sign-on/provider.ts'
import { removeSingleSignOn } from '../../src/people/single-sign-on/remove-single-sign-on.ts'
import { setSingleSignOn } from '../../src/people/single-sign-on/set-single-sign-on.ts'
import { showSingleSignOn } from '../../src/people/single-sign-on/show-single-sign-on.ts'
import { unlinkPerson } from '../../src/people/single-sign-on/unlink-person.ts'
import { mailMadeLink } from '../../src/users/mail-made-link.ts'
import type { Verb } from './every-verb.ts'
import type { VerbDeps } from './one-of-each.ts'

const login = () => `${newId()}@example.test`

export function peopleVerbs(deps: VerbDeps): Record<string, Verb<TenantActor>> {
  const { database } = deps
  const providers = createProviders(deps.publicFetch)
  return {
    listPeople: {
      ...{ action: 'readPeople', of: 'tenant', namesNothing: true },
      ask: (actor) => listPeople(database, actor),
    },
    isSecondFactorRequired: {
      ...{ action: 'readPeople', of: 'tenant', namesNothing: true },
      ask: (actor) => isSecondFactorRequired(database, actor),
    },
    listMailboxUsers: {
      ...{ action: 'readPeople', of: 'tenant', namesNothing: true },
      ask: (actor) => listMailboxUsers(database, actor, null),
    },
    showSingleSignOn: {
      ...{ action: 'readPeople', of: 'tenant', namesNothing: true },
      ask: (actor) => showSingleSignOn(database, actor),
    },
    invitePerson: {
      ...{ action: 'managePeople', of: 'tenant', namesNothing: true },
      ask: (actor) => invitePerson(database, actor, { email: login(), role: 'admin' }),
    },
    setRole: {
      ...{ action: 'managePeople', of: 'tenant' },
      ask: (actor, { personId }) => setRole(database, actor, personId, 'admin'),
    },
    resetPerson: {
      ...{ action: 'managePeople', of: 'tenant' },
      ask: (actor, { personId }) => resetPerson(database, actor, personId),
    },
    mailMadeLink: {
      ...{ action: 'managePeople', of: 'tenant' },
      ask: (actor, { linkToken: token }) => mailMadeLink(deps, actor, { kind: 'person', token }),
    },
    removePerson: {
      ...{ action: 'managePeople', of: 'tenant', ends: true },
      ask: (actor, { personId }) => removePerson(database, actor, personId),
    },
    unlinkPerson: {
      ...{ action: 'managePeople', of: 'tenant', ends: true },
      ask: (actor, { personId }) => unlinkPerson(database, actor, personId),
    },
    setSecondFactorRequired: {
      ...{ action: 'managePeople', of: 'tenant', namesNothing: true },
      ask: (actor) => setSecondFactorRequired(database, actor, true),
    },
    // Nobody answers there.
    setSingleSignOn: {
      ...{ action: 'manageSingleSignOn', of: 'tenant', namesNothing: true },
      ask: (actor) =>
        setSingleSignOn({ ...deps, providers }, actor, {
          issuer: 'https://127.0.0.1:1',
          clientId: 'mail',
          clientSecret: new Secret('secret'),
        }),
    },
    removeSingleSignOn: {
      ...{ action: 'manageSingleSignOn', of: 'tenant', namesNothing: true },
      ask: (actor) => removeSingleSignOn(database, actor),
    },
    addMailboxUser: {
      ...{ action: 'manageMailboxUsers', of: 'tenant' },
      ask: (actor, { mailboxId }) => addMailboxUser(database, actor, { mailboxId, login: login(), access: 'read' }),
    },
    resetMailboxUser: {
      ...{ action: 'manageMailboxUsers', of: 'tenant' },
      ask: (actor, { mailboxUserId }) => resetMailboxUser(database, actor, mailboxUserId),
    },
    inviteMailboxUserAgain: {
      ...{ action: 'manageMailboxUsers', of: 'tenant' },
      ask: (actor, { mailboxUserId }) => inviteMailboxUserAgain(database, actor, mailboxUserId),
    },
    setMailboxAccess: {
      ...{ action: 'manageMailboxUsers', of: 'tenant' },
      ask: (actor, { mailboxId, mailboxUserId: userId }) =>
        setMailboxAccess(database, actor, { mailboxId, userId, access: 'read' }),
    },
    removeMailboxUser: {
      ...{ action: 'manageMailboxUsers', of: 'tenant', ends: true },
      ask: (actor, { mailboxId, mailboxUserId }) =>
        removeMailboxUser(database, actor, { mailboxId, userId: mailboxUserId }),
    },
  }
}
