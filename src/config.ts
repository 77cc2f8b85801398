// The only reader of the process's environment: names, defaults and forms as the operator's guide lists them
// (docs/operate.md). Gives plain values; knows nothing of what they configure.
import { resolve } from 'node:path'
import { customCleanEnv, makeExactValidator, makeValidator } from 'envalid'
import { readPlace } from './lib/backup-place.ts'
import { parseDuration } from './lib/duration.ts'
import { isEmailAddress } from './lib/formats.ts'
import { type Network, parseAddress, parseNetwork } from './lib/network.ts'
import { parseSecretKeys, type SecretKeys } from './lib/secret-box.ts'
import type { KeyPairFiles } from './lib/tls/key-pair.ts'
import { snsHostOf } from './mail/reports/sns-topic.ts'
import { readRelayUrl } from './mail/smtp/relay-url.ts'
import type { Backoff } from './webhooks/delivery-state.ts'

export const ROLES = ['api', 'console', 'webmail', 'outbound', 'webhooks', 'inbound', 'retention', 'activity'] as const
export type Role = (typeof ROLES)[number]

/** What a listener of HTTP speaks itself; plain http unless given. */
export interface Scheme {
  scheme?: 'http' | 'https'
}

export type Config = ReturnType<typeof readConfig>

/** One line for each variable at fault. */
export class ConfigError extends Error {
  readonly faults: string[]

  constructor(faults: string[]) {
    super(faults.join('\n'))
    this.faults = faults
  }
}

/**
 * Reads and checks everything, and that nothing is missing which these roles need.
 * @throws ConfigError that names every fault
 */
export function readConfig(environment: NodeJS.ProcessEnv, roles: readonly Role[] = []) {
  // An empty variable counts as absent: that is how compose files and unit files leave one out.
  const given = Object.fromEntries(
    Object.entries(environment).filter(([name, value]) => name.startsWith('MDK_') && value),
  )
  const faults: string[] = []
  const env = customCleanEnv(given, VARIABLES, (cleaned) => cleaned, {
    reporter: ({ errors }) => {
      for (const [name, error] of Object.entries(errors)) faults.push(`${name}: ${(error as Error).message}`)
    },
  })
  for (const [cert, key] of PAIRS) {
    if ((given[cert] === undefined) !== (given[key] === undefined))
      faults.push(`${cert} and ${key}: give both or neither`)
  }
  const dataDir = resolve(env.MDK_DATA_DIR)
  /** Of what the listeners of HTTP speak themselves. */
  const scheme: Scheme = env.MDK_TLS_CERT === undefined ? {} : { scheme: 'https' }
  const config = {
    databaseUrl: env.MDK_DATABASE_URL,
    dataDir,
    tls: filesOf(env.MDK_TLS_CERT, env.MDK_TLS_KEY),
    http: { ...scheme, host: env.MDK_HOST, port: env.MDK_PORT, publicUrl: env.MDK_PUBLIC_URL },
    console: {
      ...scheme,
      host: env.MDK_CONSOLE_HOST ?? env.MDK_HOST,
      port: env.MDK_CONSOLE_PORT,
      publicUrl: env.MDK_CONSOLE_URL,
    },
    webmail: {
      ...scheme,
      host: env.MDK_WEBMAIL_HOST ?? env.MDK_HOST,
      port: env.MDK_WEBMAIL_PORT,
      publicUrl: env.MDK_WEBMAIL_URL,
    },
    ops: { host: env.MDK_OPS_HOST, port: env.MDK_OPS_PORT },
    objectStore: env.MDK_OBJECT_STORE ?? `file:${resolve(dataDir, 'objects')}`,
    relay: { url: env.MDK_RELAY_URL, ratePerSecond: env.MDK_RELAY_RATE, connections: env.MDK_RELAY_CONNECTIONS },
    smtp: {
      host: env.MDK_SMTP_HOST,
      port: env.MDK_SMTP_PORT,
      tls: filesOf(env.MDK_SMTP_TLS_CERT ?? env.MDK_TLS_CERT, env.MDK_SMTP_TLS_KEY ?? env.MDK_TLS_KEY),
      allow: env.MDK_SMTP_ALLOW,
    },
    returnPathDomain: env.MDK_RETURN_PATH_DOMAIN,
    noticesFrom: env.MDK_NOTICE_FROM,
    relayReports: {
      networks: env.MDK_RELAY_NETWORKS,
      secret: env.MDK_RELAY_REPORT_SECRET,
      sesTopic: env.MDK_SES_TOPIC,
    },
    dnsServers: env.MDK_DNS_SERVERS,
    secretKeys: env.MDK_SECRET_KEYS,
    trustedProxies: env.MDK_TRUSTED_PROXIES,
    ipPerMinute: env.MDK_IP_PER_MINUTE,
    ipAllow: env.MDK_IP_ALLOW,
    webhooks: {
      allow: env.MDK_WEBHOOK_ALLOW,
      backoffSeconds: env.MDK_WEBHOOK_BACKOFF,
      timeoutMs: env.MDK_WEBHOOK_TIMEOUT,
    },
    singleSignOn: { allow: env.MDK_SSO_ALLOW },
    images: { allow: env.MDK_IMAGE_ALLOW },
    leaseMs: env.MDK_LEASE,
    sweepMs: env.MDK_SWEEP,
    uploadTtlMs: env.MDK_UPLOAD_TTL,
    downloadTtlMs: env.MDK_DOWNLOAD_TTL,
    idempotencyTtlMs: env.MDK_IDEMPOTENCY_TTL,
    trashTtlMs: env.MDK_TRASH_TTL,
    deadLetterTtlMs: env.MDK_DEAD_LETTER_TTL,
    outboundBackoff: env.MDK_OUTBOUND_BACKOFF,
    outboundGiveUpMs: env.MDK_OUTBOUND_GIVE_UP,
    pollMs: env.MDK_POLL,
    backup: { to: env.MDK_BACKUP_TO, keyFile: env.MDK_BACKUP_KEY_FILE },
    logLevel: env.MDK_LOG_LEVEL,
    /** Variables with our prefix that nothing reads: most likely misspelt. */
    unknown: Object.keys(given).filter((name) => !(name in VARIABLES) && !name.startsWith('MDK_TEST_')),
  }
  faults.push(...contradictions(config), ...missing(given, roles))
  if (faults.length > 0) throw new ConfigError(faults)
  return config
}

const PAIRS = [
  ['MDK_TLS_CERT', 'MDK_TLS_KEY'],
  ['MDK_SMTP_TLS_CERT', 'MDK_SMTP_TLS_KEY'],
] as const

function filesOf(cert: string | undefined, key: string | undefined): KeyPairFiles | undefined {
  return cert !== undefined && key !== undefined ? { cert: resolve(cert), key: resolve(key) } : undefined
}

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
/** `setTimeout` holds 31 bits of milliseconds, and what is longer ends at once. */
const MOST_WAIT = 24 * DAY

const words = (text: string) =>
  text
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '')

const duration = makeExactValidator<number>(parseDuration)
/** A duration that the process itself waits for. */
const wait = makeExactValidator<number>((text) => {
  const waited = parseDuration(text)
  if (waited > MOST_WAIT) throw new Error('the duration must be at most 24d')
  return waited
})
const webhookWaits = makeExactValidator<Backoff>((text) => {
  const list = words(text).map((word) => parseDuration(word) / SECOND)
  if (list.length !== 4) throw new Error('four durations are needed, one before each retry: 30s,60s,120s,240s')
  return list as unknown as Backoff
})
const durationRange = makeExactValidator<{ firstMs: number; mostMs: number }>((text) => {
  const [first, most, ...more] = text.split('..').map(parseDuration)
  if (first === undefined || most === undefined || more.length > 0 || most < first) {
    throw new Error(`"${text}" is not a range such as 5s..15m`)
  }
  return { firstMs: first, mostMs: most }
})
const secretKeys = makeExactValidator<SecretKeys>(parseSecretKeys)
const networks = makeExactValidator<Network[]>((text) => words(text).map(parseNetwork))
const addresses = makeExactValidator<string[]>((text) => {
  for (const server of words(text)) {
    if (!isServerAddress(server)) {
      throw new Error(`"${server}" is not an address of a resolver such as 192.0.2.53 or 127.0.0.1:5353`)
    }
  }
  return words(text)
})
const text = makeExactValidator<string>((value) => value)
const port = makeExactValidator<number>((value) => wholeNumber(value, 0, 65_535))
const count = makeExactValidator<number>((value) => wholeNumber(value, 0, 1_000_000_000))
const positive = makeExactValidator<number>((value) => wholeNumber(value, 1, 1_000_000_000))
const choice = makeValidator<string>((value) => value)
const domain = makeExactValidator<string>((value) => {
  if (!/^(?=.{1,200}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9-]{2,63}$/i.test(value)) {
    throw new Error(`"${value}" is not a domain name`)
  }
  return value.toLowerCase()
})
const emailAddress = makeExactValidator<string>((value) => {
  if (!isEmailAddress(value)) throw new Error(`"${value}" is not an email address`)
  return value
})
const urlOf = (schemes: string[], example: string) =>
  makeExactValidator<string>((value) => {
    if (!URL.canParse(value) || !schemes.includes(new URL(value).protocol)) {
      throw new Error(`it must look like ${example}`)
    }
    return value
  })
const httpUrl = urlOf(['http:', 'https:'], 'https://mail.example.com')
/** An origin of its own: cookies of the host know no paths. */
const siteUrl = makeExactValidator<string>((value) => {
  const url = URL.canParse(value) ? new URL(value) : undefined
  if (!url || !/^https?:$/.test(url.protocol) || url.pathname !== '/' || url.search || url.hash || url.username) {
    throw new Error('it must look like https://console.example.com, without a path')
  }
  return url.origin
})
const databaseUrl = urlOf(['postgres:', 'postgresql:'], 'postgres://user:password@host:5432/database')
const relayUrl = makeExactValidator<string>((value) => {
  readRelayUrl(value)
  return value
})
const snsTopic = makeExactValidator<string>((value) => {
  if (snsHostOf(value) === undefined) throw new Error('it must look like arn:aws:sns:eu-west-1:123456789012:reports')
  return value
})
const objectStore = makeExactValidator<string>((value) => {
  if (/^file:.+/.test(value)) return `file:${resolve(value.slice('file:'.length))}`
  if (/^s3:\/\/[^/?]+/.test(value)) return value
  throw new Error('it must look like file:/var/lib/mail or s3://bucket/prefix?endpoint=…&region=…')
})

const backupPlace = makeExactValidator<string>(readPlace)

/** An address, or `192.0.2.53:5353`, `[2001:db8::53]:5353`. */
function isServerAddress(text: string): boolean {
  const [, host = '', port] = /^(\[.+\]|[^:]+)(?::([1-9]\d{0,4}))?$/.exec(text) ?? []
  if (port !== undefined && Number(port) > 65_535) return false
  return parseAddress(text) !== undefined || parseAddress(host.replace(/^\[(.*:.*)\]$/, '$1')) !== undefined
}

function wholeNumber(value: string, least: number, most: number): number {
  if (!/^\d{1,10}$/.test(value) || Number(value) < least || Number(value) > most) {
    throw new Error(`"${value}" is not a whole number from ${least} to ${most}`)
  }
  return Number(value)
}

const VARIABLES = {
  MDK_DATABASE_URL: databaseUrl({ default: undefined }),
  MDK_DATA_DIR: text({ default: '.mdk' }),
  MDK_HOST: text({ default: '127.0.0.1' }),
  MDK_PORT: port({ default: 8080 }),
  MDK_PUBLIC_URL: httpUrl({ default: undefined }),
  MDK_CONSOLE_HOST: text({ default: undefined }),
  MDK_CONSOLE_PORT: port({ default: 8081 }),
  MDK_CONSOLE_URL: siteUrl({ default: undefined }),
  MDK_WEBMAIL_HOST: text({ default: undefined }),
  MDK_WEBMAIL_PORT: port({ default: 8082 }),
  MDK_WEBMAIL_URL: siteUrl({ default: undefined }),
  MDK_TLS_CERT: text({ default: undefined }),
  MDK_TLS_KEY: text({ default: undefined }),
  MDK_OPS_HOST: text({ default: '127.0.0.1' }),
  MDK_OPS_PORT: port({ default: 9464 }),
  MDK_OBJECT_STORE: objectStore({ default: undefined }),
  MDK_RELAY_URL: relayUrl({ default: undefined }),
  MDK_RELAY_RATE: positive({ default: undefined }),
  MDK_RELAY_CONNECTIONS: positive({ default: 10 }),
  MDK_SMTP_HOST: text({ default: '127.0.0.1' }),
  MDK_SMTP_PORT: port({ default: 2525 }),
  MDK_SMTP_TLS_CERT: text({ default: undefined }),
  MDK_SMTP_TLS_KEY: text({ default: undefined }),
  MDK_RETURN_PATH_DOMAIN: domain({ default: undefined }),
  MDK_NOTICE_FROM: emailAddress({ default: undefined }),
  MDK_RELAY_NETWORKS: networks({ default: [] }),
  MDK_RELAY_REPORT_SECRET: text({ default: undefined }),
  MDK_SES_TOPIC: snsTopic({ default: undefined }),
  MDK_DNS_SERVERS: addresses({ default: undefined }),
  MDK_SECRET_KEYS: secretKeys({ default: undefined }),
  MDK_TRUSTED_PROXIES: networks({ default: [] }),
  MDK_IP_PER_MINUTE: count({ default: 120 }),
  MDK_IP_ALLOW: networks({ default: [] }),
  MDK_SMTP_ALLOW: networks({ default: [] }),
  MDK_WEBHOOK_ALLOW: networks({ default: [] }),
  MDK_SSO_ALLOW: networks({ default: [] }),
  MDK_IMAGE_ALLOW: networks({ default: [] }),
  MDK_WEBHOOK_BACKOFF: webhookWaits({ default: [30, 60, 120, 240] }),
  MDK_WEBHOOK_TIMEOUT: wait({ default: 5 * SECOND }),
  MDK_LEASE: wait({ default: 30 * SECOND }),
  MDK_SWEEP: wait({ default: MINUTE }),
  MDK_UPLOAD_TTL: duration({ default: 10 * MINUTE }),
  MDK_DOWNLOAD_TTL: duration({ default: 60 * SECOND }),
  MDK_IDEMPOTENCY_TTL: duration({ default: 24 * HOUR }),
  MDK_TRASH_TTL: duration({ default: 30 * DAY }),
  MDK_DEAD_LETTER_TTL: duration({ default: 14 * DAY }),
  MDK_OUTBOUND_BACKOFF: durationRange({ default: { firstMs: 5 * SECOND, mostMs: 15 * MINUTE } }),
  MDK_OUTBOUND_GIVE_UP: duration({ default: 48 * HOUR }),
  MDK_POLL: wait({ default: 250 }),
  MDK_BACKUP_TO: backupPlace({ default: undefined }),
  MDK_BACKUP_KEY_FILE: text({ default: undefined }),
  MDK_LOG_LEVEL: choice({ choices: ['trace', 'debug', 'info', 'warn', 'error', 'fatal'], default: 'info' }),
}

/** What each variable alone allows and all of them together do not. */
function contradictions(config: { leaseMs: number; webhooks: { timeoutMs: number } }): string[] {
  const faults: string[] = []
  if (config.leaseMs < 2 * config.webhooks.timeoutMs) {
    faults.push('MDK_LEASE: must be at least twice MDK_WEBHOOK_TIMEOUT')
  }
  return faults
}

/** What a role cannot do without. */
const NEEDS: Partial<Record<Role, string[]>> = { outbound: ['MDK_RELAY_URL', 'MDK_RETURN_PATH_DOMAIN'] }

function missing(given: Record<string, string | undefined>, roles: readonly Role[]): string[] {
  return roles.flatMap((role) =>
    (NEEDS[role] ?? []).filter((name) => given[name] === undefined).map((name) => `${name}: the ${role} role needs it`),
  )
}
