// Shows a new key for an authenticator app, which counts once a code of it was typed in.
import { renderSVG } from 'uqr'
import { offerTotp } from '../../../users/add-totp.ts'
import { TotpOffer } from '../account-schemas.ts'
import { type AccountDeps, accountData } from './own-account.ts'

export default accountData(
  { method: 'POST', path: '/data/account/totp', ownAccount: true, answer: TotpOffer },
  (deps: Pick<AccountDeps, 'database' | 'box' | 'party'>) =>
    async ({ session }) => {
      const { key, uri } = await offerTotp(deps, session, deps.party.name)
      return { key: key.reveal(), qr: renderSVG(uri) }
    },
)
