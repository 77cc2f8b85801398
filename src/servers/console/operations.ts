// The data operations of the console, in the order of its pages. A new one is a file and a line here.
import { ACCOUNT_OPERATIONS } from '../sessions/account/operations.ts'
import addDomain from './add-domain.ts'
import addEndpoint from './add-endpoint.ts'
import beginReplay from './begin-replay.ts'
import cancelMessage from './cancel-message.ts'
import changeAppStatus from './change-app-status.ts'
import changeMailboxAccess from './change-mailbox-access.ts'
import changeMailboxName from './change-mailbox-name.ts'
import changeMailboxStatus from './change-mailbox-status.ts'
import changeRole from './change-role.ts'
import checkDomain from './check-domain.ts'
import deleteMessage from './delete-message.ts'
import downloadAttachment from './download-attachment.ts'
import downloadMessageSource from './download-message-source.ts'
import editEndpoint from './edit-endpoint.ts'
import endLinkToProvider from './end-link-to-provider.ts'
import endReplay from './end-replay.ts'
import endSingleSignOn from './end-single-sign-on.ts'
import enterTenant from './enter-tenant.ts'
import exportAudit from './export-audit.ts'
import exportBounces from './export-bounces.ts'
import exportDeliveries from './export-deliveries.ts'
import exportEvents from './export-events.ts'
import exportMailboxes from './export-mailboxes.ts'
import exportMessages from './export-messages.ts'
import exportRequests from './export-requests.ts'
import find from './find.ts'
import giveMailboxAccess from './give-mailbox-access.ts'
import holdMessage from './hold-message.ts'
import importStops from './import-stops.ts'
import inviteAgain from './invite-again.ts'
import inviteMailboxUserAgain from './invite-mailbox-user-again.ts'
import inviteToTenant from './invite-to-tenant.ts'
import letBack from './let-back.ts'
import mailLink from './mail-link.ts'
import makeApp from './make-app.ts'
import makeKey from './make-key.ts'
import makeMailbox from './make-mailbox.ts'
import makeResetLink from './make-reset-link.ts'
import nameProvider from './name-provider.ts'
import purgeMessage from './purge-message.ts'
import readOverview from './read-overview.ts'
import readSingleSignOn from './read-single-sign-on.ts'
import readSurroundings from './read-surroundings.ts'
import releaseMessage from './release-message.ts'
import removeDomain from './remove-domain.ts'
import removeEndpoint from './remove-endpoint.ts'
import removeFromTenant from './remove-from-tenant.ts'
import renameTenant from './rename-tenant.ts'
import replaceKey from './replace-key.ts'
import replayDelivery from './replay-delivery.ts'
import requireSecondFactor from './require-second-factor.ts'
import resetMailboxUser from './reset-mailbox-user.ts'
import revokeKey from './revoke-key.ts'
import rotateEndpointSecret from './rotate-endpoint-secret.ts'
import seeContent from './see-content.ts'
import showApp from './show-app.ts'
import showApps from './show-apps.ts'
import showAudit from './show-audit.ts'
import showAutomaticStops from './show-automatic-stops.ts'
import showBounces from './show-bounces.ts'
import showBouncesOfAddress from './show-bounces-of-address.ts'
import showDeliveries from './show-deliveries.ts'
import showDelivery from './show-delivery.ts'
import showDomain from './show-domain.ts'
import showDomains from './show-domains.ts'
import showEndpoint from './show-endpoint.ts'
import showEndpointFigures from './show-endpoint-figures.ts'
import showEndpoints from './show-endpoints.ts'
import showEvents from './show-events.ts'
import showMailbox from './show-mailbox.ts'
import showMailboxNames from './show-mailbox-names.ts'
import showMailboxUsers from './show-mailbox-users.ts'
import showMailboxes from './show-mailboxes.ts'
import showMessage from './show-message.ts'
import showMessageContent from './show-message-content.ts'
import showMessageEvents from './show-message-events.ts'
import showMessageSource from './show-message-source.ts'
import showMessages from './show-messages.ts'
import showOperations from './show-operations.ts'
import showPeople from './show-people.ts'
import showReplays from './show-replays.ts'
import showRequest from './show-request.ts'
import showRequests from './show-requests.ts'
import showSettings from './show-settings.ts'
import showUsage from './show-usage.ts'
import stopAddress from './stop-address.ts'
import switchAutomaticStops from './switch-automatic-stops.ts'
import switchOffEndpoint from './switch-off-endpoint.ts'
import switchOnEndpoint from './switch-on-endpoint.ts'
import takeMailboxAccess from './take-mailbox-access.ts'
import triggerEvent from './trigger-event.ts'
import tryEndpoint from './try-endpoint.ts'
import tryMessageNow from './try-message-now.ts'

export const CONSOLE_OPERATIONS = [
  ...ACCOUNT_OPERATIONS,
  readSurroundings,
  enterTenant,
  find,
  readOverview,
  showMailboxNames,
  showMessages,
  exportMessages,
  showMessage,
  showMessageEvents,
  showMessageContent,
  showMessageSource,
  downloadMessageSource,
  downloadAttachment,
  tryMessageNow,
  cancelMessage,
  holdMessage,
  releaseMessage,
  purgeMessage,
  deleteMessage,
  showBounces,
  showBouncesOfAddress,
  stopAddress,
  importStops,
  letBack,
  showAutomaticStops,
  switchAutomaticStops,
  showEvents,
  exportEvents,
  exportBounces,
  exportMailboxes,
  triggerEvent,
  showEndpoints,
  addEndpoint,
  showEndpoint,
  editEndpoint,
  removeEndpoint,
  switchOnEndpoint,
  switchOffEndpoint,
  tryEndpoint,
  rotateEndpointSecret,
  showEndpointFigures,
  showReplays,
  beginReplay,
  endReplay,
  showDeliveries,
  exportDeliveries,
  showDelivery,
  replayDelivery,
  showApps,
  makeApp,
  showApp,
  changeAppStatus,
  makeKey,
  replaceKey,
  revokeKey,
  showDomains,
  addDomain,
  showDomain,
  checkDomain,
  removeDomain,
  showMailboxes,
  makeMailbox,
  showMailbox,
  changeMailboxStatus,
  changeMailboxName,
  showMailboxUsers,
  giveMailboxAccess,
  changeMailboxAccess,
  takeMailboxAccess,
  inviteMailboxUserAgain,
  resetMailboxUser,
  showRequests,
  exportRequests,
  showRequest,
  showAudit,
  showOperations,
  exportAudit,
  showPeople,
  inviteToTenant,
  inviteAgain,
  makeResetLink,
  mailLink,
  changeRole,
  removeFromTenant,
  requireSecondFactor,
  readSingleSignOn,
  nameProvider,
  endSingleSignOn,
  endLinkToProvider,
  showSettings,
  showUsage,
  renameTenant,
  seeContent,
] as const
