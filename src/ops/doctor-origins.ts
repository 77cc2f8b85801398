// The doctor's check of the three addresses that browsers have: whether a hole in one is kept from the sessions of another.
import type { Config } from '../config.ts'
import { isLoopbackHost } from '../lib/network.ts'
import type { Check } from './check.ts'

type Sites = Pick<Config, 'http' | 'console' | 'webmail'>

export function checkOrigins(config: Sites): Check {
  const name = 'addresses'
  const given = [
    ['MDK_PUBLIC_URL', config.http],
    ['MDK_CONSOLE_URL', config.console],
    ['MDK_WEBMAIL_URL', config.webmail],
  ] as const
  const known = given.flatMap(([variable, { publicUrl }]) => (publicUrl ? [{ variable, url: new URL(publicUrl) }] : []))
  const atThisMachine = known.every(({ url }) => isLoopbackHost(url.hostname))
  if (atThisMachine && given.every(([, { host, publicUrl }]) => publicUrl || isLoopbackHost(host))) {
    return { name, result: 'ok', found: 'they are of this machine alone' }
  }
  const missing = given.filter(([, { publicUrl }]) => !publicUrl).map(([variable]) => variable)
  if (missing.length > 0) {
    return {
      name,
      result: 'warn',
      found: `not given: ${missing.join(', ')}`,
      repair: 'give each the address that browsers have, https and a host name of its own',
    }
  }
  const shared = known.filter(({ url }, i) => known.some((other, j) => i !== j && other.url.hostname === url.hostname))
  if (shared.length > 0) {
    return {
      name,
      result: 'warn',
      found: `${shared.map(({ variable }) => variable).join(' and ')} have one host name`,
      repair: 'give API, console and webmail three: cookies know no ports, and webmail shows what strangers wrote',
    }
  }
  const plain = known.filter(({ url }) => url.protocol !== 'https:' && !isLoopbackHost(url.hostname))
  if (plain.length > 0) {
    return {
      name,
      result: 'warn',
      found: `plain http: ${plain.map(({ variable }) => variable).join(', ')}`,
      repair:
        'let the service speak https (MDK_TLS_CERT), or a proxy before it: over http, sessions and keys are read on the way',
    }
  }
  return { name, result: 'ok', found: 'three host names over https' }
}
