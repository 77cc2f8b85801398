// A real S3-compatible server for tests: OpenStack Swift with its S3 API, on loopback, with data of its own. Needs root
// and the Debian packages swift, swift-proxy, swift-account, swift-container and swift-object.
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { after } from 'node:test'
import { temporaryFolder } from './temporary-folder.ts'
import { until } from './until.ts'

export interface S3Server {
  /** For MDK_OBJECT_STORE, with a bucket of this name. */
  urlOf(bucket: string): string
  stop(): Promise<void>
}

/** What the AWS variables hold for it. */
export const S3_CREDENTIALS = { AWS_ACCESS_KEY_ID: 'test:tester', AWS_SECRET_ACCESS_KEY: 'testing' }

const SERVERS = ['account', 'container', 'object'] as const

/** Starts one. This process's AWS variables are set to its credentials. */
export async function startS3(): Promise<S3Server> {
  Object.assign(process.env, S3_CREDENTIALS)
  const base = await temporaryFolder('s3-test-')
  for (const folder of ['srv/d1', 'log']) mkdirSync(join(base, folder), { recursive: true })
  const ports = await freePorts(SERVERS.length + 1)
  const proxyPort = ports[SERVERS.length] as number
  writeFileSync(join(base, 'swift.conf'), SWIFT_CONF)
  SERVERS.forEach((name, i) => {
    writeFileSync(join(base, `${name}-server.conf`), `${common(base, ports[i] as number)}${serverConf(name)}`)
  })
  writeFileSync(join(base, 'proxy-server.conf'), `${common(base, proxyPort)}${PROXY_CONF}`)
  const child = run(base, ports.slice(0, SERVERS.length))
  const stopNow = () => {
    child.kill('SIGKILL')
    rmSync(base, { recursive: true, force: true, maxRetries: 20 })
  }
  process.once('exit', stopNow)
  const gone = new Promise((resolve) => child.once('close', resolve))
  const stop = async () => {
    child.ref()
    child.kill('SIGKILL')
    await gone
    stopNow()
  }
  after(stop)
  try {
    for (const port of ports) await until('the S3 server listens', () => answers(port), 30_000)
  } catch (error) {
    const log = readFileSync(join(base, 'log/proxy.log'), 'utf8').slice(-2_000)
    throw new Error(`${(error as Error).message}\n${log}`)
  }
  return {
    urlOf: (bucket) => `s3://${bucket}?endpoint=http://127.0.0.1:${proxyPort}&region=us-east-1&pathStyle=true`,
    stop,
  }
}

/** All of them as one child, which closes when the last of them has ended: each has its fourth stream open. */
function run(base: string, ports: number[]): ChildProcess {
  const script = new URL('s3-servers.py', import.meta.url).pathname
  const child = spawn('/usr/bin/python3', [script, base, ...ports.map(String)], {
    env: { ...process.env, PYTHONDONTWRITEBYTECODE: '1' },
    stdio: ['ignore', 'ignore', 'inherit', 'pipe'],
  })
  // A suite whose tests are all filtered out calls nothing that was to happen after them.
  child.unref()
  const held = child.stdio[3] as Socket
  held.resume().unref()
  return child
}

async function freePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'))
  await Promise.all(servers.map((server) => new Promise((resolve) => server.once('listening', resolve))))
  const ports = servers.map((server) => (server.address() as { port: number }).port)
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))))
  return ports
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })
}

const SWIFT_CONF = `[swift-hash]
swift_hash_path_prefix = test
swift_hash_path_suffix = test
`

const common = (base: string, port: number) => `[DEFAULT]
bind_ip = 127.0.0.1
bind_port = ${port}
workers = 0
user = root
swift_dir = ${base}
devices = ${base}/srv
mount_check = false
disable_fallocate = true
log_level = WARNING
log_address = /dev/null
eventlet_debug = false
`

const serverConf = (name: string) => `[pipeline:main]
pipeline = ${name}-server
[app:${name}-server]
use = egg:swift#${name}
[${name}-replicator]
[${name}-auditor]
`

const PROXY_CONF = `[pipeline:main]
pipeline = catch_errors cache listing_formats s3api tempauth bulk slo proxy-server
[app:proxy-server]
use = egg:swift#proxy
account_autocreate = true
[filter:catch_errors]
use = egg:swift#catch_errors
[filter:cache]
use = egg:swift#memcache
memcache_servers = 127.0.0.1:1
memcache_max_connections = 1
connect_timeout = 0.01
[filter:listing_formats]
use = egg:swift#listing_formats
[filter:s3api]
use = egg:swift#s3api
s3_acl = false
check_bucket_owner = false
location = us-east-1
allow_multipart_uploads = true
allowable_clock_skew = 900
[filter:tempauth]
use = egg:swift#tempauth
user_test_tester = testing .admin
[filter:bulk]
use = egg:swift#bulk
[filter:slo]
use = egg:swift#slo
`
