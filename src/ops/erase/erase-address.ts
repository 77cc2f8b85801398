// Erases an address: whatever is about it ends, but for what a legal hold keeps. What was done is recorded without the address.
// May be ended at any moment and run again, beside the service and beside itself. specification.md#erasing-an-address
import { createHmac } from 'node:crypto'
import { type Operator, operatorIn } from '../../access/actor.ts'
import { invalidField } from '../../access/problem.ts'
import { eraseCorrespondents } from '../../activity/correspondents/erase-correspondents.ts'
import { eraseFromAudit } from '../../audit/erase-from-audit.ts'
import { recordAct } from '../../audit/record.ts'
import { eraseEventsNaming } from '../../events/erase-events.ts'
import { eraseKeptAnswers } from '../../idempotency/erase-answers.ts'
import { isEmailAddress } from '../../lib/formats.ts'
import { deriveKeys, type SecretKeys } from '../../lib/secret-box.ts'
import type { Database, Db } from '../../lib/sql.ts'
import type { Uuid } from '../../lib/uuid.ts'
import { addressPattern } from '../../mail/address-pattern.ts'
import { eraseImageSenders } from '../../mailboxes/erase-image-senders.ts'
import { eraseSignatures } from '../../mailboxes/erase-signatures.ts'
import { findOwnAddress } from '../../mailboxes/find-own-address.ts'
import { eraseDrafts } from '../../messages/drafts/erase-drafts.ts'
import { eraseMessage } from '../../messages/erase-message.ts'
import { messagesNaming } from '../../messages/find-naming.ts'
import { eraseFromNotices } from '../../notices/erase-from-notices.ts'
import { eraseFromRequests } from '../../requests/erase-from-requests.ts'
import { eraseStops } from '../../suppressions/erase-address.ts'
import { suppressionKey } from '../../suppressions/suppressed.ts'
import { eraseRecoveryAddress, findLogins } from '../../users/erase-recovery-address.ts'
import { eraseAnswers } from '../../webhooks/erase-answers.ts'
import { namingRows } from './naming-rows.ts'

export interface EraseRequest {
  address: string
  /** Null for all, and for what belongs to none. */
  tenantId: Uuid | null
  /** It stays stopped: no mail of the service goes there in future either. */
  keepStops: boolean
}

export interface Erasure {
  /** What ended or was taken out of what stays, by what it was. */
  erased: Record<string, number>
  /** Messages that show nowhere any more and that a legal hold keeps. */
  held: number
  /** Messages that a worker had at that moment: run it again. */
  underWay: number
  /** Rows that still name it, by table: what is held, and what people have named so. */
  left: Record<string, number>
}

/** How many rows name it, by table. Changes nothing. @throws Problem as eraseAddress */
export async function findAddress(db: Db, { address, tenantId }: EraseRequest): Promise<Record<string, number>> {
  return namingRows(db, tenantId, patternOf(address))
}

/** `onProgress` hears how many messages have ended so far. @throws Problem validation_error: it is no address, or one of ours */
export async function eraseAddress(
  { database, secretKeys }: { database: Database; secretKeys: SecretKeys },
  by: Operator,
  request: EraseRequest,
  onProgress: (messages: number) => void = () => {},
): Promise<Erasure> {
  const { address, tenantId } = request
  const pattern = patternOf(address)
  await refuseOwn(database, tenantId, pattern)
  const named = await namingRows(database, tenantId, pattern)
  await database.transaction((tx) =>
    recordAct(tx, by, {
      operation: 'erase',
      resourceType: 'address',
      resourceId: null,
      ...(tenantId === null ? {} : { tenantId }),
      details: { addressHash: hashOf(secretKeys, address), named },
    }),
  )
  const messages = { erased: 0, held: 0, under_way: 0, absent: 0 }
  for await (const page of messagesNaming(database, tenantId, pattern)) {
    for (const message of page) {
      messages[await eraseMessage(database, operatorIn(by, message), message.id)] += 1
      onProgress(messages.erased)
    }
  }
  let events = 0
  for await (const count of eraseEventsNaming(database, tenantId, pattern)) events += count
  const erased = {
    messages: messages.erased,
    events,
    drafts: await eraseDrafts(database, tenantId, pattern),
    correspondents: await eraseCorrespondents(database, tenantId, pattern),
    signatures: await eraseSignatures(database, tenantId, pattern),
    ...(await eraseStops(database, tenantId, { ...request, pattern })),
    auditRecords: await eraseFromAudit(database, tenantId, pattern),
    refusedRequests: await eraseFromRequests(database, tenantId, pattern),
    webhookAnswers: await eraseAnswers(database, tenantId, pattern),
    keptAnswers: await eraseKeptAnswers(database, tenantId, pattern),
    notices: await eraseFromNotices(database, tenantId, pattern),
    imageSenders: await eraseImageSenders(database, tenantId, pattern),
    recoveryAddresses: await eraseRecoveryAddress(database, tenantId, pattern),
  }
  const { held, under_way: underWay } = messages
  return { erased, held, underWay, left: await namingRows(database, tenantId, pattern) }
}

/** @throws Problem validation_error */
function patternOf(address: string): string {
  if (!isEmailAddress(address)) throw invalidField('address', 'must be an email address such as name@example.com')
  return addressPattern(suppressionKey(address))
}

/** Who signs in here, and what mail is received for here, is ended by the commands for it first. */
async function refuseOwn(db: Db, tenantId: Uuid | null, pattern: string): Promise<void> {
  const [login] = await findLogins(db, tenantId, pattern)
  if (login) {
    const how = login.kind === 'person' ? 'mdk person remove' : 'mdk mailbox user remove'
    throw invalidField('address', `user ${login.id} signs in by it: end that first (${how})`)
  }
  const [mailbox] = await findOwnAddress(db, tenantId, pattern)
  if (mailbox) {
    throw invalidField(
      'address',
      `it is that of mailbox ${mailbox.id}: its mail is ended by the plan or message by message`,
    )
  }
}

/** By which somebody who knows address and keys can see that it was erased, and nobody else what it was. */
function hashOf(secretKeys: SecretKeys, address: string): string {
  const [{ key, version }] = deriveKeys(secretKeys, 'erased-address')
  return `${version}:${createHmac('sha256', key).update(suppressionKey(address)).digest('hex')}`
}
