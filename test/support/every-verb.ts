// Every verb of the features that takes an actor, and how it is asked about one of each thing.
import assert from 'node:assert/strict'
import type { Actor, Application, MailboxUser, TenantActor, TenantOperator } from '../../src/access/actor.ts'
import { type Action, mayDo } from '../../src/access/permissions.ts'
import { problem } from '../../src/access/problem.ts'
import { findRecipients } from '../../src/activity/correspondents/find-recipients.ts'
import { countEvents } from '../../src/activity/count-events.ts'
import { countInFolders } from '../../src/activity/count-in-folders.ts'
import { countSentByApp } from '../../src/activity/count-sent-by-app.ts'
import { largestMailboxes, mailboxFigures } from '../../src/activity/mailbox-figures.ts'
import { countRequests } from '../../src/apps/count-requests.ts'
import { createApp } from '../../src/apps/create-app.ts'
import { createKey } from '../../src/apps/create-key.ts'
import { listApps } from '../../src/apps/list-apps.ts'
import { listAppsHere } from '../../src/apps/list-apps-here.ts'
import { listKeys } from '../../src/apps/list-keys.ts'
import { listSandboxes } from '../../src/apps/list-sandboxes.ts'
import { readApp } from '../../src/apps/read-app.ts'
import { readTenant } from '../../src/apps/read-tenant.ts'
import { renameTenant } from '../../src/apps/rename-tenant.ts'
import { replaceKey } from '../../src/apps/replace-key.ts'
import { revokeKey } from '../../src/apps/revoke-key.ts'
import { searchApps } from '../../src/apps/search-apps.ts'
import { setContentSeen } from '../../src/apps/see-content.ts'
import { setAppStatus } from '../../src/apps/set-app-status.ts'
import { beginJsonUpload } from '../../src/attachments/begin-json-upload.ts'
import { completeUpload } from '../../src/attachments/complete-upload.ts'
import { downloadInJson, findForJson } from '../../src/attachments/download-in-json.ts'
import { downloadUrl } from '../../src/attachments/download-url.ts'
import { openAttachment } from '../../src/attachments/open-attachment.ts'
import { beginOwnUpload } from '../../src/attachments/own/begin-own-upload.ts'
import { completeOwnUpload } from '../../src/attachments/own/complete-own-upload.ts'
import { putOwnUpload } from '../../src/attachments/own/put-own-upload.ts'
import { prepareUpload } from '../../src/attachments/prepare-upload.ts'
import { readAttachment } from '../../src/attachments/read-attachment.ts'
import { removeLostAttachment } from '../../src/attachments/remove-lost-attachment.ts'
import { listAudit } from '../../src/audit/list-audit.ts'
import { pageAudit } from '../../src/audit/page-audit.ts'
import { BEGINNING } from '../../src/events/cursor.ts'
import { followEvents } from '../../src/events/follow-events.ts'
import { listEvents } from '../../src/events/list-events.ts'
import { pageEvents } from '../../src/events/page-events.ts'
import { readEvent } from '../../src/events/read-event.ts'
import { triggerEvent } from '../../src/events/trigger-event.ts'
import { beginExport } from '../../src/exports/begin-export.ts'
import { messagesExport } from '../../src/exports/messages-export.ts'
import { sql } from '../../src/lib/sql.ts'
import { newId } from '../../src/lib/uuid.ts'
import { addCheckedDomain } from '../../src/mailboxes/add-checked-domain.ts'
import { addDomain } from '../../src/mailboxes/add-domain.ts'
import { checkAddedDomain, checkDomainNow } from '../../src/mailboxes/check-domain-now.ts'
import { createMailbox } from '../../src/mailboxes/create-mailbox.ts'
import { firstMailbox } from '../../src/mailboxes/first-mailbox.ts'
import {
  addImageSender,
  isImageSender,
  listImageSenders,
  removeImageSender,
} from '../../src/mailboxes/image-senders.ts'
import { listDomains } from '../../src/mailboxes/list-domains.ts'
import { listMailboxes } from '../../src/mailboxes/list-mailboxes.ts'
import { listOwnMailboxes } from '../../src/mailboxes/list-own-mailboxes.ts'
import { changeOwnSettings, readOwnSettings } from '../../src/mailboxes/own-settings.ts'
import { pageMailboxes, readMailbox } from '../../src/mailboxes/page-mailboxes.ts'
import { readDomain, readDomains } from '../../src/mailboxes/read-domain.ts'
import { removeDomain } from '../../src/mailboxes/remove-domain.ts'
import { renameMailbox } from '../../src/mailboxes/rename-mailbox.ts'
import { rotateDkimKey } from '../../src/mailboxes/rotate-dkim-key.ts'
import { searchDomains } from '../../src/mailboxes/search-domains.ts'
import { searchMailboxes } from '../../src/mailboxes/search-mailboxes.ts'
import { listSenderIdentities, setSenderIdentity } from '../../src/mailboxes/sender-identities.ts'
import { setMailboxStatus } from '../../src/mailboxes/set-mailbox-status.ts'
import { authorsOfMessages } from '../../src/messages/authors-of-messages.ts'
import { cancelMessage } from '../../src/messages/cancel-message.ts'
import { listConversations } from '../../src/messages/conversations/list-conversations.ts'
import { readConversation } from '../../src/messages/conversations/read-conversation.ts'
import { countQueued } from '../../src/messages/count-queued.ts'
import { deleteLostMessage } from '../../src/messages/delete-lost-message.ts'
import { deleteMessage } from '../../src/messages/delete-message.ts'
import { countDrafts } from '../../src/messages/drafts/count-drafts.ts'
import { discardDraft } from '../../src/messages/drafts/discard-draft.ts'
import { listDrafts } from '../../src/messages/drafts/list-drafts.ts'
import { readDraft } from '../../src/messages/drafts/read-draft.ts'
import { saveDraft } from '../../src/messages/drafts/save-draft.ts'
import { sendDraft } from '../../src/messages/drafts/send-draft.ts'
import { takeBackDraft } from '../../src/messages/drafts/take-back-draft.ts'
import { eraseMessage } from '../../src/messages/erase-message.ts'
import { deleteFolder } from '../../src/messages/filing/delete-folder.ts'
import { deleteForGood } from '../../src/messages/filing/delete-for-good.ts'
import { fileFolder } from '../../src/messages/filing/file-folder.ts'
import { fileMessages } from '../../src/messages/filing/file-messages.ts'
import { undoFiling } from '../../src/messages/filing/undo-filing.ts'
import { firstReasons } from '../../src/messages/first-reasons.ts'
import { holdMessage } from '../../src/messages/hold-message.ts'
import { openOwnAttachment, openOwnAttachments } from '../../src/messages/own/open-own-attachment.ts'
import { openOwnFile } from '../../src/messages/own/open-own-file.ts'
import { openOwnSource } from '../../src/messages/own/open-own-source.ts'
import { readOwnMessage } from '../../src/messages/own/read-own-message.ts'
import { readOwnText } from '../../src/messages/own/read-own-text.ts'
import { requireRemoteImages } from '../../src/messages/own/require-remote-images.ts'
import { zipOwnAttachments } from '../../src/messages/own/zip-own-attachments.ts'
import { pageMessages } from '../../src/messages/page-messages.ts'
import { readPlanUsage } from '../../src/messages/plan-usage.ts'
import { purgeMessage } from '../../src/messages/purge-message.ts'
import { readMessage } from '../../src/messages/read-message.ts'
import { readMessageHead } from '../../src/messages/read-message-head.ts'
import { readRawMessage } from '../../src/messages/read-raw.ts'
import { releaseMessage } from '../../src/messages/release-message.ts'
import { searchMail } from '../../src/messages/search-mail.ts'
import { messageTimeline } from '../../src/messages/timeline/message-timeline.ts'
import { tryMessageNow } from '../../src/messages/try-message-now.ts'
import { updateMessage } from '../../src/messages/update-message.ts'
import { viewMessageContent, viewMessageSource } from '../../src/messages/view-content.ts'
import { listRefusedRequests, readRefusedRequest } from '../../src/requests/list-refused-requests.ts'
import { createEndpoint } from '../../src/webhooks/create-endpoint.ts'
import { deleteEndpoint } from '../../src/webhooks/delete-endpoint.ts'
import { disableEndpoint } from '../../src/webhooks/disable-endpoint.ts'
import { enableEndpoint } from '../../src/webhooks/enable-endpoint.ts'
import { endpointFigures } from '../../src/webhooks/endpoint-figures.ts'
import { eventsOfMessage } from '../../src/webhooks/events-of-message.ts'
import { listAttempts } from '../../src/webhooks/list-attempts.ts'
import { listDeliveries } from '../../src/webhooks/list-deliveries.ts'
import { listEndpoints } from '../../src/webhooks/list-endpoints.ts'
import { readDelivery } from '../../src/webhooks/read-delivery.ts'
import { readEndpoint } from '../../src/webhooks/read-endpoint.ts'
import { readRequest } from '../../src/webhooks/read-request.ts'
import { replayDelivery, replayDeliveryOnce } from '../../src/webhooks/replay-delivery.ts'
import { replaySeenDelivery } from '../../src/webhooks/replay-seen-delivery.ts'
import { listReplays, readReplay } from '../../src/webhooks/replays/read-replay.ts'
import { startReplay, startReplayOnce } from '../../src/webhooks/replays/start-replay.ts'
import { stopReplay } from '../../src/webhooks/replays/stop-replay.ts'
import { rotateSecret } from '../../src/webhooks/rotate-secret.ts'
import { searchEndpoints } from '../../src/webhooks/search-endpoints.ts'
import { testEndpoint } from '../../src/webhooks/test-endpoint.ts'
import { updateEndpoint } from '../../src/webhooks/update-endpoint.ts'
import { keyHasher } from './hash-turns.ts'
import {
  ANNOUNCED,
  announcedBytes,
  FILE,
  IN_JSON,
  mailFrom,
  type OneOfEach,
  type VerbDeps,
  writtenIn,
} from './one-of-each.ts'
import { peopleVerbs } from './people-verbs.ts'
import { suppressionVerbs } from './suppression-verbs.ts'

/** How a verb is asked, about things which may be the actor's or not. */
export interface Verb<By extends Actor> {
  action: Action
  /** Who reaches what it names: all of the tenant, of the environment, or of an environment but for other applications. */
  of: 'tenant' | 'environment' | 'application'
  ask(actor: By, of: OneOfEach): Promise<unknown>
  /** It names nothing: everybody asks it about what is their own. */
  namesNothing?: true
  /** It ends what it names, or takes a message that is no longer on its way: it is asked about things of its own. */
  ends?: true
  /** To whoever may only read in the mailbox it is absent. */
  isHidden?: true
  /** Of a mailbox user: it is about what is the user's beside the mailboxes. */
  ofUser?: true
}

const aPage = { limit: 100 }
/** Some verbs say by their answer that there is nothing. */
const found = <T>(value: T) => {
  if (!value) throw problem('not_found')
  return value
}
/** By the type of actor that each declares. */
export interface EveryVerb {
  Application: Record<string, Verb<Application>>
  MailboxUser: Record<string, Verb<MailboxUser>>
  TenantActor: Record<string, Verb<TenantActor>>
  TenantOperator: Record<string, Verb<TenantOperator>>
}

export function everyVerb(deps: VerbDeps): EveryVerb {
  const { database, sender } = deps
  const hook = { url: deps.receiver.url, eventTypes: ['*' as const] }

  const jsonUpload = async (actor: Application, mailboxId: string) => {
    const upload = await beginJsonUpload(deps, actor, newId())
    assert(mayDo(actor, 'writeAttachments'), 'a key was held for who may not')
    try {
      return await upload.finish({ ...IN_JSON, mailboxId })
    } catch (error) {
      await upload.abandon()
      throw error
    } finally {
      upload.end()
    }
  }

  /** Asked by applications only. */
  const byApplications: Record<string, Verb<Application>> = {
    send: {
      ...{ action: 'sendMessages', of: 'tenant' },
      ask: (actor, { mailboxId }) => sender.send(actor, newId(), mailFrom(mailboxId)),
    },
    beginJsonUpload: {
      ...{ action: 'writeAttachments', of: 'tenant' },
      ask: (actor, { mailboxId }) => jsonUpload(actor, mailboxId),
    },
    prepareUpload: {
      ...{ action: 'writeAttachments', of: 'tenant' },
      ask: (actor, { mailboxId }) => prepareUpload(deps, actor, newId(), { ...ANNOUNCED, mailboxId }),
    },
    completeUpload: {
      ...{ action: 'writeAttachments', of: 'environment' },
      ask: (actor, { uploadId }) => completeUpload(deps, actor, uploadId),
    },
    findForJson: {
      ...{ action: 'readAttachments', of: 'environment' },
      ask: (actor, { attachmentId }) => findForJson(database, actor, attachmentId),
    },
    // Of what the verb before has found.
    downloadInJson: {
      ...{ action: 'readAttachments', of: 'environment' },
      ask: async (actor, { attachmentId }) =>
        downloadInJson(deps.store, actor, await findForJson(database, actor, attachmentId)),
    },
    downloadUrl: {
      ...{ action: 'readAttachments', of: 'environment' },
      ask: (actor, { attachmentId }) => downloadUrl(deps, actor, attachmentId),
    },
    startReplayOnce: {
      ...{ action: 'replayDeliveries', of: 'application' },
      ask: (actor, { endpointId }) => startReplayOnce(deps, actor, newId(), endpointId, { since: '2026-01-01' }),
    },
    replayDeliveryOnce: {
      ...{ action: 'replayDeliveries', of: 'application' },
      ask: (actor, { deliveryId }) => replayDeliveryOnce(deps, actor, newId(), deliveryId),
    },
  }

  /** Asked by mailbox users only, each of whom has some mailboxes of the tenant. */
  const byMailboxUsers: Record<string, Verb<MailboxUser>> = {
    listOwnMailboxes: {
      ...{ action: 'readMailboxes', of: 'tenant', namesNothing: true },
      ask: (actor) => listOwnMailboxes(database, actor),
    },
    countInFolders: {
      ...{ action: 'readMessages', of: 'tenant', namesNothing: true },
      ask: async (actor) => [...(await countInFolders(database, actor)).keys()],
    },
    fileMessages: {
      ...{ action: 'fileMessages', of: 'tenant' },
      ask: (actor, { messageId, mailboxId: mailbox }) => {
        const place = { messages: [messageId], folder: 'sent', mailbox, wholeConversations: true } as const
        return fileMessages(database, actor, 'unread', place)
      },
    },
    undoFiling: {
      ...{ action: 'fileMessages', of: 'tenant' },
      ask: async (actor, { messageId, mailboxId }) => {
        return { mailboxId, ...(await undoFiling(database, actor, [{ messageId, mailboxId, isStarred: true }])) }
      },
    },
    fileFolder: {
      ...{ action: 'fileMessages', of: 'tenant' },
      ask: (actor, { mailboxId: mailbox }) =>
        fileFolder(database, actor, 'read', { folder: 'sent', mailbox, until: '2999-01-01' }),
    },
    deleteForGood: {
      ...{ action: 'endMessages', of: 'tenant', ends: true },
      ask: async (actor, { messageId, mailboxId }) => {
        const place = { messages: [messageId], folder: 'sent', mailbox: mailboxId, wholeConversations: true } as const
        return { mailboxId, ...(await deleteForGood(database, actor, place)) }
      },
    },
    deleteFolder: {
      ...{ action: 'endMessages', of: 'tenant' },
      ask: async (actor, { mailboxId }) => {
        const place = { folder: 'sent', mailbox: mailboxId, until: '2999-01-01' } as const
        return { mailboxId, ...(await deleteFolder(database, actor, place)) }
      },
    },
    listConversations: {
      ...{ action: 'readMessages', of: 'tenant' },
      ask: (actor, { mailboxId }) => listConversations(database, actor, { mailboxId, folder: 'sent', ...aPage }),
    },
    readConversation: {
      ...{ action: 'readMessages', of: 'tenant' },
      ask: (actor, { messageId }) => readConversation(database, actor, messageId, undefined),
    },
    readOwnMessage: {
      ...{ action: 'readMessages', of: 'tenant' },
      ask: (actor, { messageId }) => readOwnMessage(database, actor, messageId),
    },
    openOwnSource: {
      ...{ action: 'readMessages', of: 'tenant', ends: true },
      ask: async (actor, { messageId, mailboxId }) => {
        return { ...(await openOwnSource(database, deps.store, actor, messageId)), mailboxId }
      },
    },
    openOwnAttachment: {
      ...{ action: 'readAttachments', of: 'tenant' },
      ask: async (actor, { messageId, attachedId, mailboxId }) => {
        return { ...(await openOwnAttachment(database, deps.store, actor, messageId, attachedId)), mailboxId }
      },
    },
    openOwnAttachments: {
      ...{ action: 'readAttachments', of: 'tenant' },
      ask: async (actor, { messageId, mailboxId }) => {
        return [mailboxId, ...(await openOwnAttachments(database, deps.store, actor, messageId))]
      },
    },
    readOwnText: {
      ...{ action: 'readAttachments', of: 'tenant' },
      ask: async (actor, { messageId, attachedId, mailboxId }) => {
        return { ...(await readOwnText(database, deps.store, actor, messageId, attachedId)), mailboxId }
      },
    },
    zipOwnAttachments: {
      ...{ action: 'readAttachments', of: 'tenant' },
      ask: async (actor, { messageId, mailboxId }) => {
        const { sizeBytes, bytes } = await zipOwnAttachments(database, deps.store, actor, messageId, new Date())
        bytes.destroy()
        return { sizeBytes, mailboxId }
      },
    },
    requireRemoteImages: {
      ...{ action: 'readMessages', of: 'tenant' },
      ask: async (actor, { messageId, mailboxId }) => {
        await requireRemoteImages(database, actor, messageId)
        return mailboxId
      },
    },
    readOwnSettings: {
      ...{ action: 'readMailboxes', of: 'tenant', ofUser: true },
      ask: (actor) => readOwnSettings(database, actor),
    },
    changeOwnSettings: {
      ...{ action: 'readMailboxes', of: 'tenant', ofUser: true },
      ask: (actor) => changeOwnSettings(database, actor, { theme: 'dark' }),
    },
    listImageSenders: {
      ...{ action: 'readMailboxes', of: 'tenant', ofUser: true },
      ask: (actor) => listImageSenders(database, actor),
    },
    isImageSender: {
      ...{ action: 'readMailboxes', of: 'tenant', ofUser: true },
      ask: (actor, { address }) => isImageSender(database, actor, address),
    },
    addImageSender: {
      ...{ action: 'readMailboxes', of: 'tenant', ofUser: true },
      ask: (actor, { address }) => addImageSender(database, actor, address),
    },
    removeImageSender: {
      ...{ action: 'readMailboxes', of: 'tenant', ofUser: true },
      ask: (actor, { address }) => removeImageSender(database, actor, address),
    },
    findRecipients: {
      ...{ action: 'readMessages', of: 'tenant' },
      ask: async (actor, { mailboxId }) => [mailboxId, await findRecipients(database, actor, { mailboxId, q: 'a' })],
    },
    listSenderIdentities: {
      ...{ action: 'sendMessages', of: 'tenant', namesNothing: true },
      ask: (actor) => listSenderIdentities(database, actor),
    },
    setSenderIdentity: {
      ...{ action: 'sendMessages', of: 'tenant' },
      ask: (actor, { mailboxId, mailboxUserId }) =>
        setSenderIdentity(database, { ...actor, mailboxUserId }, mailboxId, { name: 'Ada', signature: null }),
    },
    openOwnFile: {
      ...{ action: 'readAttachments', of: 'tenant' },
      ask: async (actor, { attachedId, mailboxId }) => {
        const { filename } = await openOwnFile(database, deps.store, actor, attachedId)
        return { filename, mailboxId }
      },
    },
    beginOwnUpload: {
      ...{ action: 'writeAttachments', of: 'tenant' },
      ask: async (actor, { mailboxId }) => ({
        ...(await beginOwnUpload(deps, actor, newId(), { ...ANNOUNCED, mailboxId })),
        mailboxId,
      }),
    },
    putOwnUpload: {
      ...{ action: 'writeAttachments', of: 'tenant', isHidden: true },
      ask: async (actor, { uploadId, mailboxId }) => {
        await putOwnUpload(deps, actor, uploadId, {
          mediaType: FILE.mediaType,
          sizeBytes: undefined,
          bytes: announcedBytes(),
        })
        return mailboxId
      },
    },
    // What the verb before has put.
    completeOwnUpload: {
      ...{ action: 'writeAttachments', of: 'tenant', isHidden: true },
      ask: (actor, { uploadId }) => completeOwnUpload(deps, actor, uploadId),
    },
    readDraft: {
      ...{ action: 'sendMessages', of: 'tenant', isHidden: true },
      ask: (actor, { draftId }) => readDraft(database, actor, draftId),
    },
    listDrafts: {
      ...{ action: 'sendMessages', of: 'tenant' },
      ask: (actor, { mailboxId }) => listDrafts(database, actor, { mailboxId, ...aPage }),
    },
    countDrafts: {
      ...{ action: 'sendMessages', of: 'tenant', isHidden: true, namesNothing: true },
      ask: async (actor) => [...(await countDrafts(database, actor)).keys()],
    },
    saveDraft: {
      ...{ action: 'sendMessages', of: 'tenant' },
      ask: (actor, { draftId, mailboxId }) =>
        saveDraft(database, actor, draftId, { baseVersion: 1, ...writtenIn(mailboxId), body: 'y' }),
    },
    sendDraft: {
      ...{ action: 'sendMessages', of: 'tenant', isHidden: true },
      ask: async (actor, { draftId, mailboxId }) => ({
        mailboxId,
        ...(await sendDraft(deps, actor, draftId, { version: 2 })),
      }),
    },
    takeBackDraft: {
      ...{ action: 'sendMessages', of: 'tenant', isHidden: true },
      ask: (actor, { draftId }) => takeBackDraft(database, actor, draftId),
    },
    // It succeeds where there is nothing to discard.
    discardDraft: {
      ...{ action: 'sendMessages', of: 'tenant', isHidden: true, ends: true },
      ask: async (actor, { draftId }) => {
        await discardDraft(database, actor, draftId)
        const ended = await database.first(sql<{ mailboxId: string }>`
          select mailbox_id as "mailboxId" from ended_drafts where tenant_id = ${actor.tenantId} and id = ${draftId}`)
        return found(ended && actor.mailboxes.get(ended.mailboxId) === 'write' ? ended : undefined)
      },
    },
    searchMail: {
      ...{ action: 'readMessages', of: 'tenant' },
      ask: (actor, { mailboxId }) =>
        searchMail(database, actor, { q: 'in:sent', mailboxId, timeZone: 'UTC', ...aPage }),
    },
  }

  /** Asked by all but mailbox users. What is read comes before what is changed. */
  const byAll: Record<string, Verb<TenantActor>> = {
    ...peopleVerbs(deps),
    ...suppressionVerbs(deps),
    listMailboxes: {
      ...{ action: 'readMailboxes', of: 'tenant', namesNothing: true },
      ask: (actor) => listMailboxes(database, actor),
    },
    firstMailbox: {
      ...{ action: 'readMailboxes', of: 'tenant', namesNothing: true },
      ask: (actor) => firstMailbox(database, actor),
    },
    pageMailboxes: {
      ...{ action: 'readMailboxes', of: 'tenant', namesNothing: true },
      ask: (actor) => pageMailboxes(database, actor, aPage),
    },
    readMailbox: {
      ...{ action: 'readMailboxes', of: 'tenant' },
      ask: (actor, { mailboxId }) => readMailbox(database, actor, mailboxId),
    },
    mailboxFigures: {
      ...{ action: 'readMailboxes', of: 'environment', namesNothing: true },
      ask: async (actor) => [...(await mailboxFigures(database, actor, [])).keys()],
    },
    largestMailboxes: {
      ...{ action: 'readMailboxes', of: 'environment', namesNothing: true },
      ask: (actor) => largestMailboxes(database, actor, 10),
    },
    readDomains: {
      ...{ action: 'readDomains', of: 'tenant', namesNothing: true },
      ask: (actor) => readDomains(database, actor),
    },
    readDomain: {
      ...{ action: 'readDomains', of: 'tenant' },
      ask: (actor, { domainId }) => readDomain(database, actor, domainId),
    },
    listDomains: {
      ...{ action: 'readDomains', of: 'tenant', namesNothing: true },
      ask: (actor) => listDomains(database, actor),
    },
    searchMailboxes: {
      ...{ action: 'readMailboxes', of: 'tenant', namesNothing: true },
      ask: (actor, { mailboxId: id }) => searchMailboxes(database, actor, { text: id, id }, 5),
    },
    searchDomains: {
      ...{ action: 'readDomains', of: 'tenant', namesNothing: true },
      ask: (actor, { domainId: id }) => searchDomains(database, actor, { text: id, id }, 5),
    },
    searchApps: {
      ...{ action: 'readApplications', of: 'tenant', namesNothing: true },
      ask: (actor, { appId: id }) => searchApps(database, actor, { text: id, id }, 5),
    },
    searchEndpoints: {
      ...{ action: 'readWebhooks', of: 'application', namesNothing: true },
      ask: (actor, { endpointId: id }) => searchEndpoints(database, actor, { text: id, id }, 5),
    },
    listEvents: {
      ...{ action: 'readEvents', of: 'environment', namesNothing: true },
      ask: (actor) => listEvents(deps, actor, aPage),
    },
    pageEvents: {
      ...{ action: 'readEvents', of: 'environment', namesNothing: true },
      ask: (actor) => pageEvents(database, actor, aPage),
    },
    followEvents: {
      ...{ action: 'readEvents', of: 'environment', namesNothing: true },
      ask: async (actor) => {
        const heard: unknown[] = []
        const begins = () => {}
        const hears = (changes: unknown) => heard.push(changes)
        const end = await followEvents(deps.feed, actor, deps.cursors.encode(actor, BEGINNING), { begins, hears })
        end()
        return heard
      },
    },
    readEvent: {
      ...{ action: 'readEvents', of: 'environment' },
      ask: (actor, { eventId }) => readEvent(database, actor, eventId),
    },
    readAttachment: {
      ...{ action: 'readAttachments', of: 'environment' },
      ask: (actor, { attachmentId }) => readAttachment(database, actor, attachmentId),
    },
    listAudit: {
      ...{ action: 'readAudit', of: 'tenant', namesNothing: true },
      ask: (actor) => listAudit(database, actor, 1_000),
    },
    pageAudit: {
      ...{ action: 'readAudit', of: 'tenant', namesNothing: true },
      ask: (actor) => pageAudit(database, actor, aPage),
    },
    listRefusedRequests: {
      ...{ action: 'readRequests', of: 'environment', namesNothing: true },
      ask: (actor) => listRefusedRequests(database, actor, aPage),
    },
    readRefusedRequest: {
      ...{ action: 'readRequests', of: 'environment' },
      ask: (actor, { requestId }) => readRefusedRequest(database, actor, requestId),
    },
    beginExport: {
      ...{ action: 'readMessages', of: 'environment', namesNothing: true },
      ask: async (actor) => {
        const { text, close } = await beginExport(database, actor, messagesExport, {}, new AbortController().signal)
        const lines = await Array.fromAsync(text)
        close()
        return lines
      },
    },
    listEndpoints: {
      ...{ action: 'readWebhooks', of: 'application', namesNothing: true },
      ask: (actor) => listEndpoints(database, actor),
    },
    listDeliveries: {
      ...{ action: 'readWebhooks', of: 'application' },
      ask: (actor, { endpointId }) => listDeliveries(database, actor, { ...aPage, endpointId }),
    },
    readEndpoint: {
      ...{ action: 'readWebhooks', of: 'application' },
      ask: (actor, { endpointId }) => readEndpoint(database, actor, endpointId),
    },
    readDelivery: {
      ...{ action: 'readWebhooks', of: 'application' },
      ask: (actor, { deliveryId }) => readDelivery(database, actor, deliveryId),
    },
    listAttempts: {
      ...{ action: 'readWebhooks', of: 'application' },
      ask: (actor, { deliveryId }) => listAttempts(database, actor, deliveryId),
    },
    endpointFigures: {
      ...{ action: 'readWebhooks', of: 'application' },
      ask: (actor, { endpointId }) => endpointFigures(database, actor, endpointId, '2026-01-01'),
    },
    readReplay: {
      ...{ action: 'readWebhooks', of: 'application' },
      ask: (actor, { replayId }) => readReplay(database, actor, replayId),
    },
    listReplays: {
      ...{ action: 'readWebhooks', of: 'application' },
      ask: (actor, { appId }) => listReplays(database, actor, { appId }),
    },
    readRequest: {
      ...{ action: 'readWebhooks', of: 'application' },
      ask: (actor, { deliveryId }) => readRequest(database, actor, deliveryId),
    },
    listAppsHere: {
      ...{ action: 'readApplications', of: 'environment', namesNothing: true },
      ask: (actor) => listAppsHere(database, actor),
    },
    listApps: {
      ...{ action: 'readApplications', of: 'tenant', namesNothing: true },
      ask: (actor) => listApps(database, actor),
    },
    readApp: {
      ...{ action: 'readApplications', of: 'tenant' },
      ask: (actor, { appId }) => readApp(database, actor, appId),
    },
    listKeys: {
      ...{ action: 'readApplications', of: 'tenant' },
      ask: (actor, { appId }) => listKeys(database, actor, appId),
    },
    listSandboxes: {
      ...{ action: 'readApplications', of: 'tenant', namesNothing: true },
      ask: (actor) => listSandboxes(database, actor),
    },
    countEvents: {
      ...{ action: 'readEvents', of: 'environment', namesNothing: true },
      ask: (actor) => countEvents(database, actor, { days: 1, timeZone: 'Europe/Berlin' }),
    },
    countSentByApp: {
      ...{ action: 'readEvents', of: 'tenant', namesNothing: true },
      ask: (actor) => countSentByApp(database, actor, { days: 7, timeZone: 'Europe/Berlin' }),
    },
    countRequests: {
      ...{ action: 'readApplications', of: 'tenant', namesNothing: true },
      ask: (actor) => countRequests(database, actor),
    },
    readTenant: {
      ...{ action: 'readTenant', of: 'tenant', namesNothing: true },
      ask: (actor) => readTenant(database, actor),
    },
    renameTenant: {
      ...{ action: 'manageTenant', of: 'tenant', namesNothing: true },
      ask: (actor) => renameTenant(database, actor, newId()),
    },
    setContentSeen: {
      ...{ action: 'showContent', of: 'tenant', namesNothing: true },
      ask: (actor) => setContentSeen(database, actor, true),
    },
    countQueued: {
      ...{ action: 'readMessages', of: 'environment', namesNothing: true },
      ask: (actor) => countQueued(database, actor),
    },
    readPlanUsage: {
      ...{ action: 'readApplications', of: 'tenant', namesNothing: true },
      ask: (actor) => readPlanUsage(database, actor),
    },
    pageMessages: {
      ...{ action: 'readMessages', of: 'environment', namesNothing: true },
      ask: (actor) => pageMessages(database, actor, aPage),
    },
    readMessage: {
      ...{ action: 'readMessages', of: 'environment' },
      ask: (actor, { messageId }) => readMessage(database, actor, messageId).then(found),
    },
    readMessageHead: {
      ...{ action: 'readMessages', of: 'environment' },
      ask: (actor, { messageId }) => readMessageHead(database, actor, messageId).then(found),
    },
    messageTimeline: {
      ...{ action: 'readMessages', of: 'environment' },
      ask: (actor, { messageId }) => messageTimeline(database, actor, messageId),
    },
    eventsOfMessage: {
      ...{ action: 'readWebhooks', of: 'environment' },
      ask: (actor, { messageId }) => eventsOfMessage(database, actor, messageId),
    },
    authorsOfMessages: {
      ...{ action: 'readMessages', of: 'environment', namesNothing: true },
      ask: (actor) => authorsOfMessages(database, actor, []),
    },
    firstReasons: {
      ...{ action: 'readMessages', of: 'environment', namesNothing: true },
      ask: (actor) => firstReasons(database, actor, []),
    },
    viewMessageContent: {
      ...{ action: 'readMessages', of: 'environment' },
      ask: (actor, { messageId }) => viewMessageContent(database, actor, messageId),
    },
    viewMessageSource: {
      ...{ action: 'readMessages', of: 'environment', ends: true },
      ask: (actor, { messageId }) => viewMessageSource(database, deps.store, actor, messageId),
    },
    openAttachment: {
      ...{ action: 'readAttachments', of: 'environment' },
      ask: (actor, { messageId, attachedId }) => openAttachment(database, deps.store, actor, messageId, attachedId),
    },
    readRawMessage: {
      ...{ action: 'readMessages', of: 'environment', ends: true },
      ask: (actor, { messageId }) => readRawMessage(database, deps.store, actor, messageId).then(found),
    },
    rotateDkimKey: {
      ...{ action: 'manageDomains', of: 'tenant' },
      ask: (actor, { domainId }) => rotateDkimKey({ ...deps, secretBox: deps.box }, actor, domainId),
    },
    checkDomainNow: {
      ...{ action: 'checkDomains', of: 'tenant' },
      ask: (actor, { domainId }) => checkDomainNow(deps, actor, domainId),
    },
    checkAddedDomain: {
      ...{ action: 'manageDomains', of: 'tenant' },
      ask: (actor, { domainId }) => checkAddedDomain(deps, actor, domainId),
    },
    addDomain: {
      ...{ action: 'manageDomains', of: 'tenant', namesNothing: true },
      ask: (actor) => addDomain(database, actor, { domain: `${newId()}.test`, vouched: false }),
    },
    addCheckedDomain: {
      ...{ action: 'manageDomains', of: 'tenant', namesNothing: true },
      ask: (actor) =>
        addCheckedDomain({ ...deps, secretBox: deps.box }, actor, { domain: `${newId()}.test`, vouched: false }),
    },
    removeDomain: {
      ...{ action: 'manageDomains', of: 'tenant', ends: true },
      ask: (actor, { spareDomainId }) => removeDomain(database, actor, spareDomainId),
    },
    createMailbox: {
      ...{ action: 'manageMailboxes', of: 'tenant', namesNothing: true },
      ask: (actor, { address }) =>
        createMailbox(database, actor, { address: `${newId()}${address}`, displayName: 'B' }),
    },
    renameMailbox: {
      ...{ action: 'manageMailboxes', of: 'tenant' },
      ask: (actor, { mailboxId }) => renameMailbox(database, actor, mailboxId, newId()),
    },
    triggerEvent: {
      ...{ action: 'triggerEvents', of: 'environment', namesNothing: true },
      ask: (actor) => triggerEvent(database, actor, { type: 'message.sent', data: {} }),
    },
    createApp: {
      ...{ action: 'manageApplications', of: 'tenant', namesNothing: true },
      ask: (actor) => createApp(database, actor, { name: 'Another', environment: 'sandbox' }),
    },
    createKey: {
      ...{ action: 'makeKeys', of: 'tenant' },
      ask: (actor, { appId }) => createKey({ database, keyHasher }, actor, { appId, scopes: ['messages:read'] }),
    },
    replaceKey: {
      // A key has one successor at a time.
      ...{ action: 'makeKeys', of: 'tenant', ends: true },
      ask: (actor, { keyId }) => replaceKey({ database, keyHasher }, actor, keyId),
    },
    createEndpoint: {
      ...{ action: 'showWebhookSecrets', of: 'application' },
      ask: (actor, { appId }) => createEndpoint(deps, actor, appId, hook),
    },
    updateEndpoint: {
      ...{ action: 'writeWebhooks', of: 'application' },
      ask: (actor, { endpointId }) => updateEndpoint(deps, actor, endpointId, { description: newId() }),
    },
    testEndpoint: {
      ...{ action: 'writeWebhooks', of: 'application' },
      ask: (actor, { endpointId }) => testEndpoint(deps, actor, endpointId),
    },
    rotateSecret: {
      ...{ action: 'showWebhookSecrets', of: 'application' },
      ask: (actor, { endpointId }) => rotateSecret(deps, actor, endpointId),
    },
    enableEndpoint: {
      ...{ action: 'writeWebhooks', of: 'application' },
      ask: (actor, { endpointId }) => enableEndpoint(database, actor, endpointId),
    },
    replayDelivery: {
      ...{ action: 'replayDeliveries', of: 'application' },
      ask: (actor, { deliveryId }) => database.transaction((tx) => replayDelivery(tx, actor, deliveryId)),
    },
    startReplay: {
      ...{ action: 'replayDeliveries', of: 'application' },
      ask: (actor, { endpointId }) =>
        database.transaction((tx) => startReplay(tx, actor, { endpointId }, { since: '2026-01-01' })),
    },
    stopReplay: {
      ...{ action: 'replayDeliveries', of: 'application' },
      ask: (actor, { replayId }) => stopReplay(database, actor, replayId),
    },
    replaySeenDelivery: {
      ...{ action: 'replayDeliveries', of: 'application' },
      ask: (actor, { deliveryId }) => replaySeenDelivery(database, actor, deliveryId, 1),
    },
    updateMessage: {
      ...{ action: 'fileMessages', of: 'environment' },
      ask: (actor, { messageId, mailboxId }) =>
        updateMessage(database, actor, messageId, mailboxId, { isStarred: true }),
    },
    tryMessageNow: {
      ...{ action: 'retryMessages', of: 'environment' },
      ask: (actor, { messageId }) => tryMessageNow(database, actor, messageId),
    },
    cancelMessage: {
      ...{ action: 'cancelMessages', of: 'environment' },
      ask: (actor, { messageId }) => cancelMessage(database, actor, messageId),
    },
    holdMessage: {
      ...{ action: 'holdMessages', of: 'environment' },
      ask: (actor, { messageId }) => holdMessage(database, actor, messageId),
    },
    releaseMessage: {
      ...{ action: 'holdMessages', of: 'environment' },
      ask: (actor, { messageId }) => releaseMessage(database, actor, messageId),
    },
    purgeMessage: {
      ...{ action: 'endMessages', of: 'environment', ends: true },
      ask: (actor, { messageId }) => purgeMessage(database, actor, messageId),
    },
    deleteMessage: {
      ...{ action: 'endMessages', of: 'environment', ends: true },
      ask: (actor, { messageId }) => deleteMessage(database, actor, messageId),
    },
    disableEndpoint: {
      ...{ action: 'writeWebhooks', of: 'application', ends: true },
      ask: (actor, { endpointId }) => disableEndpoint(database, actor, endpointId),
    },
    deleteEndpoint: {
      ...{ action: 'writeWebhooks', of: 'application', ends: true },
      ask: (actor, { endpointId }) => deleteEndpoint(database, actor, endpointId),
    },
    revokeKey: {
      ...{ action: 'manageApplications', of: 'tenant', ends: true },
      ask: (actor, { keyId }) => revokeKey(database, actor, keyId),
    },
    setAppStatus: {
      ...{ action: 'manageApplications', of: 'tenant', ends: true },
      ask: (actor, { appId }) => setAppStatus(database, actor, appId, 'suspended'),
    },
    setMailboxStatus: {
      ...{ action: 'manageMailboxes', of: 'tenant' },
      ask: (actor, { mailboxId }) => setMailboxStatus(database, actor, mailboxId, 'active'),
    },
  }

  /** Asked by the operator only, for whom the table of permissions has no rows. */
  const byOperators: Record<string, Verb<TenantOperator>> = {
    removeLostAttachment: {
      ...{ action: 'endMessages', of: 'environment', ends: true },
      ask: (actor, { attachmentId }) => removeLostAttachment(database, actor, attachmentId).then(found),
    },
    eraseMessage: {
      ...{ action: 'endMessages', of: 'environment', ends: true },
      ask: (actor, { messageId }) => eraseMessage(database, actor, messageId).then((came) => found(came !== 'absent')),
    },
    deleteLostMessage: {
      ...{ action: 'endMessages', of: 'environment', ends: true },
      ask: (actor, { messageId }) => deleteLostMessage(database, actor, messageId).then(found),
    },
  }

  return {
    Application: byApplications,
    MailboxUser: byMailboxUsers,
    TenantActor: byAll,
    TenantOperator: byOperators,
  }
}
