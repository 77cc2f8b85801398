// What somebody proves themselves by, in words. Pure.
import type { People } from '../../../src/servers/console/schemas.ts'

type Factors = People['items'][number]['factors']

/** `Password, authenticator app, 2 passkeys`; a dash for none. */
export function factorsInWords({ password, totp, passkeys, singleSignOn }: Factors): string {
  const words = [
    password && 'password',
    totp && 'authenticator app',
    passkeys > 0 && (passkeys === 1 ? 'passkey' : `${passkeys} passkeys`),
    singleSignOn && 'single sign-on',
  ].filter((word) => word !== false)
  const said = words.join(', ')
  return said === '' ? '–' : said.charAt(0).toUpperCase() + said.slice(1)
}
