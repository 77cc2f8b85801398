// What may know what: imports run one way, features form no circle, each table is written by one feature, and one
// file reads the environment.
import assert from 'node:assert/strict'
import { glob, readFile } from 'node:fs/promises'
import { basename, dirname, join, normalize } from 'node:path'
import { test } from 'node:test'
import { DATABASE_SCHEMA } from '../src/database-schema.ts'

const ROOT = new URL('..', import.meta.url).pathname
const files = new Map<string, string>()
for await (const path of glob('src/**/*.ts', { cwd: ROOT })) {
  if (!path.endsWith('.test.ts')) files.set(path, await readFile(join(ROOT, path), 'utf8'))
}
/** Functions and triggers of the database, without their comments. */
const sqlFiles = new Map<string, string>()
for await (const path of glob('src/**/*.sql', { cwd: ROOT })) {
  sqlFiles.set(path, (await readFile(join(ROOT, path), 'utf8')).replace(/--.*$/gm, ''))
}

/** Folders by what they may stand on: each row knows itself and the rows above. */
const LAYERS = [
  ['lib'],
  ['access', 'mail'],
  [
    'activity',
    'apps',
    'attachments',
    'audit',
    'events',
    'exports',
    'idempotency',
    'mailboxes',
    'messages',
    'notices',
    'people',
    'suppressions',
    'requests',
    'users',
    'webhooks',
  ],
  ['servers', 'workers'],
  ['(root)', 'backup', 'cli', 'dev', 'ops', 'roles'],
]
const LAYER = new Map(LAYERS.flatMap((folders, i) => folders.map((folder) => [folder, i] as const)))
const FEATURES = new Set(LAYERS[2])

const folderOf = (path: string) => (path.split('/').length > 2 ? (path.split('/')[1] as string) : '(root)')
/** `api` of src/servers/api/…; undefined elsewhere. */
const serverOf = (path: string) => /^src\/servers\/([a-z]+)\//.exec(path)?.[1]

interface Import {
  from: string
  to: string
}

function importsOf(path: string): Import[] {
  const text = files.get(path) ?? ''
  return [...text.matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)'/g)].map((match) => ({
    from: path,
    to: normalize(join(dirname(path), match[1] as string)),
  }))
}

/** What calls a function of the database knows the file in which it stands. */
function callsOf(path: string, text: string): Import[] {
  return [...sqlFiles.keys()]
    .filter((to) => to !== path && basename(to) !== 'triggers.sql' && new RegExp(`\\b${functionOf(to)}\\(`).test(text))
    .map((to) => ({ from: path, to }))
}

const functionOf = (path: string) => basename(path, '.sql').replaceAll('-', '_')

const imports = [
  ...[...files.keys()].flatMap(importsOf),
  ...[...files, ...sqlFiles].flatMap(([path, text]) => callsOf(path, text)),
]

test('every import leads to a file that is there', () => {
  assert(imports.length > 100)
  assert.deepEqual(
    imports.filter(({ to }) => to.startsWith('src/') && !files.has(to) && !sqlFiles.has(to)),
    [],
  )
})

test('every import of the front ends leads to a file that is there, and of src they take types alone', async () => {
  const sources = await Array.fromAsync(glob('web/**/*.{ts,tsx,css}', { cwd: ROOT }))
  assert(sources.length > 50)
  for (const path of sources) {
    const text = await readFile(join(ROOT, path), 'utf8')
    for (const [line, to = ''] of text.matchAll(/^@?import\b[^'"]*['"]([^'"]+)['"]/gm)) {
      if (!to.startsWith('.')) continue
      const file = normalize(join(dirname(path), to))
      assert(sources.includes(file) || files.has(file), `${path} imports ${file}, which is not there`)
      if (file.startsWith('src/')) assert.match(line, /^import type /, `${path} takes more than types of ${file}`)
    }
  }
})

test('no two files export one name', () => {
  const exporters = new Map<string, string[]>()
  for (const [path, text] of files) {
    const names = text.matchAll(/^export (?:async |abstract )?(?:function\*?|const|let|class|interface|type) (\w+)/gm)
    for (const name of new Set([...names].map(([, name = '']) => name))) {
      exporters.set(name, [...(exporters.get(name) ?? []), path])
    }
  }
  // The one is the type of an id, the other the schema of the same.
  assert.deepEqual(exporters.get('Uuid'), ['src/lib/schemas.ts', 'src/lib/uuid.ts'])
  exporters.delete('Uuid')
  assert.deepEqual(
    [...exporters].filter(([, paths]) => paths.length > 1),
    [],
  )
})

test('imports run one way: lib, then access and mail, features, servers and workers, what wires them', () => {
  for (const { from, to } of imports) {
    const [here, there] = [LAYER.get(folderOf(from)), LAYER.get(folderOf(to))]
    assert(here !== undefined, `${from}: say in this test where its folder stands`)
    assert(there !== undefined && there <= here, `${from} must not know ${to}`)
  }
})

test('access and mail know nothing of each other, nor servers of workers or of another server', () => {
  const apart: Record<string, string> = { access: 'mail', mail: 'access', servers: 'workers', workers: 'servers' }
  for (const { from, to } of imports) {
    assert.notEqual(folderOf(to), apart[folderOf(from)], `${from} must not know ${to}`)
    const [here, there] = [serverOf(from), serverOf(to)]
    const known = new Set([here, 'http', ...(here === 'console' || here === 'webmail' ? ['sessions'] : [])])
    if (here !== undefined && there !== undefined) assert(known.has(there), `${from} must not know ${to}`)
  }
})

test('the machinery of HTTP knows no feature', () => {
  for (const { from, to } of imports) {
    if (serverOf(from) === 'http') assert(!FEATURES.has(folderOf(to)), `${from} must not know ${to}`)
  }
})

test('each operation of the API is one file that declares it and asks a feature, with no SQL of its own', () => {
  const named = /^src\/servers\/api\/([a-z-]+)\.ts$/
  const machinery = ['operation', 'operations', 'serve-operations']
  const operations = [...files].filter(([path]) => !machinery.includes(named.exec(path)?.[1] ?? 'operation'))
  const list = files.get('src/servers/api/operations.ts') ?? ''
  assert(operations.length > 20)
  for (const [path, text] of operations) {
    const name = named.exec(path)?.[1]?.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase())
    assert.equal(text.match(/\bdefineOperation\(/g)?.length, 1, path)
    assert.match(text, /^export default defineOperation\($/m, path)
    assert.equal(text.match(/^export /gm)?.length, 1, `${path} exports its operation alone`)
    assert.match(text, new RegExp(`^    name: '${name}',$`, 'm'), path)
    assert.match(list, new RegExp(`^  ${name},$`, 'm'), `${path} is in operations.ts`)
  }
  for (const [path, text] of files) {
    if (serverOf(path) !== 'api') continue
    assert.doesNotMatch(text, /^import (?!type\b).*lib\/sql\.ts'/m, `${path} leaves SQL to features`)
  }
})

test('the catalogue of problems knows no status code', () => {
  assert.doesNotMatch(files.get('src/access/problem.ts') ?? '400', /\b[45]\d\d\b/)
})

test('features form no circle', () => {
  const knows = new Map<string, Set<string>>()
  for (const { from, to } of imports) {
    const [here, there] = [folderOf(from), folderOf(to)]
    if (here === there || !FEATURES.has(here) || !FEATURES.has(there)) continue
    knows.set(here, (knows.get(here) ?? new Set()).add(there))
  }
  const walk = (feature: string, path: string[]): void => {
    assert(!path.includes(feature), [...path, feature].join(' → '))
    for (const next of knows.get(feature) ?? []) walk(next, [...path, feature])
  }
  for (const feature of knows.keys()) walk(feature, [])
})

/** The files that a process loads which starts with this one, but for those it loads when it needs them. */
function loadedFrom(start: string): Set<string> {
  const loaded = new Set([start])
  for (const path of loaded) {
    const loads = (files.get(path) ?? '').matchAll(/^(?:import|export)\b(?! type\b)(?:[^']* from)? '(\.[^']+)'/gm)
    for (const [, to] of loads) loaded.add(normalize(join(dirname(path), to as string)))
  }
  return loaded
}

test('the bundler is loaded by whoever bundles, when it does', () => {
  const importers = [...files].filter(([, text]) => /^import (?!type\b).*'esbuild'/m.test(text)).map(([path]) => path)
  assert.deepEqual(importers, [])
  assert.match(files.get('src/servers/sessions/bundle.ts') ?? '', /await import\('esbuild'\)/)
})

test('commands load no server: that is for those that run one', () => {
  const loaded = loadedFrom('src/main.ts')
  assert(loaded.has('src/cli/tenant-commands.ts'))
  assert(!loaded.has('src/serve.ts'))
})

test('a process loads the roles that it has', () => {
  const loaded = loadedFrom('src/serve.ts')
  for (const [path] of files) if (/^src\/roles\/(?:start|\w+\.ts$)/.test(path)) assert(!loaded.has(path), path)
})

test('a service loads what judges signatures in its threads alone', () => {
  const step = 'src/mail/authenticate/authenticate-message.ts'
  assert(loadedFrom('src/mail/authenticate/authenticate-thread.ts').has(step))
  assert(!loadedFrom('src/roles/inbound.ts').has(step))
})

test('what few processes need, and is large, is loaded by those that do', () => {
  for (const start of ['src/roles/console.ts', 'src/main.ts']) {
    const loaded = loadedFrom(start)
    assert(loaded.has('src/people/single-sign-on/provider.ts'))
    assert(!loaded.has('src/people/single-sign-on/openid-provider.ts'))
  }
  for (const [path, text] of files) {
    assert.doesNotMatch(text, /^import (?!type\b)[^']*'(?:@simplewebauthn\/server|@zxcvbn-ts\/[\w-]+|esbuild)'/m, path)
  }
})

test('of TypeBox a process loads nothing: schemas are made without it, and it types them', () => {
  assert.match(files.get('src/lib/schema-types.ts') ?? '', /^import type .* from 'typebox'$/m)
  for (const [path, text] of files) {
    assert.doesNotMatch(
      text,
      /^import (?!type\b).*'(?:typebox|@fastify\/type-provider-typebox)'/m,
      `${path}: Type is of src/lib/schema-types.ts`,
    )
  }
})

test('each function of the database stands in a file of its name, is applied, and says what it is for', async () => {
  assert.deepEqual([...sqlFiles.keys()].sort(), DATABASE_SCHEMA.functions.map((path) => `src/${path}`).sort())
  for (const [path, text] of sqlFiles) {
    assert.match(await readFile(join(ROOT, path), 'utf8'), /^-- /, `${path} opens with a comment`)
    const made = [...text.matchAll(/^create (?:or replace )?(\w+) (\w+)/gm)].map(([, kind, name]) => `${kind} ${name}`)
    if (basename(path) === 'triggers.sql') assert(!made.join().includes('function'), path)
    else assert.deepEqual(made, [`function ${functionOf(path)}`], path)
    // Such a body is looked into when it is made, and what it calls would have to be there by then.
    if (/language sql\b/.test(text)) assert.deepEqual(callsOf(path, text), [], path)
  }
})

test('migrations hold tables, indexes and data', async () => {
  for await (const path of glob('migrations/*.sql', { cwd: ROOT })) {
    assert.doesNotMatch(
      await readFile(join(ROOT, path), 'utf8'),
      /^\s*create\s.*\b(function|procedure|trigger)\b/im,
      path,
    )
  }
})

test('what finds things of whichever tenant is known to commands alone: everybody else acts in one', () => {
  const ofAnyTenant =
    /\/(?:owner-of-\w+|newest-events|find-(?:apps|tenants|shown-keys|domains|mailboxes|endpoints))\.ts$/
  const found = imports.filter(({ to }) => ofAnyTenant.test(to))
  assert(found.length > 5)
  for (const { from, to } of found) assert.match(from, /^src\/(?:cli|dev|ops)\//, `${from} must not know ${to}`)
})

test('commands hold no SQL: what they do is a verb of a feature', () => {
  const commands = [...files].filter(([path]) => folderOf(path) === 'cli')
  assert(commands.length > 10)
  for (const [path, text] of commands) assert.doesNotMatch(text, /\bsql\b(?!\.ts)/, path)
})

/**
 * Who writes which table. The accepting statement and the functions of webhooks write for others in their one statement,
 * and are named.
 */
const OWNERS: Record<string, string[]> = {
  plans: ['src/apps/'],
  // Whoever stops an address counts it there, where a send sees whether to look for any.
  tenants: ['src/apps/', 'src/suppressions/'],
  suppressions: ['src/suppressions/'],
  bounces: ['src/suppressions/'],
  bounced_addresses: ['src/suppressions/'],
  apps: ['src/apps/'],
  api_keys: ['src/apps/'],
  rate_counts: ['src/apps/'],
  api_key_usage: ['src/apps/'],
  api_key_requests: ['src/apps/'],
  refused_requests: ['src/requests/'],
  credential_version: ['src/apps/'],
  domains: ['src/mailboxes/'],
  mailboxes: ['src/mailboxes/'],
  dkim_turns: ['src/mailboxes/'],
  messages: ['src/messages/'],
  message_states: ['src/messages/'],
  message_entries: ['src/messages/'],
  submission_tries: ['src/messages/'],
  tenant_usage: ['src/messages/'],
  idempotency_keys: ['src/idempotency/', 'src/messages/accept-authors.ts'],
  webhook_endpoints: ['src/webhooks/'],
  webhook_deliveries: ['src/webhooks/'],
  webhook_attempts: ['src/webhooks/'],
  webhook_replays: ['src/webhooks/'],
  webhook_replay_places: ['src/webhooks/'],
  lane_caps: ['src/lib/queue'],
  held_lanes: ['src/lib/queue'],
  events: ['src/events/', 'src/messages/accept-statement.ts'],
  feed_epoch: ['src/events/'],
  activity_cursors: ['src/activity/'],
  activity_counts: ['src/activity/'],
  search_spans: ['src/activity/'],
  mailbox_amounts: ['src/activity/', 'src/messages/uncount-messages.ts'],
  // As with what it is found by.
  mailbox_messages: ['src/activity/', 'src/messages/uncount-messages.ts'],
  // A message is no longer found from the moment in which it goes.
  message_search: ['src/activity/', 'src/messages/remove-messages.ts'],
  mailbox_search: ['src/activity/', 'src/messages/uncount-messages.ts'],
  mailbox_spans: ['src/activity/'],
  correspondents: ['src/activity/'],
  correspondent_words: ['src/activity/'],
  // Whoever adds the first user of a mailbox has what it has looked through.
  searched_mailboxes: ['src/activity/', 'src/mailboxes/add-mailbox-user.ts'],
  audit_log: ['src/audit/'],
  jobs: [
    'src/lib/queue',
    'src/messages/accept-statement.ts',
    'src/webhooks/begin-cycles.sql',
    'src/webhooks/deliver-events.sql',
    'src/webhooks/record-accepted.sql',
  ],
  dead_letters: ['src/lib/queue'],
  object_removals: ['src/lib/object-removals.ts'],
  drafts: ['src/messages/drafts/', 'src/messages/accept-authors.ts'],
  ended_drafts: ['src/messages/drafts/', 'src/messages/accept-authors.ts'],
  draft_attachments: ['src/messages/drafts/', 'src/messages/accept-authors.ts'],
  message_contents: ['src/messages/'],
  conversation_messages: ['src/messages/'],
  message_references: ['src/messages/'],
  message_attachments: ['src/attachments/', 'src/messages/'],
  // An attachment goes with the last message that it was in, in one statement.
  attachments: ['src/attachments/', 'src/messages/remove-messages.ts'],
  uploads: ['src/attachments/'],
  tenant_storage: ['src/attachments/'],
  inbound_receipts: ['src/messages/receive/'],
  unread_reports: ['src/messages/receive/'],
  users: ['src/users/'],
  passwords: ['src/users/'],
  totp_keys: ['src/users/'],
  passkeys: ['src/users/'],
  answered_challenges: ['src/users/'],
  recovery_codes: ['src/users/'],
  user_links: ['src/users/'],
  sessions: ['src/users/'],
  sign_in_failures: ['src/users/'],
  identities: ['src/users/'],
  known_devices: ['src/users/'],
  recovery_addresses: ['src/users/'],
  link_requests: ['src/users/'],
  memberships: ['src/people/'],
  single_sign_on: ['src/people/'],
  tenant_sign_in: ['src/people/'],
  mailbox_access: ['src/mailboxes/'],
  mailbox_user_settings: ['src/mailboxes/'],
  image_senders: ['src/mailboxes/'],
  sender_identities: ['src/mailboxes/'],
  notices: ['src/notices/'],
  secret_keys: ['src/secret-keys.ts'],
  secret_key_holders: ['src/secret-key-holders.ts'],
  schema_migrations: ['src/lib/migrate.ts'],
  schema_functions: ['src/lib/migrate.ts'],
}

test('each table is written by its owner alone', () => {
  let writes = 0
  for (const [path, text] of [...files, ...sqlFiles]) {
    for (const match of text.matchAll(
      /\b(?:insert into|delete from|update)\s+([a-z_]+)\s+(?:as\s|\(|set\b|[a-z]\s|where|using|$)/gm,
    )) {
      const table = match[1] as string
      if (table === 'set' || table === 'of') continue
      const owners = OWNERS[table]
      assert(owners, `${path} writes ${table}: say in this test who owns it`)
      assert(
        owners.some((owner) => path.startsWith(owner)),
        `${path} writes ${table}, which belongs to ${owners.join(' and ')}`,
      )
      writes += 1
    }
  }
  assert(writes > 20)
})

test('every value that a file exports is used by another', async () => {
  const wordsOf = new Map<string, Set<string>>()
  for await (const path of glob(['{src,sdk,scripts,bench,examples,web}/**/*.{ts,tsx}', 'test/*.ts', 'test/*/*.ts'], {
    cwd: ROOT,
  })) {
    wordsOf.set(path, new Set((await readFile(join(ROOT, path), 'utf8')).match(/\w+/g)))
  }
  for (const [path, text] of files) {
    for (const [, name] of text.matchAll(/^export (?:async )?(?:const|function\*?|class) (\w+)/gm)) {
      const users = [...wordsOf].filter(([other, words]) => other !== path && words.has(name as string))
      assert(users.length > 0, `${path} exports ${name}, and nobody else knows it`)
    }
  }
})

test('one file reads the environment', () => {
  const readers = [...files].filter(([, text]) => /process\.env/.test(text)).map(([path]) => path)
  // main.ts hands it to the command line and so to config.ts; the database server's PATH is not configuration.
  assert.deepEqual(readers.sort(), ['src/lib/embedded-postgres/server-user.ts', 'src/main.ts'])
})

test('secrets are revealed in few places', () => {
  const places = [...files].filter(([, text]) => /\.reveal\(\)/.test(text)).map(([path]) => path)
  assert(places.length <= 18, places.join(', '))
})

test('each name comes from the file that declares it, and every file opens by saying what it is for', () => {
  for (const [path, text] of files) {
    if (path.endsWith('.d.ts')) continue
    assert.doesNotMatch(text, /^export (?:type )?(?:\*|\{)/m, `${path} only passes a name on`)
    assert.match(text, /^\/\/ /, `${path} opens with a comment`)
  }
})

test('no file grows beyond reading', () => {
  for (const [path, text] of [...files, ...sqlFiles]) assert(text.split('\n').length <= 350, path)
})
