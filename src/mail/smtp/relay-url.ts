// Reads MDK_RELAY_URL: where the relay is, as whom we come, and what its certificate must prove. Pure.
import { isIP } from 'node:net'
import { Secret } from '../../lib/secret.ts'

export interface RelayTarget {
  host: string
  port: number
  /** TLS from the first octet (`smtps:`). Otherwise STARTTLS is used wherever it is offered. */
  secure: boolean
  /** Fail rather than go on in clear text. */
  requireTls: boolean
  /** Refuse a certificate that does not prove the host's name. */
  verifyCertificate: boolean
  credentials: { user: string; password: Secret } | undefined
}

/** RFC 6409 §3.1 and RFC 8314 §3.3. */
const SUBMISSION_PORT = 587
const SUBMISSIONS_PORT = 465

/**
 * `smtp://user:pass@host:587` or `smtps://…`, the credentials percent-encoded.
 *
 * TLS is proven and required for `smtps:` and wherever credentials are sent, except to this machine itself. Without
 * credentials STARTTLS is used unproven, as mail servers do among themselves. `?tls=verified` demands proof always,
 * `?tls=insecure` never.
 * @throws RangeError that says what is wrong and shows nothing of the credentials
 */
export function readRelayUrl(text: string): RelayTarget {
  const url = URL.parse(text)
  if (!url || !['smtp:', 'smtps:'].includes(url.protocol)) throw new RangeError('a relay is smtp://… or smtps://…')
  const host = decode(url.hostname).replace(/^\[(.*)\]$/, '$1')
  if (host === '') throw new RangeError('the host of the relay is missing')
  if (!['', '/'].includes(url.pathname)) throw new RangeError('the URL of a relay has no path')
  const secure = url.protocol === 'smtps:'
  const credentials = credentialsOf(url)
  const tls = tlsOf(url)
  const proven =
    tls === 'verified' || (tls !== 'insecure' && (secure || credentials !== undefined) && !isLoopback(host))
  return {
    host,
    port: url.port === '' ? (secure ? SUBMISSIONS_PORT : SUBMISSION_PORT) : Number(url.port),
    secure,
    requireTls: proven,
    verifyCertificate: proven,
    credentials,
  }
}

function credentialsOf(url: URL): RelayTarget['credentials'] {
  if (url.username === '' && url.password === '') return undefined
  if (url.username === '' || url.password === '') throw new RangeError('a relay needs both user and password, or none')
  return { user: decode(url.username), password: new Secret(decode(url.password)) }
}

function tlsOf(url: URL): string | null {
  const tls = url.searchParams.get('tls')
  const known = tls === null || tls === 'verified' || tls === 'insecure'
  if (!known || [...url.searchParams.keys()].some((name) => name !== 'tls')) {
    throw new RangeError('a relay takes no other option than ?tls=verified or ?tls=insecure')
  }
  return tls
}

function isLoopback(host: string): boolean {
  return host.toLowerCase() === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'))
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw new RangeError('the URL of the relay holds a % that begins no percent-encoding')
  }
}
