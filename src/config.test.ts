import assert from 'node:assert/strict'
import { resolve } from 'node:path'
import { test } from 'node:test'
import { ConfigError, type Role, readConfig } from './config.ts'

function faultsOf(environment: Record<string, string>, roles: Role[] = []): string[] {
  try {
    readConfig(environment, roles)
  } catch (error) {
    assert(error instanceof ConfigError)
    return error.faults
  }
  return []
}

test('everything has the documented default', () => {
  const config = readConfig({})
  assert.equal(config.http.port, 8080)
  assert.equal(config.ops.port, 9464)
  assert.equal(config.leaseMs, 30_000)
  assert.deepEqual(config.webhooks.backoffSeconds, [30, 60, 120, 240])
  assert.deepEqual(config.outboundBackoff, { firstMs: 5_000, mostMs: 900_000 })
  assert.equal(config.objectStore, `file:${resolve('.mdk/objects')}`)
  assert.equal(config.databaseUrl, undefined)
})

test('each bad value is reported in a line of its own that names the variable', () => {
  const faults = faultsOf({
    MDK_PORT: '70000',
    MDK_LEASE: 'soon',
    MDK_RELAY_URL: 'http://relay',
    MDK_DATABASE_URL: 'mysql://x/y',
    MDK_WEBHOOK_BACKOFF: '1s,2s',
    MDK_TRUSTED_PROXIES: '10.0.0.0/99',
    MDK_OUTBOUND_BACKOFF: '9s..1s',
    MDK_OBJECT_STORE: 'ftp://x',
    MDK_LOG_LEVEL: 'loud',
    MDK_SES_TOPIC: 'arn:aws:sns:s3-us-west-2:123456789012:reports',
    MDK_RELAY_NETWORKS: '10.1',
    MDK_RETURN_PATH_DOMAIN: 'no spaces.test',
    MDK_DNS_SERVERS: 'one.one.one.one',
    MDK_IP_PER_MINUTE: '-1',
  })
  assert.deepEqual(faults.map((fault) => fault.split(':')[0]).sort(), [
    'MDK_DATABASE_URL',
    'MDK_DNS_SERVERS',
    'MDK_IP_PER_MINUTE',
    'MDK_LEASE',
    'MDK_LOG_LEVEL',
    'MDK_OBJECT_STORE',
    'MDK_OUTBOUND_BACKOFF',
    'MDK_PORT',
    'MDK_RELAY_NETWORKS',
    'MDK_RELAY_URL',
    'MDK_RETURN_PATH_DOMAIN',
    'MDK_SES_TOPIC',
    'MDK_TRUSTED_PROXIES',
    'MDK_WEBHOOK_BACKOFF',
  ])
  for (const fault of faults) assert.doesNotMatch(fault, /\n/)
})

test('durations and ranges are read in every unit', () => {
  const config = readConfig({
    MDK_POLL: '20ms',
    MDK_LEASE: '90s',
    MDK_UPLOAD_TTL: '3m',
    MDK_IDEMPOTENCY_TTL: '2h',
    MDK_TRASH_TTL: '1d',
    MDK_OUTBOUND_BACKOFF: '100ms..2s',
  })
  assert.equal(config.pollMs, 20)
  assert.equal(config.leaseMs, 90_000)
  assert.equal(config.uploadTtlMs, 180_000)
  assert.equal(config.idempotencyTtlMs, 7_200_000)
  assert.equal(config.trashTtlMs, 86_400_000)
  assert.deepEqual(config.outboundBackoff, { firstMs: 100, mostMs: 2_000 })
})

test('a duration is a century at most, and one that the process itself waits for 24 days', () => {
  const waits = ['MDK_WEBHOOK_TIMEOUT', 'MDK_LEASE', 'MDK_SWEEP', 'MDK_POLL']
  const given = (most: string) => Object.fromEntries(waits.map((name) => [name, most]))
  const faulty = (environment: Record<string, string>) => faultsOf(environment).map((fault) => fault.split(':')[0])
  assert.deepEqual(faulty({ ...given('24d'), MDK_WEBHOOK_TIMEOUT: '12d', MDK_TRASH_TTL: '36500d' }), [])
  assert.deepEqual(faulty(given('25d')).slice(0, 4).sort(), waits.sort())
  assert.deepEqual(faulty({ MDK_TRASH_TTL: '36501d', MDK_OUTBOUND_BACKOFF: '1s..999999999d' }).sort(), [
    'MDK_OUTBOUND_BACKOFF',
    'MDK_TRASH_TTL',
  ])
})

test('an empty variable counts as absent', () => {
  assert.equal(readConfig({ MDK_PORT: '' }).http.port, 8080)
})

test('a lease shorter than two webhook timeouts is refused', () => {
  assert.equal(faultsOf({ MDK_LEASE: '10s', MDK_WEBHOOK_TIMEOUT: '5s' }).length, 0)
  assert.deepEqual(faultsOf({ MDK_LEASE: '9s', MDK_WEBHOOK_TIMEOUT: '5s' }), [
    'MDK_LEASE: must be at least twice MDK_WEBHOOK_TIMEOUT',
  ])
})

test('a misspelt variable is noticed', () => {
  assert.deepEqual(readConfig({ MDK_REALY_URL: 'x' }).unknown, ['MDK_REALY_URL'])
})

test('values, contradictions, keys and what roles need are reported together, and each variable once', () => {
  const faults = faultsOf(
    {
      MDK_PORT: 'x',
      MDK_LEASE: '1s',
      MDK_SECRET_KEYS: '1:short',
      MDK_RELAY_URL: 'smtp://user@relay',
      MDK_SMTP_TLS_KEY: 'k',
    },
    ['api', 'outbound', 'inbound'],
  )
  assert.deepEqual(faults.map((fault) => fault.split(':')[0]).sort(), [
    'MDK_LEASE',
    'MDK_PORT',
    'MDK_RELAY_URL',
    'MDK_RETURN_PATH_DOMAIN',
    'MDK_SECRET_KEYS',
    'MDK_SMTP_TLS_CERT and MDK_SMTP_TLS_KEY',
  ])
  assert.deepEqual(faultsOf({}, ['api', 'webhooks', 'inbound', 'retention']), [])
})

test('no fault shows a secret', () => {
  const faults = faultsOf({ MDK_RELAY_URL: 'smtp://user:pa%ss@relay', MDK_SECRET_KEYS: `1:${'s'.repeat(40)}` })
  assert.equal(faults.length, 2)
  assert.doesNotMatch(faults.join(), /pa%ss|ssss/)
})

test('networks and addresses are taken only in a spelling that everybody reads alike', () => {
  for (const name of ['MDK_TRUSTED_PROXIES', 'MDK_IP_ALLOW', 'MDK_WEBHOOK_ALLOW', 'MDK_SSO_ALLOW', 'MDK_IMAGE_ALLOW']) {
    for (const odd of ['010.0.0.0/8', '10.1', '10.0.0.0/8,0x7f.0.0.1']) {
      assert.deepEqual(
        faultsOf({ [name]: odd }).map((fault) => fault.split(':')[0]),
        [name],
        odd,
      )
    }
  }
  const odd = [
    '010.0.0.1',
    '10.1:53',
    '127.0.0.1:0',
    '127.0.0.1:65536',
    '127.0.0.1:',
    '[127.0.0.1]:53',
    '[::1]:99999',
    '::1]:53',
    '[fe80::1%eth0]:53',
  ]
  for (const server of odd) assert.equal(faultsOf({ MDK_DNS_SERVERS: server }).length, 1, server)
  const servers = ['127.0.0.1', '127.0.0.1:65535', '::1', '[::1]', '[2001:db8::53]:53']
  assert.deepEqual(readConfig({ MDK_DNS_SERVERS: servers.join(', ') }).dnsServers, servers)
  assert.deepEqual(
    readConfig({ MDK_WEBHOOK_ALLOW: '10.0.0.0/8, ::1' }).webhooks.allow.map(([address, bits]) => `${address}/${bits}`),
    ['10.0.0.0/8', '::1/128'],
  )
})
