// The worker of notices: writes each when it is due, with what is true by then, and submits it to the relay. At least once,
// under one Message-ID; given up after a day. Nothing waits for it, and nothing that it comes to changes anything else.
import { inGroups } from '../../lib/queue/in-groups.ts'
import type { Job } from '../../lib/queue/job.ts'
import type { Lease } from '../../lib/queue/lease.ts'
import type { WorkerOptions } from '../../lib/queue/worker.ts'
import { SealError, type SecretBox } from '../../lib/secret-box.ts'
import type { Database } from '../../lib/sql.ts'
import type { Uuid } from '../../lib/uuid.ts'
import { type BuiltMessage, buildMime } from '../../mail/build/build-mime.ts'
import { dkimSignature } from '../../mail/build/dkim-signature.ts'
import { canonicalAddress, UnbuildableMessage } from '../../mail/mail-address.ts'
import type { Relay } from '../../mail/smtp/relay.ts'
import type { DkimKeyring } from '../../mailboxes/dkim-keyring.ts'
import { findSigningKey } from '../../mailboxes/find-signing-key.ts'
import { sentMessageId } from '../../messages/message-id.ts'
import { type LoadedNotice, loadNotices } from '../../notices/load-notices.ts'
import { placeOfNoticeToken } from '../../notices/notice.ts'
import { type NoticeText, noticeText } from '../../notices/notice-text.ts'
import { type NoticeResult, recordNotices } from '../../notices/record-notices.ts'
import { findLink } from '../../users/links.ts'
import type { UserKind } from '../../users/user.ts'
import type { OutboundBackoff } from '../outbound/retry-wait.ts'
import { pageOfNotice } from './notice-page.ts'
import { dropped, type NoticeOutcome, noticeOutcome, putOff } from './notice-result.ts'

/** A notice that stops its worker this often is given up. */
export const NOTICE_RECEPTIONS = 5
const MOST_TOGETHER = 16

export interface MailNoticeDeps {
  database: Database
  relay: Pick<Relay, 'submit'>
  box: SecretBox
  dkimKeys: DkimKeyring
  /** Whom notices are from; undefined: none are mailed. */
  from: string | undefined
  /** Where console and webmail are, as their users know them. */
  siteUrls: { console: string; webmail: string }
  returnPathOf(id: Uuid): string
  backoff: OutboundBackoff
  random(): number
  /** Called with what each attempt came to. */
  onResult(report: NoticeReport): void
  /** Called with what only an operator can repair. */
  onTrouble(error: Error, noticeId: Uuid): void
  onOutOfTime(error: Error, noticeId: Uuid): void
}

/** What is logged: never whom it was for, nor what it said. */
export interface NoticeReport {
  noticeId: Uuid
  kind: string
  result: string
  outcome: 'mailed' | 'deferred' | 'dropped'
}

/** Makes the handler of the jobs of notices. */
export function createNoticeMailer(deps: MailNoticeDeps): WorkerOptions['handle'] {
  return inGroups<LoadedNotice | undefined, NoticeResult>({
    load: (jobs) => loadNotices(deps.database, jobs),
    work: async (job, notice, lease) => {
      if (!notice || notice.state === 'ended') return { job, how: { kind: 'done' } }
      const { how, status, result } = await mail(deps, job, notice, lease)
      const { tenantId, id } = notice
      if (how.kind !== 'giveBack') {
        const outcome = status === 'sent' ? 'mailed' : (status ?? 'deferred')
        deps.onResult({ noticeId: id, kind: notice.kind, result, outcome })
      }
      return { job, how, ...(status ? { ended: { tenantId, id, status } } : {}) }
    },
    record: (results) => recordNotices(deps.database, results),
    mostTogether: MOST_TOGETHER,
    onOutOfTime: (error, job) => deps.onOutOfTime(error, job.subjectId),
  })
}

async function mail(deps: MailNoticeDeps, job: Job, notice: LoadedNotice, lease: Lease): Promise<NoticeOutcome> {
  const { state, address, userKind } = notice
  if (deps.from === undefined) return dropped('not_configured')
  if (state !== 'wanted' || address === null || userKind === null) return dropped(state)
  if (job.exhausted) return dropped('receptions_exhausted')
  const attempt = typeof job.payload?.attempt === 'number' ? job.payload.attempt : 0
  try {
    const link = await linkOf(deps, notice, userKind)
    if (link === undefined) return dropped('link_ended')
    const text = noticeText(notice, { tenantName: notice.tenantName, userKind, link })
    const message = await build(deps, notice, { ...text, from: deps.from, to: address })
    const submission = await deps.relay.submit({
      envelopeFrom: deps.returnPathOf(notice.id),
      recipients: [address],
      message: message.bytes,
      // What comes back about it is of no use to anybody.
      envelopeId: null,
      smtpUtf8: message.smtpUtf8,
      stillWanted: () => lease.held(),
    })
    return noticeOutcome(submission, attempt, deps.backoff, deps.random())
  } catch (error) {
    if (error instanceof UnbuildableMessage) return dropped('unbuildable')
    if (!(error instanceof SealError)) throw error
    // The operator can bring the service's key back.
    deps.onTrouble(error, notice.id)
    return putOff('key_unavailable', attempt, deps.backoff, deps.random())
  }
}

/** Undefined when it is about a link that is no good any more. @throws SealError */
async function linkOf(deps: MailNoticeDeps, notice: LoadedNotice, userKind: UserKind): Promise<string | undefined> {
  const path = notice.sealedToken === null ? pageOfNotice(notice) : await pathOfLink(deps, notice, userKind)
  const { console, webmail } = deps.siteUrls
  return path && new URL(path, userKind === 'person' ? console : webmail).href
}

async function pathOfLink(
  { database, box }: MailNoticeDeps,
  notice: LoadedNotice,
  userKind: UserKind,
): Promise<string | undefined> {
  const token = box.open(notice.sealedToken as Buffer, placeOfNoticeToken(notice)).reveal()
  return (await findLink(database, userKind, token)) && `/enter/${token}`
}

/** @throws SealError, UnbuildableMessage */
async function build(
  deps: MailNoticeDeps,
  { id, createdAt }: LoadedNotice,
  { from, to, ...text }: NoticeText & { from: string; to: string },
): Promise<BuiltMessage> {
  const built = await buildMime({
    ...text,
    messageId: sentMessageId(id, canonicalAddress(from)),
    date: new Date(createdAt),
    from: { address: from, name: null },
    to: [{ address: to, name: null }],
    cc: [],
    autoSubmitted: true,
  })
  return { ...built, bytes: await signed(deps, from, built.bytes) }
}

/** @throws SealError: unsigned mail of a domain that signs would be taken for forged */
async function signed({ database, dkimKeys }: MailNoticeDeps, from: string, bytes: Buffer): Promise<Buffer> {
  const domain = canonicalAddress(from).split('@').at(-1) as string
  const key = await findSigningKey(database, domain)
  if (!key) return bytes
  const privateKey = dkimKeys.keyOf(key, key.selector, key.sealed)
  const signature = await dkimSignature([bytes], { domain, selector: key.selector, privateKey })
  return Buffer.concat([signature, bytes])
}
