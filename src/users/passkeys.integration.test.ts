// Passkeys: added by who is signed in, good alone, and for nobody else.
import assert from 'node:assert/strict'
import { createSecretKey, randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { createTestDatabase } from '../../test/support/database.ts'
import { operator } from '../../test/support/operator.ts'
import { createPasskey, type SoftwarePasskey } from '../../test/support/passkey.ts'
import { createTestMailboxUser, createTestPerson, originOf, type TestUser } from '../../test/support/people.ts'
import { createTestTenant } from '../../test/support/tenant.ts'
import type { Problem } from '../access/problem.ts'
import { setTenantStatus } from '../apps/set-tenant-status.ts'
import { addPasskey, offerPasskey } from './add-passkey.ts'
import { createChallenges } from './passkey-challenge.ts'
import { removeFactor } from './remove-factor.ts'
import { endSessions, type FoundSession, findSession, startSession } from './sessions.ts'
import { askForPasskey, signInByPasskey } from './sign-in-by-passkey.ts'
import type { UserKind } from './user.ts'

const ORIGIN = 'https://console.example.com'
const { database } = await createTestDatabase()
const { tenantId, mailboxId } = await createTestTenant(database)
let now = Date.now()
const keys = [{ version: 1, key: createSecretKey(randomBytes(32)) }] as const
const challenges = createChallenges(keys, () => now)
const deps = { database, challenges, party: { origin: ORIGIN, name: 'Mail Developer API' } }
let network = 100
const anywhere = () => originOf(network++)

async function found(user: TestUser, kind: UserKind = 'person'): Promise<FoundSession> {
  const session = await findSession(database, kind, user.session.cookie)
  assert(session)
  return session
}

async function withPasskey(options?: {
  counts: boolean
}): Promise<{ user: TestUser; passkey: SoftwarePasskey; id: string }> {
  const user = await createTestPerson(database, tenantId, 'admin')
  const passkey = createPasskey(ORIGIN, options)
  const session = await found(user)
  const response = passkey.register(await offerPasskey(deps, session))
  const { id } = await addPasskey(deps, session, { response, name: 'phone' }, anywhere())
  return { user, passkey, id }
}

type Response = Parameters<typeof signInByPasskey>[2]['response']
const enter = async (response: Response, kind: UserKind = 'person') =>
  (await signInByPasskey(deps, kind, { response }, anywhere())).outcome
const asked = () => askForPasskey(deps, 'person')

for (const counts of [true, false]) {
  test(`a passkey of an authenticator that ${counts ? 'counts' : 'does not count'} signs in alone, again and again`, async () => {
    const { user, passkey } = await withPasskey({ counts })
    for (let n = 0; n < 2; n++) {
      const result = await signInByPasskey(
        deps,
        'person',
        { response: passkey.authenticate(await asked()) },
        anywhere(),
      )
      assert(result.outcome === 'signed_in')
      const session = await findSession(database, 'person', result.session.cookie)
      assert.deepEqual([session?.userId, session?.whole, session?.fresh], [user.id, true, true])
    }
  })
}

test('an id is as long as WebAuthn lets it be, and whatever the browser says of transports is taken or left', async () => {
  const user = await createTestPerson(database, tenantId, 'admin')
  const session = await found(user)
  const add = async (idOctets: number, transports: unknown) => {
    const { response, ...rest } = createPasskey(ORIGIN, { idOctets }).register(await offerPasskey(deps, session))
    const answer = { ...rest, response: { ...response, transports } } as typeof rest & { response: typeof response }
    return addPasskey(deps, session, { response: answer, name: 'phone' }, anywhere())
  }
  await add(1_023, ['usb', 'pigeon', '\0', {}])
  await add(16, 'usb')
  await add(16, null)
  for (const octets of [1_024, 8_192]) {
    await assert.rejects(add(octets, []), (error: Problem) => error.code === 'validation_error')
  }
})

test('an answer is good once, whoever gives it again, also at the same time', async () => {
  const { passkey } = await withPasskey({ counts: false })
  const response = passkey.authenticate(await asked())
  const outcomes = await Promise.all([0, 1, 2].map(() => enter(response)))
  assert.deepEqual(outcomes.sort(), ['signed_in', 'wrong', 'wrong'])
  assert.equal(await enter(response), 'wrong')
})

test('a challenge is good for five minutes, and none but ours is', async () => {
  const { passkey } = await withPasskey()
  const [early, late] = [await asked(), await asked()]
  now += 5 * 60_000 - 1
  assert.equal(await enter(passkey.authenticate(early)), 'signed_in')
  now += 1
  assert.equal(await enter(passkey.authenticate(late)), 'wrong')
  assert.equal(await enter(passkey.authenticate({ challenge: randomBytes(38).toString('base64url') })), 'wrong')
  const others = createChallenges([{ version: 1, key: createSecretKey(randomBytes(32)) }], () => now)
  const challenge = Buffer.from(others.make('person', 'sign-in')).toString('base64url')
  assert.equal(await enter(passkey.authenticate({ challenge })), 'wrong')
})

test('another origin, another listener, a user who was not verified, a forged signature prove nothing', async () => {
  const { passkey } = await withPasskey()
  assert.equal(await enter(passkey.authenticate(await asked(), { origin: 'https://evil.example.net' })), 'wrong')
  assert.equal(await enter(passkey.authenticate(await asked(), { verified: false })), 'wrong')
  assert.equal(await enter(passkey.authenticate(await asked()), 'mailbox_user'), 'wrong')
  assert.equal(await enter(passkey.authenticate(await askForPasskey(deps, 'mailbox_user'))), 'wrong')
  const forged = { ...passkey.authenticate(await asked()) }
  forged.response = {
    ...forged.response,
    signature: createPasskey(ORIGIN).authenticate(await asked()).response.signature,
  }
  assert.equal(await enter(forged), 'wrong')
  assert.equal(await enter({} as Response), 'wrong')
})

test('a copy of a passkey whose counter has fallen behind is refused', async () => {
  const { passkey } = await withPasskey()
  assert.equal(await enter(passkey.authenticate(await asked(), { counter: 9 })), 'signed_in')
  assert.equal(await enter(passkey.authenticate(await asked(), { counter: 9 })), 'wrong')
  assert.equal(await enter(passkey.authenticate(await asked(), { counter: 8 })), 'wrong')
  assert.equal(await enter(passkey.authenticate(await asked(), { counter: 10 })), 'signed_in')
})

test('what was offered to one user is not added to another, nor twice', async () => {
  const [ada, bob] = [
    await createTestPerson(database, tenantId, 'admin'),
    await createTestPerson(database, tenantId, 'admin'),
  ]
  const [sessionOfAda, sessionOfBob] = [await found(ada), await found(bob)]
  const passkey = createPasskey(ORIGIN)
  const response = passkey.register(await offerPasskey(deps, sessionOfAda))
  const add = (session: FoundSession) => addPasskey(deps, session, { response, name: 'phone' }, anywhere())
  await assert.rejects(add(sessionOfBob), { code: 'validation_error' })
  await add(sessionOfAda)
  await assert.rejects(add(sessionOfAda), { code: 'validation_error' })
})

test('adding wants a sign-in of a moment ago, and a name', async () => {
  const user = await createTestPerson(database, tenantId, 'admin')
  const session = await found(user)
  const response = createPasskey(ORIGIN).register(await offerPasskey(deps, session))
  await assert.rejects(addPasskey(deps, { ...session, fresh: false }, { response, name: 'x' }, anywhere()), {
    code: 'sign_in_again',
  })
  for (const name of ['', '  ', 'x'.repeat(61)]) {
    await assert.rejects(addPasskey(deps, session, { response, name }, anywhere()), { code: 'validation_error' })
  }
  await addPasskey(deps, session, { response, name: 'x'.repeat(60) }, anywhere())
})

test('the first passkey ends the sessions that were opened by the password alone, and the next one none', async () => {
  const user = await createTestPerson(database, tenantId, 'admin')
  const session = await found(user)
  const startAnother = () => database.transaction((tx) => startSession(tx, session, { whole: true }, anywhere()))
  const add = async () => {
    const response = createPasskey(ORIGIN).register(await offerPasskey(deps, session))
    await addPasskey(deps, session, { response, name: 'phone' }, anywhere())
  }
  const former = await startAnother()
  await add()
  assert.equal(await findSession(database, 'person', former.cookie), undefined)
  const later = await startAnother()
  await add()
  assert(await findSession(database, 'person', later.cookie))
  const response = createPasskey(ORIGIN).register(await offerPasskey(deps, session))
  await database.transaction((tx) => endSessions(tx, session, 'all'))
  await assert.rejects(addPasskey(deps, session, { response, name: 'late' }, anywhere()), { code: 'not_signed_in' })
})

test('a passkey that was removed is no good, and one whose user has gone', async () => {
  const { user, passkey, id } = await withPasskey()
  const session = await found(user)
  const refusal = (error: Problem) => error.code === 'not_found'
  await assert.rejects(removeFactor(database, session, { passkey: user.id }, anywhere()), refusal)
  await removeFactor(database, session, { passkey: id }, anywhere())
  assert.equal(await enter(passkey.authenticate(await asked())), 'wrong')
})

test('a passkey of somebody whose only tenant is suspended opens nothing until the tenant is resumed', async () => {
  const { tenantId: tenant } = await createTestTenant(database)
  const user = await createTestPerson(database, tenant, 'owner')
  const passkey = createPasskey(ORIGIN)
  const session = await found(user)
  const response = passkey.register(await offerPasskey(deps, session))
  await addPasskey(deps, session, { response, name: 'phone' }, anywhere())
  await setTenantStatus(database, operator, tenant, 'suspended')
  assert.equal(await enter(passkey.authenticate(await asked())), 'wrong')
  await setTenantStatus(database, operator, tenant, 'active')
  assert.equal(await enter(passkey.authenticate(await asked())), 'signed_in')
})

test('a mailbox user has passkeys of the webmail', async () => {
  const user = await createTestMailboxUser(database, tenantId, mailboxId)
  const session = await found(user, 'mailbox_user')
  const passkey = createPasskey(ORIGIN)
  await addPasskey(
    deps,
    session,
    { response: passkey.register(await offerPasskey(deps, session)), name: 'phone' },
    anywhere(),
  )
  assert.equal(
    await enter(passkey.authenticate(await askForPasskey(deps, 'mailbox_user')), 'mailbox_user'),
    'signed_in',
  )
})
