// The part of the outbound role that mails notices, over the same connections to the relay.
import { startWorker, type Worker } from '../lib/queue/worker.ts'
import { createSecretBox } from '../lib/secret-box.ts'
import { type ReturnPathSettings, signReturnPath } from '../mail/return-path.ts'
import type { Relay } from '../mail/smtp/relay.ts'
import { createDkimKeyring } from '../mailboxes/dkim-keyring.ts'
import { NOTICE_QUEUE } from '../notices/notice.ts'
import { createNoticeMailer, NOTICE_RECEPTIONS, type NoticeReport } from '../workers/notices/mail-notice.ts'
import type { Parts } from './parts.ts'
import type { SiteUrls } from './site-urls.ts'

/** Of this process at once, so that they take next to nothing from messages. */
const CONCURRENCY = 2
/** Of a tenant, over all processes. */
const TENANT_CAP = 2

export function startNoticeWorker(
  parts: Omit<Parts, 'store' | 's3'>,
  { relay, returnPath, siteUrls }: { relay: Relay; returnPath: ReturnPathSettings; siteUrls: SiteUrls },
): Worker {
  const { config, log, database, wakeUps } = parts
  const box = createSecretBox(parts.secretKeys)
  if (config.noticesFrom === undefined) log.info('no notices are mailed: MDK_NOTICE_FROM is not set')
  return startWorker({
    queue: NOTICE_QUEUE,
    database,
    wakeUps,
    handle: createNoticeMailer({
      database,
      relay,
      box,
      dkimKeys: createDkimKeyring(box),
      from: config.noticesFrom,
      siteUrls,
      returnPathOf: (id) => signReturnPath(id, returnPath),
      backoff: config.outboundBackoff,
      random: Math.random,
      onResult: (report) => logNotice(log, report),
      onTrouble: (error, noticeId) => log.error({ err: error, noticeId }, 'a notice cannot be written, and waits'),
      onOutOfTime: (error, noticeId) =>
        log.error({ err: error, noticeId }, 'the database takes too long with a notice, which waits'),
    }),
    concurrency: CONCURRENCY,
    laneCap: TENANT_CAP,
    receptionBudget: NOTICE_RECEPTIONS,
    leaseMs: config.leaseMs,
    pollMs: config.pollMs,
    onError: (error, job) => log.error({ err: error, noticeId: job?.subjectId }, 'a notice could not be mailed'),
  })
}

/** What nobody wants any more, or nobody is configured to mail, is no news to an operator. */
function logNotice(log: Parts['log'], { outcome, ...report }: NoticeReport): void {
  if (outcome === 'mailed') log.info(report, 'a notice was mailed')
  else if (outcome === 'deferred') log.info(report, 'a notice was deferred')
  else if (['unwanted', 'link_ended', 'not_configured'].includes(report.result)) {
    log.debug(report, 'a notice was not wanted')
  } else log.warn(report, 'a notice was given up')
}
