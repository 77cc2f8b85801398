// The links by which people come in: a token behind the address under which browsers know the console, or the webmail.
import type { Config } from '../config.ts'
import { siteOrigin } from '../roles/site-urls.ts'

/** As operators see what a command made: the link in place of its token. */
export interface EnterLink {
  id: string
  link: string
  expiresAt: string
}

/** `made.token`: of a link that was just made. */
export function enterLink(
  config: Config,
  site: 'console' | 'webmail',
  id: string,
  made: { token: string; expiresAt: string },
): EnterLink {
  return { id, link: `${siteOrigin(config[site])}/enter/${made.token}`, expiresAt: made.expiresAt }
}

/** What says where it is to be used, and that it is good once. */
export function linkText(what: string, { link, expiresAt }: EnterLink): string {
  return `${what}\n\n  ${link}\n\nIt is good once, until ${expiresAt}. Hand it over in person, or by a way that you trust.`
}
