// Every verb of every feature, asked by every kind of actor about what is theirs, another application's, another
// environment's and another tenant's: each asks first what the actor may, and what lies beyond its reach is absent.
import assert from 'node:assert/strict'
import { glob, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Actor, Application, Environment, MailboxUser, Person, TenantActor } from '../../src/access/actor.ts'
import { type Action, mayDo, PERMISSIONS } from '../../src/access/permissions.ts'
import { Problem } from '../../src/access/problem.ts'
import { createApp } from '../../src/apps/create-app.ts'
import { newId } from '../../src/lib/uuid.ts'
import { createTestDatabase } from '../support/database.ts'
import { everyVerb, type Verb } from '../support/every-verb.ts'
import { applicationOf, makeMoreOf, makeOneOfEach, type OneOfEach, openVerbDeps } from '../support/one-of-each.ts'
import { operatorOf } from '../support/operator.ts'
import { createTestTenant } from '../support/tenant.ts'
import { assertTenantScope, recordStatements } from '../support/tenant-scope.ts'

const { database: own } = await createTestDatabase()
const { database, statements } = recordStatements(own)
const deps = await openVerbDeps(database)
const VERBS = everyVerb(deps)
/** What makes or shows a secret, or changes who signs in. */
const STEP_UP = new Set<Action>([
  'makeKeys',
  'showWebhookSecrets',
  'managePeople',
  'manageMailboxUsers',
  'manageSingleSignOn',
  'showContent',
])
/** Functions that take an actor and are no verbs: they are parts of verbs, each of which asks. */
const PARTS = ['recordAct', 'hold']

const FEATURES =
  '{activity,apps,attachments,audit,events,exports,idempotency,mailboxes,messages,people,requests,suppressions,users,webhooks}'

/**
 * Whatever takes an actor, by the type that it declares, and which of it is named outside the features: a verb. What only
 * features name are parts of verbs.
 */
async function verbsOfTheCode(): Promise<{ taking: Map<string, string>; named: Set<string> }> {
  const read = (pattern: string) =>
    Array.fromAsync(glob(pattern, { cwd: SRC, exclude: ['**/*.test.ts'] }), (path) => readFile(join(SRC, path), 'utf8'))
  const ways = [...(await read('*.ts')), ...(await read('{cli,dev,ops,roles,servers,workers}/**/*.ts'))].join('\n')
  const outside = new Set(
    [...ways.matchAll(/\bimport (?:type )?\{([^}]+)\}|\{([^}]+)\} = await import\(/g)].flatMap(([, names, later]) =>
      (names ?? later ?? '').match(/\w+/g),
    ),
  )
  const taking = new Map<string, string>()
  const named = new Set<string>()
  for (const text of await read(`${FEATURES}/**/*.ts`)) {
    for (const [, name = '', type = ''] of text.matchAll(
      /^export (?:async )?function (\w+)(?:<[^(]+>)?\([^)]*\bactor: (\w+)/gm,
    )) {
      taking.set(name, type)
      if (outside.has(name)) named.add(name)
    }
    // Methods of what a role makes once.
    for (const [, owner = '', body = ''] of text.matchAll(/^export interface (\w+) \{\n([\s\S]*?)\n\}/gm)) {
      if (!outside.has(owner) && !outside.has(`create${owner}`)) continue
      for (const [, name = '', type = ''] of body.matchAll(/^ {2}(\w+)\(actor: (\w+)/gm)) {
        taking.set(name, type)
        named.add(name)
      }
    }
  }
  for (const part of PARTS) assert(named.delete(part), part)
  return { taking, named }
}
const SRC = join(import.meta.dirname, '../../src')

test('every verb of the code stands in the tables of this test, by the actors that it declares', async () => {
  const rows = Object.entries(VERBS).flatMap(([type, verbs]) => Object.keys(verbs).map((name) => [name, type]))
  assert(rows.length > 40)
  const { taking, named } = await verbsOfTheCode()
  for (const [name = '', type] of rows) assert.equal(taking.get(name), type, name)
  const missing = [...named].filter((name) => !rows.some(([row]) => row === name))
  assert.deepEqual(
    missing,
    [],
    'verbs without a row in every-verb.ts, or people-verbs.ts and suppression-verbs.ts beside it',
  )
})

test('a verb that does not look at mailboxes takes no mailbox user: that does not compile', () => {
  const user = { kind: 'mailbox_user' } as MailboxUser
  // @ts-expect-error: a mailbox user sees only some mailboxes.
  const actor: TenantActor = user
  assert(actor)
})

const person = (role: Person['role'], { tenantId, environmentId }: Application): Person => ({
  kind: 'person',
  signedInRecently: true,
  tenantId,
  environmentId,
  personId: newId(),
  role,
  origin: { requestId: newId(), clientAddress: '192.0.2.1', userAgent: null },
})

/** All who may act for an application's tenant in its environment, and a key of it that may do nothing. */
const actorsOf = (app: Application): [string, TenantActor][] => [
  ['application', app],
  ['application without a scope', { ...app, scopes: new Set() }],
  ['Owner', person('owner', app)],
  ['Admin', person('admin', app)],
  ['operator', operatorOf(app.tenantId, app.environmentId)],
]

/** Who is signed in to the webmail, with mailboxes to read or to write to. */
const userOf = (tenantId: string, mailboxIds: string[], access: 'read' | 'write' = 'read'): MailboxUser => ({
  kind: 'mailbox_user',
  tenantId,
  environmentId: tenantId,
  mailboxUserId: newId(),
  mailboxes: new Map(mailboxIds.map((id) => [id, access])),
  origin: { requestId: newId(), clientAddress: '192.0.2.1', userAgent: null },
})

/** What came of asking. `judged`: it was found, and is not such that this could be done. */
async function answerOf(
  ask: () => Promise<unknown>,
): Promise<{ kind: 'done' | 'refused' | 'absent' | 'judged'; value?: unknown }> {
  try {
    return { kind: 'done', value: await ask() }
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    if (error.code === 'insufficient_scope' || error.code === 'not_allowed') return { kind: 'refused' }
    return { kind: error.code === 'not_found' ? 'absent' : 'judged' }
  }
}

/** All that the database holds of a tenant. */
async function everythingOf(tenantId: string): Promise<Record<string, string>> {
  const { rows: tables } = await database.pool.query(
    `select table_name as name from information_schema.columns where table_schema = 'public' and column_name = 'tenant_id'`,
  )
  assert(tables.length > 15)
  const held: Record<string, string> = {}
  for (const { name } of tables) {
    const { rows } = await database.pool.query(
      `select md5(string_agg(t::text, E'\\n' order by t::text)) as digest from ${name} t where t.tenant_id = $1`,
      [tenantId],
    )
    held[name] = rows[0].digest
  }
  return held
}

/** A person lies with the directory, as does what is the person's. */
async function personAsKept(id: string): Promise<unknown> {
  const { rows } = await database.pool.query(
    `select u::text as row from users u where u.id = $1 union all select l::text from user_links l where l.user_id = $1`,
    [id],
  )
  return rows
}

interface Question {
  what: string
  verb: Verb<never>
  actor: Actor
  isStranger: boolean
  /** What must come of it; `own`: whatever it is, it is about what the actor has. */
  expected: 'reached' | 'refused' | 'absent' | 'own'
}

/** `reaches`: of which things that are named an application in the place may know. */
function questionsIn(place: string, app: Application, reaches: string[], isStranger: boolean): Question[] {
  return actorsOf(app).flatMap(([who, actor]) => {
    const verbs: Record<string, Verb<never>> = {
      ...VERBS.TenantActor,
      ...(actor.kind === 'application' ? VERBS.Application : {}),
      ...(actor.kind === 'operator' ? VERBS.TenantOperator : {}),
    }
    return Object.entries(verbs).map(([name, verb]): Question => {
      // People and the operator act on what all applications of the environment have.
      const of = verb.of === 'application' && actor.kind !== 'application' ? 'environment' : verb.of
      const beyond = verb.namesNothing ? 'own' : 'absent'
      const allowed = reaches.includes(of) ? 'reached' : beyond
      const expected = mayDo(actor, verb.action) ? allowed : 'refused'
      return { what: `${name} by ${who} of ${place}`, verb, actor, isStranger, expected }
    })
  })
}

for (const environment of ['production', 'sandbox'] as const) {
  test(`what a ${environment} application has is there for those who may, refused to those who may not, and absent for all others`, async () => {
    const home = await makeOneOfEach(deps, environment)
    const { maker } = home
    const { tenantId } = maker
    const otherApp = async (kind: Environment) => {
      const { id } = await createApp(database, operatorOf(tenantId), { name: 'Other', environment: kind })
      return applicationOf(tenantId, id, kind)
    }
    const stranger = await createTestTenant(database, { environment })
    // Production is one environment of many applications, a sandbox one of its own.
    const shared = environment === 'production' ? ['tenant', 'environment'] : ['tenant']
    const questions = [
      ...questionsIn('the maker', maker, ['tenant', 'environment', 'application'], false),
      ...questionsIn('another production application', await otherApp('production'), shared, false),
      ...questionsIn('another sandbox', await otherApp('sandbox'), ['tenant'], false),
      ...questionsIn('another tenant', applicationOf(stranger.tenantId, stranger.appId, environment), [], true),
    ]
    assert(questions.length > 500)

    const idsOfHome = [
      ...[home.messageId, home.attachmentId, home.uploadId, home.endpointId, home.deliveryId],
      ...[home.personId, home.mailboxUserId],
    ]
    const ask = async ({ what, verb, actor, expected }: Question, things = home) => {
      const { kind, value } = await answerOf(() => verb.ask(actor as never, things))
      if (expected === 'reached') assert(kind === 'done' || kind === 'judged', `${what}: ${kind}`)
      else if (expected !== 'own') assert.equal(kind, expected, what)
      else for (const id of idsOfHome) assert(!JSON.stringify(value ?? null).includes(id), what)
    }

    const before = { ...(await everythingOf(tenantId)), person: await personAsKept(home.personId) }
    const mayWrite = ({ expected, isStranger }: Question) =>
      expected === 'reached' || (expected === 'own' && !isStranger)
    for (const question of questions) if (!mayWrite(question)) await ask(question)
    assert.deepEqual({ ...(await everythingOf(tenantId)), person: await personAsKept(home.personId) }, before)

    for (const question of questions) {
      if (mayWrite(question)) await ask(question, question.verb.ends ? await moreOf(home) : home)
    }
  })
}

/** Another of each, with a message that is no longer on its way. */
async function moreOf(home: OneOfEach): Promise<OneOfEach> {
  const things = await makeMoreOf(deps, home)
  const settled = `update message_states set status = 'delivered', open = 0, size_bytes = 1,
    sent_at = clock_timestamp() where message_id = $1`
  await database.pool.query(settled, [things.messageId])
  return things
}

test('a mailbox user reaches the mailboxes that the user has, and no other of the tenant or of another', async () => {
  const home = await makeOneOfEach(deps, 'production')
  const { tenantId } = home.maker
  const stranger = await createTestTenant(database)
  for (const [name, verb] of Object.entries(VERBS.MailboxUser)) {
    if (verb.ofUser) continue
    const things = verb.ends ? await moreOf(home) : home
    const access = PERMISSIONS[verb.action].mailboxUser ?? undefined
    if (access === 'write') {
      const reader = await answerOf(() => verb.ask(userOf(tenantId, [home.mailboxId]), things))
      const hidden = verb.namesNothing ? 'done' : 'absent'
      assert.equal(reader.kind, verb.isHidden ? hidden : 'refused', name)
      assert(!JSON.stringify(reader.value ?? null).includes(home.mailboxId), name)
    }
    const own = await answerOf(() => verb.ask(userOf(tenantId, [home.mailboxId], access), things))
    assert.equal(own.kind, 'done', name)
    assert(JSON.stringify(own.value).includes(home.mailboxId), name)
    const others = [
      ...[userOf(tenantId, [], access), userOf(tenantId, [newId()], access)],
      userOf(stranger.tenantId, [stranger.mailboxId], access),
    ]
    for (const other of others) {
      const { kind, value } = await answerOf(() => verb.ask(other, things))
      assert.equal(kind, verb.namesNothing ? 'done' : 'absent', name)
      assert(!JSON.stringify(value ?? null).includes(home.mailboxId), name)
    }
  }
  // A mailbox of another tenant is none of the user's, whatever the session says.
  const forged = userOf(stranger.tenantId, [home.mailboxId])
  assert.deepEqual(await VERBS.MailboxUser.listOwnMailboxes?.ask(forged, home), [])
  assert.deepEqual(await VERBS.MailboxUser.listConversations?.ask(forged, home), { items: [], nextCursor: null })
})

test('what is a mailbox user’s beside the mailboxes is the user’s alone', async () => {
  const home = await makeOneOfEach(deps, 'production')
  const { tenantId } = home.maker
  const own = { ...userOf(tenantId, [home.mailboxId]), mailboxUserId: home.mailboxUserId }
  const verbs = Object.entries(VERBS.MailboxUser).filter(([, { ofUser }]) => ofUser)
  assert(verbs.length > 3)
  const before = await everythingOf(tenantId)
  for (const other of [userOf(tenantId, [home.mailboxId]), userOf(newId(), [home.mailboxId])]) {
    // Who is gone changes nothing.
    for (const [, verb] of verbs) await answerOf(() => verb.ask(other, home))
    assert.deepEqual(await everythingOf(tenantId), before)
  }
  for (const [name, verb] of verbs) assert.equal((await answerOf(() => verb.ask(own, home))).kind, 'done', name)
})

test('a mailbox user who is handed to a verb that does not look at mailboxes is refused, unless the table lets users do it', async () => {
  const home = await makeOneOfEach(deps, 'production')
  const user = userOf(home.maker.tenantId, [home.mailboxId])
  const refused = Object.entries(VERBS.TenantActor).filter(([, { action }]) => !mayDo(user, action))
  assert(refused.length > 30)
  for (const [name, verb] of refused) {
    const { kind } = await answerOf(() => verb.ask(user as never, home))
    assert.equal(kind, 'refused', name)
  }
})

test('who signed in more than ten minutes ago is asked to sign in again by each verb that asks for it, and by no other', async () => {
  const home = await makeOneOfEach(deps, 'production')
  const stale = { ...person('owner', home.maker), signedInRecently: false }
  const asksAgain: string[] = []
  for (const [name, verb] of Object.entries(VERBS.TenantActor)) {
    if (verb.ends && !STEP_UP.has(verb.action)) continue
    await verb.ask(stale, home).catch((error: unknown) => {
      if (!(error instanceof Problem)) throw error
      if (error.code === 'sign_in_again') asksAgain.push(name)
    })
  }
  const expected = Object.entries(VERBS.TenantActor).filter(([, { action }]) => STEP_UP.has(action))
  assert.deepEqual(asksAgain.sort(), expected.map(([name]) => name).sort())
})

test('every statement of every verb binds the tenant', () => assertTenantScope(own, statements))
