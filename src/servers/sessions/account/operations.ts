// The operations on a user's own account, of both sites. A new one is a file and a line here.
import readSession from '../read-session.ts'
import addPasskey from './add-passkey.ts'
import askForPasskey from './ask-for-passkey.ts'
import changeAccount from './change-account.ts'
import changePassword from './change-password.ts'
import confirmTotp from './confirm-totp.ts'
import endSession from './end-session.ts'
import listSessions from './list-sessions.ts'
import offerPasskey from './offer-passkey.ts'
import offerTotp from './offer-totp.ts'
import readAccount from './read-account.ts'
import removePasskey from './remove-passkey.ts'
import removeTotp from './remove-totp.ts'
import renewRecoveryCodes from './renew-recovery-codes.ts'
import stepUp from './step-up.ts'
import stepUpByPasskey from './step-up-by-passkey.ts'

export const ACCOUNT_OPERATIONS = [
  readSession,
  stepUp,
  askForPasskey,
  stepUpByPasskey,
  readAccount,
  changeAccount,
  changePassword,
  offerTotp,
  confirmTotp,
  removeTotp,
  renewRecoveryCodes,
  offerPasskey,
  addPasskey,
  removePasskey,
  listSessions,
  endSession,
] as const
