// One of each thing that a tenant may have, made by the verbs as an application and the operator make them.
import { createHash } from 'node:crypto'
import { after } from 'node:test'
import { type Application, DIRECTORY, type Environment, type MailboxUser } from '../../src/access/actor.ts'
import { type PersonRole, SCOPES } from '../../src/access/permissions.ts'
import { createKey } from '../../src/apps/create-key.ts'
import { createRateCounts } from '../../src/apps/rate-counts.ts'
import { beginJsonUpload } from '../../src/attachments/begin-json-upload.ts'
import { createBlobLinks, createLocalTransfers } from '../../src/attachments/local-transfers.ts'
import { prepareUpload } from '../../src/attachments/prepare-upload.ts'
import { createCursorCodec } from '../../src/events/cursor.ts'
import { createFeedFollower } from '../../src/events/follow-feed.ts'
import { createKeyHolder } from '../../src/idempotency/hold-key.ts'
import { parseNetwork } from '../../src/lib/network.ts'
import { createPublicFetch } from '../../src/lib/public-fetch.ts'
import { createRateLimiter } from '../../src/lib/rate-limiter/rate-limiter.ts'
import { createDnsResolver } from '../../src/lib/resolver.ts'
import { createSecretBox } from '../../src/lib/secret-box.ts'
import { type Database, sql } from '../../src/lib/sql.ts'
import { newId, type Uuid } from '../../src/lib/uuid.ts'
import { addDomain } from '../../src/mailboxes/add-domain.ts'
import { addMailboxUser } from '../../src/mailboxes/add-mailbox-user.ts'
import type { WrittenMail } from '../../src/messages/drafts/draft.ts'
import { saveDraft } from '../../src/messages/drafts/save-draft.ts'
import { createSender } from '../../src/messages/send-message.ts'
import { invitePerson } from '../../src/people/invite-person.ts'
import { writeRefusedRequests } from '../../src/requests/write-refused-requests.ts'
import { addSuppression } from '../../src/suppressions/add-suppression.ts'
import { makeLink } from '../../src/users/links.ts'
import { personRef } from '../../src/users/user.ts'
import { createEndpoint } from '../../src/webhooks/create-endpoint.ts'
import { listReplays } from '../../src/webhooks/replays/read-replay.ts'
import { startReplay } from '../../src/webhooks/replays/start-replay.ts'
import { createSigningKeyring } from '../../src/webhooks/signing-keys.ts'
import { openTestStore } from './api.ts'
import { startTestDns } from './dns.ts'
import { keyHasher } from './hash-turns.ts'
import { operatorOf } from './operator.ts'
import { startReceiver } from './receiver.ts'
import { TEST_SECRET_KEYS } from './role-parts.ts'
import { createTestTenant } from './tenant.ts'

/** What verbs stand on, all of it real and of this process. */
export type VerbDeps = Awaited<ReturnType<typeof openVerbDeps>>

export async function openVerbDeps(database: Database) {
  const store = await openTestStore()
  const box = createSecretBox(TEST_SECRET_KEYS)
  const webhookAllow = [parseNetwork('127.0.0.0/8')]
  const publicFetch = createPublicFetch({ allow: webhookAllow, dnsServers: [], timeoutMs: 5_000 })
  const dns = await startTestDns()
  const resolver = createDnsResolver([dns.server])
  const heldKeys = createKeyHolder(database, (error) => {
    throw error
  })
  const sender = createSender({ database, idempotencyTtlSeconds: 86_400, onGroup: () => {} })
  after(async () => {
    await sender.drain()
    await Promise.all([feed.stop(), limiter.stop()])
    heldKeys.stop()
    resolver.close()
    await Promise.all([publicFetch.close(), dns.stop()])
  })
  const transfers = createLocalTransfers(createBlobLinks(box), store, () => 'http://127.0.0.1')
  const cursors = createCursorCodec(TEST_SECRET_KEYS)
  const feed = createFeedFollower({
    database,
    wakeUps: { listen: () => () => {} },
    cursors,
    onError(error) {
      throw error
    },
  })
  const keyring = createSigningKeyring(box)
  const limiter = createRateLimiter(createRateCounts(database), (error) => {
    throw error
  })
  const receiver = await startReceiver()
  const ttl = { idempotencyTtlSeconds: 86_400, uploadTtlSeconds: 600, downloadTtlSeconds: 300 }
  return {
    ...{ database, store, box, webhookAllow, publicFetch, resolver, heldKeys, sender, transfers, cursors, feed },
    ...{ keyring, receiver, limiter, ...ttl },
  }
}

export interface OneOfEach {
  /** By the application that made all of it, with every scope. */
  maker: Application
  address: string
  mailboxId: Uuid
  domainId: Uuid
  /** Without mailboxes. */
  spareDomainId: Uuid
  appId: Uuid
  keyId: Uuid
  /** Still on its way. */
  messageId: Uuid
  attachmentId: Uuid
  /** It is in the message. */
  attachedId: Uuid
  uploadId: Uuid
  endpointId: Uuid
  deliveryId: Uuid
  /** Of the application, and running. */
  replayId: Uuid
  /** What it delivers. */
  eventId: Uuid
  /** A refused one of the key. */
  requestId: Uuid
  /** An Admin. */
  personId: Uuid
  /** Of a link of theirs that was made in the tenant. */
  linkToken: string
  /** Of the mailbox, with a recovery address. */
  mailboxUserId: Uuid
  /** Of a stopped address in the environment. */
  suppressionId: Uuid
  /** Of the mailbox, saved once. */
  draftId: Uuid
}

/** What the draft is. */
export function writtenIn(mailboxId: Uuid, attachmentIds: Uuid[] = []): WrittenMail {
  return {
    ...{ mailboxId, kind: 'new', answers: null, to: [{ address: 'a@example.test', name: null }], cc: [], bcc: [] },
    ...{ subject: '', format: 'text', body: 'x', quote: null, attachmentIds },
  }
}

export const FILE = { filename: 'a.txt', mediaType: 'text/plain' }
const BYTES = Buffer.from('content')
/** An announced upload of it. */
export const ANNOUNCED = { ...FILE, sizeBytes: BYTES.length, sha256: createHash('sha256').update(BYTES).digest('hex') }
/** As they come. */
export async function* announcedBytes() {
  yield BYTES
}
export const IN_JSON = { ...FILE, contentBase64: BYTES.toString('base64') }

/** An application as a key of all scopes proves it. */
export function applicationOf(tenantId: Uuid, appId: Uuid, environment: Environment): Application {
  return {
    kind: 'application',
    tenantId,
    appId,
    environmentId: environment === 'production' ? tenantId : appId,
    keyId: newId(),
    environment,
    scopes: new Set(SCOPES),
    limits: { keyPerMinute: 0, tenantPerDay: 0 },
    origin: { requestId: newId(), clientAddress: '192.0.2.1', userAgent: null },
  }
}

/** A send that asks for nothing more than it must. */
export function mailFrom(fromMailboxId: Uuid, attachmentIds: Uuid[] = []) {
  return { fromMailboxId, to: ['a@example.test'], cc: [], bcc: [], subject: '', text: 'x', attachmentIds }
}

async function uploadFile(deps: VerbDeps, maker: Application, mailboxId: Uuid): Promise<Uuid> {
  const upload = await beginJsonUpload(deps, maker, newId())
  const { body } = await upload.finish({ ...IN_JSON, mailboxId })
  upload.end()
  return body.attachment.id
}

/** Of a tenant of its own, which has an Owner. */
export async function makeOneOfEach(deps: VerbDeps, environment: Environment): Promise<OneOfEach> {
  const { tenantId, mailboxId, address, appId } = await createTestTenant(deps.database, { environment })
  await makePerson(deps.database, tenantId, 'owner')
  return makeMoreOf(deps, { maker: applicationOf(tenantId, appId, environment), mailboxId, address })
}

/** By the same application, of the same mailbox. */
export async function makeMoreOf(
  deps: VerbDeps,
  { maker, mailboxId, address }: Pick<OneOfEach, 'maker' | 'mailboxId' | 'address'>,
): Promise<OneOfEach> {
  const { database } = deps
  const { tenantId, appId } = maker
  const { id: keyId } = await createKey({ database, keyHasher }, operatorOf(tenantId), {
    appId,
    scopes: ['messages:read'],
  })
  const hook = { url: deps.receiver.url, eventTypes: ['*' as const] }
  const { endpoint } = await createEndpoint(deps, maker, appId, hook)
  const [attachmentId, attachedId] = [
    await uploadFile(deps, maker, mailboxId),
    await uploadFile(deps, maker, mailboxId),
  ]
  const { body: prepared } = await prepareUpload(deps, maker, newId(), { ...ANNOUNCED, mailboxId })
  const { id: messageId } = await deps.sender.send(maker, newId(), mailFrom(mailboxId, [attachedId]))
  const found = await database.first(sql<{ domainId: Uuid; deliveryId: Uuid; eventId: Uuid }>`
    select b.domain_id as "domainId", d.id as "deliveryId", d.event_id as "eventId"
    from mailboxes b, webhook_deliveries d
    where b.tenant_id = ${tenantId} and b.id = ${mailboxId} and d.tenant_id = ${tenantId} and d.endpoint_id = ${endpoint.id}`)
  const { id: replayId } = await database.transaction(async (tx) => {
    const [running] = (await listReplays(tx, maker, { appId })).items
    return running ?? startReplay(tx, maker, { appId }, { since: '2026-01-01' })
  })
  const requestId = newId()
  const { environmentId } = maker
  await writeRefusedRequests(database, [
    {
      ...{ tenantId, environmentId, requestId, appId, keyId, at: new Date().toISOString(), method: 'GET' },
      ...{ route: '/v1/messages', path: '/v1/messages', status: 400, code: 'validation_error' },
      ...{ clientAddress: '192.0.2.1', userAgent: null, durationMs: 1 },
    },
  ])
  const personId = await makePerson(database, tenantId, 'admin')
  const { token: linkToken } = await database.transaction((tx) =>
    makeLink(tx, personRef(personId), 'invitation', tenantId),
  )
  const { id: mailboxUserId } = await addMailboxUser(database, operatorOf(tenantId), {
    ...{ mailboxId, login: `${newId()}@example.test`, access: 'write' },
  })
  const { id: spareDomainId } = await addDomain(database, operatorOf(tenantId), {
    ...{ domain: `${newId()}.test`, vouched: true, checked: false },
  })
  await database.rows(sql`
    insert into recovery_addresses (tenant_id, user_id, address, verified_at)
    values (${tenantId}, ${mailboxUserId}, ${`${mailboxUserId}@elsewhere.example`}, clock_timestamp())`)
  const { id: suppressionId } = await addSuppression(
    database,
    { ...operatorOf(tenantId), environmentId: maker.environmentId },
    { address: `${newId()}@elsewhere.example` },
  )
  const writer: MailboxUser = {
    ...{ kind: 'mailbox_user', tenantId, environmentId: tenantId, mailboxUserId, origin: maker.origin },
    mailboxes: new Map([[mailboxId, 'write']]),
  }
  const { id: draftId } = await saveDraft(database, writer, newId(), { baseVersion: 0, ...writtenIn(mailboxId) })
  const { domainId, deliveryId, eventId } = found as { domainId: Uuid; deliveryId: Uuid; eventId: Uuid }
  return {
    ...{ maker, address, mailboxId, domainId, spareDomainId, appId, keyId, messageId, attachmentId, attachedId },
    ...{
      uploadId: prepared.uploadId,
      endpointId: endpoint.id,
      deliveryId,
      replayId,
      eventId,
      requestId,
      personId,
      linkToken,
      mailboxUserId,
      suppressionId,
      draftId,
    },
  }
}

/** Who has taken the invitation up, and is linked to the tenant's single sign-on, as the database has it. */
async function makePerson(database: Database, tenantId: Uuid, role: PersonRole): Promise<Uuid> {
  const email = `${newId()}@example.test`
  const { id } = await invitePerson(database, operatorOf(tenantId), { email, role })
  await database.rows(sql`
    insert into passwords (tenant_id, user_id, hash, stands_alone) values (${DIRECTORY}, ${id}, '', true)`)
  await database.rows(sql`
    update memberships set joined_at = clock_timestamp() where tenant_id = ${tenantId} and person_id = ${id}`)
  await database.rows(sql`
    insert into single_sign_on (tenant_id, issuer, client_id, client_secret)
    values (${tenantId}, 'https://id.example.test', 'mail', '') on conflict (tenant_id) do nothing`)
  await database.rows(sql`
    insert into identities (tenant_id, issuer, subject, person_id)
    values (${tenantId}, 'https://id.example.test', ${email}, ${id})`)
  return id
}
