// What a domain of the service may be called.
import { domainToASCII } from 'node:url'

const DOMAIN = /^(?=.{4,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/

/** The domain in lower case, its labels in ASCII (RFC 5891); undefined when it is none. */
export function asciiDomain(text: string): string | undefined {
  const ascii = domainToASCII(text.trim().replace(/\.$/, '')).toLowerCase()
  return DOMAIN.test(ascii) ? ascii : undefined
}
