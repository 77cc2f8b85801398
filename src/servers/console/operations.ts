// The data operations of the console, in the order of its pages. A new one is a file and a line here.
import { ACCOUNT_OPERATIONS } from '../sessions/account/operations.ts'
import changeRole from './change-role.ts'
import endLinkToProvider from './end-link-to-provider.ts'
import endSingleSignOn from './end-single-sign-on.ts'
import enterTenant from './enter-tenant.ts'
import inviteAgain from './invite-again.ts'
import inviteToTenant from './invite-to-tenant.ts'
import mailLink from './mail-link.ts'
import makeResetLink from './make-reset-link.ts'
import nameProvider from './name-provider.ts'
import readOverview from './read-overview.ts'
import readSingleSignOn from './read-single-sign-on.ts'
import readSurroundings from './read-surroundings.ts'
import removeFromTenant from './remove-from-tenant.ts'
import requireSecondFactor from './require-second-factor.ts'
import showEvents from './show-events.ts'
import showPeople from './show-people.ts'

export const CONSOLE_OPERATIONS = [
  ...ACCOUNT_OPERATIONS,
  readSurroundings,
  enterTenant,
  readOverview,
  showEvents,
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
] as const
