// Decides by a URL's text alone whether it may be fetched for a stranger. Knows nothing of DNS: what a name leads to
// is judged when it is resolved. specification.md#urls-of-endpoints
import { isIP } from 'node:net'
import type { Network } from '../network.ts'
import { classifyAddress, isInNetworks } from './address.ts'

/** A URL that passed, taken apart for the request. */
export interface Target {
  /** The URL in its one canonical spelling. */
  readonly href: string
  readonly origin: string
  /** Path and query. */
  readonly path: string
  /** A name, or a literal address without brackets. */
  readonly host: string
  readonly port: number
  readonly encrypted: boolean
  /** The addresses that need no look-up: a literal's own, or those of localhost that are allowed. */
  readonly addresses: readonly string[] | undefined
}

export type UrlFault = 'too_long' | 'characters' | 'form' | 'scheme' | 'userinfo' | 'host' | 'address' | 'port'

export type UrlCheck =
  | { readonly ok: true; readonly target: Target }
  | { readonly ok: false; readonly fault: UrlFault; readonly message: string }

const MAX_URL_LENGTH = 2048
/** Control and invisible characters, every kind of white space, and the backslash that browsers read as a slash. */
const REFUSED_CHARACTERS = /[\p{Cc}\p{Cf}\p{Cs}\s\\]/u
const AUTHORITY = /^([a-z][a-z0-9+.-]*):\/\/([^/?#]+)/i
const LABEL = /^(?!-)[a-z0-9_-]{1,63}(?<!-)$/
const MAX_NAME_LENGTH = 253
const LOOPBACK = ['127.0.0.1', '::1']

/**
 * Ports above 1023 at which something other than a web server listens by custom, so that a POST there may be a
 * command: mail, NFS, Docker, databases, caches, queues, clusters, remote desktops, SIP, X11, IRC, printers.
 */
const SERVICE_PORTS = new Set([
  1080, 1433, 1434, 1521, 1719, 1720, 1723, 2049, 2181, 2375, 2376, 2377, 2379, 2380, 2525, 3128, 3306, 3389, 3659,
  4045, 4190, 4369, 5060, 5061, 5432, 5433, 5671, 5672, 5900, 5901, 5984, 6000, 6379, 6432, 6443, 6566, 6665, 6666,
  6667, 6668, 6669, 6679, 6697, 8086, 8500, 9042, 9092, 9100, 9200, 9300, 10080, 10250, 10255, 11211, 15672, 26379,
  27017, 27018, 27019,
])

/**
 * Checks a URL as it was given. `allow` holds the operator's networks, which may be reached although not public and
 * over plain http; `plainHttp`: public addresses too. A refusal's message is for whoever gave the URL.
 */
export function checkUrl(text: string, allow: readonly Network[], plainHttp = false): UrlCheck {
  if (text.length > MAX_URL_LENGTH) return refuse('too_long', `must have at most ${MAX_URL_LENGTH} characters`)
  if (REFUSED_CHARACTERS.test(text)) {
    return refuse('characters', 'must not contain white space, control or invisible characters, or a backslash')
  }
  const [, scheme = '', authority = ''] = AUTHORITY.exec(text) ?? []
  if (!authority || !URL.canParse(text))
    return refuse('form', 'must be an absolute URL such as https://example.com/path')
  if (authority.includes('@')) return refuse('userinfo', 'must not contain a user name or password')
  const encrypted = /^https$/i.test(scheme)
  if (!encrypted && !(/^http$/i.test(scheme) && (plainHttp || allow.length > 0)))
    return refuse('scheme', 'must begin with https://')

  const url = new URL(text)
  const port = url.port ? Number(url.port) : encrypted ? 443 : 80
  if (!isFitPort(port, encrypted)) {
    return refuse('port', 'must use port 443 or one from 1024 to 65535 at which no other service is usual')
  }
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const parts = { href: url.href, origin: url.origin, path: url.pathname + url.search, host, port, encrypted }
  const accept = (addresses: readonly string[] | undefined): UrlCheck => ({ ok: true, target: { ...parts, addresses } })

  if (isIP(host) !== 0) {
    if (isIP(host) === 4 && authority.replace(/:\d*$/, '') !== host) {
      return refuse('host', 'must write an IPv4 address as four decimal numbers')
    }
    const fault = faultOfAddress(host, encrypted || plainHttp, allow)
    return fault ? refuse('address', `must lead to a public address: ${fault}`) : accept([host])
  }
  const fault = faultOfName(host)
  if (fault) return refuse('host', fault)
  if (!isLocalhost(host)) return accept(undefined)
  const allowed = LOOPBACK.filter((address) => isInNetworks(address, allow))
  return allowed.length > 0 ? accept(allowed) : refuse('address', 'must lead to a public address: localhost does not')
}

/**
 * Why an address must not be dialled, or undefined when it may be: allowed by the operator, or public and encrypted.
 * Does not repeat the address, which a stranger's name might have been pointed at to learn of it.
 */
export function faultOfAddress(address: string, encrypted: boolean, allow: readonly Network[]): string | undefined {
  if (isInNetworks(address, allow)) return undefined
  const found = classifyAddress(address)
  if (found !== 'public') return `the address is not public (${found})`
  return encrypted ? undefined : 'a public address is reached over https only'
}

function isFitPort(port: number, encrypted: boolean): boolean {
  if (port === (encrypted ? 443 : 80)) return true
  return (port === 443 || port >= 1024) && !SERVICE_PORTS.has(port)
}

function faultOfName(name: string): string | undefined {
  const labels = name.split('.')
  if (labels.at(-1) === '') return 'must not end its host name with a dot'
  if (name.length > MAX_NAME_LENGTH || !labels.every((label) => LABEL.test(label))) return 'must have a valid host name'
  if (labels.length === 1 && name !== 'localhost') return 'must have a full host name such as hooks.example.com'
  return undefined
}

/** RFC 6761 part 6.3: these never leave the machine, whatever a resolver would say. */
function isLocalhost(name: string): boolean {
  return name === 'localhost' || name.endsWith('.localhost')
}

function refuse(fault: UrlFault, message: string): UrlCheck {
  return { ok: false, fault, message }
}
