// The data operations of the webmail, in the order of its pages. A new one is a file and a line here.
import { ACCOUNT_OPERATIONS } from '../sessions/account/operations.ts'
import addImageSender from './add-image-sender.ts'
import beginUpload from './begin-upload.ts'
import changeSettings from './change-settings.ts'
import completeUpload from './complete-upload.ts'
import deleteFolder from './delete-folder.ts'
import deleteMessages from './delete-messages.ts'
import discardDraft from './discard-draft.ts'
import downloadAttachment from './download-attachment.ts'
import downloadAttachments from './download-attachments.ts'
import downloadSource from './download-source.ts'
import fileFolder from './file-folder.ts'
import fileMessages from './file-messages.ts'
import findRecipients from './find-recipients.ts'
import listDrafts from './list-drafts.ts'
import listIdentities from './list-identities.ts'
import listMessages from './list-messages.ts'
import openMessage from './open-message.ts'
import openSource from './open-source.ts'
import previewAttachment from './preview-attachment.ts'
import putUpload from './put-upload.ts'
import readDraft from './read-draft.ts'
import readRecoveryAddress from './read-recovery-address.ts'
import readSettings from './read-settings.ts'
import removeImageSender from './remove-image-sender.ts'
import removeRecoveryAddress from './remove-recovery-address.ts'
import saveDraft from './save-draft.ts'
import searchMessages from './search-messages.ts'
import sendDraft from './send-draft.ts'
import setIdentity from './set-identity.ts'
import setRecoveryAddress from './set-recovery-address.ts'
import showConversation from './show-conversation.ts'
import showFile from './show-file.ts'
import showImages from './show-images.ts'
import showMailboxes from './show-mailboxes.ts'
import takeBackDraft from './take-back-draft.ts'
import undoFiling from './undo-filing.ts'

export const WEBMAIL_OPERATIONS = [
  ...ACCOUNT_OPERATIONS,
  readRecoveryAddress,
  setRecoveryAddress,
  removeRecoveryAddress,
  showMailboxes,
  openMessage,
  openSource,
  downloadSource,
  downloadAttachment,
  previewAttachment,
  downloadAttachments,
  showImages,
  readSettings,
  changeSettings,
  addImageSender,
  removeImageSender,
  listMessages,
  showConversation,
  fileMessages,
  undoFiling,
  deleteMessages,
  fileFolder,
  deleteFolder,
  searchMessages,
  beginUpload,
  putUpload,
  completeUpload,
  showFile,
  listIdentities,
  setIdentity,
  listDrafts,
  readDraft,
  saveDraft,
  discardDraft,
  sendDraft,
  takeBackDraft,
  findRecipients,
] as const
