// Who may do what, as the roles of the product say.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '../lib/uuid.ts'
import type { Actor, Application } from './actor.ts'
import { type Action, assertMay, mayDo, SCOPES, type Scope } from './permissions.ts'
import type { Problem } from './problem.ts'

const realm = { tenantId: newId(), environmentId: newId() }
const origin = { requestId: newId(), clientAddress: '192.0.2.1', userAgent: null }
const key = (...scopes: Scope[]): Application => ({
  ...realm,
  kind: 'application',
  appId: newId(),
  keyId: newId(),
  environment: 'production',
  scopes: new Set(scopes),
  limits: { keyPerMinute: 0, tenantPerDay: 0 },
  origin,
})
const owner: Actor = { ...realm, kind: 'person', personId: newId(), role: 'owner', signedInRecently: true, origin }
const admin: Actor = { ...owner, role: 'admin' }
const reader: Actor = { ...realm, kind: 'mailbox_user', mailboxUserId: newId(), mailboxes: new Map(), origin }
const operator: Actor = { ...realm, kind: 'operator', account: 'root' }

/** What an Admin may not do: nothing that makes or shows a secret, changes a person, or ends or writes data. */
const OWNERS_ALONE: Action[] = [
  'fileMessages',
  'endMessages',
  'cancelMessages',
  'holdMessages',
  'triggerEvents',
  'writeWebhooks',
  'manageDomains',
  'manageMailboxes',
  'manageApplications',
  'makeKeys',
  'showWebhookSecrets',
  'managePeople',
  'manageSingleSignOn',
  'manageMailboxUsers',
]
/** What makes or shows a secret, or changes a person or a mailbox user. */
const STEP_UP: Action[] = ['makeKeys', 'showWebhookSecrets', 'managePeople', 'manageSingleSignOn', 'manageMailboxUsers']
const BOTH: Action[] = [
  'readMailboxes',
  'readDomains',
  'readMessages',
  'readEvents',
  'readAttachments',
  'readWebhooks',
  'replayDeliveries',
  'retryMessages',
  'checkDomains',
  'readApplications',
  'readPeople',
  'readAudit',
]
/** As whoever a mail is from is an application or a mailbox, never a role. */
const NO_PERSON: Action[] = ['sendMessages', 'writeAttachments']

test('an Owner does what an Admin does and more, the operator everything', () => {
  for (const action of BOTH) assert(mayDo(owner, action) && mayDo(admin, action), action)
  for (const action of OWNERS_ALONE) assert(mayDo(owner, action) && !mayDo(admin, action), action)
  for (const action of NO_PERSON) assert(!mayDo(owner, action) && !mayDo(admin, action), action)
  for (const action of [...BOTH, ...OWNERS_ALONE, ...NO_PERSON]) assert(mayDo(operator, action), action)
})

test('a key does what its scopes say, and nothing else', () => {
  const byScope: Record<Scope, Action[]> = {
    'mailboxes:read': ['readMailboxes', 'readDomains'],
    'messages:read': ['readMessages', 'readEvents'],
    'messages:write': ['fileMessages'],
    'messages:send': ['sendMessages'],
    'attachments:write': ['writeAttachments'],
    'attachments:read': ['readAttachments'],
    'webhooks:read': ['readWebhooks'],
    'webhooks:write': ['writeWebhooks', 'showWebhookSecrets', 'replayDeliveries'],
  }
  const all = [...BOTH, ...OWNERS_ALONE, ...NO_PERSON]
  for (const scope of SCOPES) {
    const may = all.filter((action) => mayDo(key(scope), action))
    assert.deepEqual(may.sort(), [...byScope[scope]].sort(), scope)
  }
  assert.deepEqual(
    all.filter((action) => mayDo(key(), action)),
    [],
  )
})

test('a mailbox user reads and files mail, and sees nothing of webhooks, keys, domains or people', () => {
  const all = [...BOTH, ...OWNERS_ALONE, ...NO_PERSON]
  assert.deepEqual(all.filter((action) => mayDo(reader, action)).sort(), [
    'endMessages',
    'fileMessages',
    'readAttachments',
    'readEvents',
    'readMailboxes',
    'readMessages',
    'sendMessages',
    'writeAttachments',
  ])
})

test('a refused key learns which scope it lacks, anybody else that the role does not allow it', () => {
  const refused = (actor: Actor, action: Action): Problem => {
    try {
      assertMay(actor, action)
    } catch (error) {
      return error as Problem
    }
    throw new Error('was allowed')
  }
  const { code, details } = refused(key('messages:read'), 'sendMessages')
  assert.deepEqual([code, details], ['insufficient_scope', { required: ['messages:send'] }])
  assert.equal(refused(admin, 'writeWebhooks').code, 'not_allowed')
  assert.equal(refused(key(...SCOPES), 'endMessages').code, 'not_allowed')
  assert.equal(refused(reader, 'readWebhooks').code, 'not_allowed')
})

test('who makes or shows a secret, or changes a person, must have signed in a moment ago; a key and the operator need not', () => {
  const stale: Actor = { ...owner, signedInRecently: false }
  const codeOf = (actor: Actor, action: Action): string | undefined => {
    try {
      assertMay(actor, action)
    } catch (error) {
      return (error as Problem).code
    }
    return undefined
  }
  for (const action of [...BOTH, ...OWNERS_ALONE]) {
    assert.equal(codeOf(stale, action), STEP_UP.includes(action) ? 'sign_in_again' : undefined, action)
    assert.equal(codeOf(owner, action), undefined, action)
  }
  for (const action of STEP_UP) {
    assert.equal(codeOf({ ...admin, signedInRecently: false }, action), 'not_allowed', action)
    assert.equal(codeOf(operator, action), undefined, action)
  }
  assert.equal(codeOf(key('webhooks:write'), 'showWebhookSecrets'), undefined)
})
