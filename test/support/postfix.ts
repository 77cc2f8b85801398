// A real Postfix for tests: relay for whatever is given to it on loopback, with routes, refusals and delivery status
// notifications as a test wants them. Needs root and the Debian packages postfix and sasl2-bin.
import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, chownSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

export interface PostfixOptions {
  /** Where mail to a domain goes: the port of a server on loopback. Other domains are unknown (5.1.2). */
  routes?: Record<string, { port: number; dsn?: boolean }>
  /** What is said to RCPT by the beginning of the local part, over `refusals` below: `{ blocked: '550 5.7.1 no' }`. */
  refusals?: Record<string, string>
  /** Take mail only from `POSTFIX_USER` with `POSTFIX_PASSWORD`. */
  authenticate?: boolean
  /** Listen here instead of on a free port. */
  port?: number
}

export interface Postfix {
  url: string
  port: number
  /** The mail log so far. */
  log(): string
  /** The mails delivered to an address of local.test, once there are `count`; fails after ten seconds. */
  mailFor(address: string, count?: number): Promise<Buffer[]>
  stop(): Promise<void>
}

export const POSTFIX_USER = 'app'
export const POSTFIX_PASSWORD = 'secret'

/** Local parts that begin so are refused at RCPT. Mail to `unknown…@local.test` is taken and bounces (5.1.1). */
const REFUSALS = {
  reject: '550 5.1.1 no such mailbox',
  defer: '450 4.2.0 mailbox busy',
  crowd: '452 4.5.3 too many recipients',
}

const PATIENCE_MS = 10_000

/**
 * Starts a Postfix of its own configuration, queue and port. Mail to `…@local.test` is delivered to a mailbox.
 * Notifications come within a tenth of a second; a delay is reported after 6 s, given up after 20 s.
 */
export async function startPostfix(options: PostfixOptions = {}): Promise<Postfix> {
  const port = options.port ?? (await freePort())
  const base = mkdtempSync(join(tmpdir(), 'mdk-postfix-'))
  const etc = join(base, 'etc')
  for (const folder of ['etc', 'etc/sasl', 'queue', 'data', 'vmail', 'log']) mkdirSync(join(base, folder))
  chmodSync(base, 0o755)
  for (const folder of ['data', 'vmail']) chownSync(join(base, folder), idOf('-u'), idOf('-g'))

  writeFileSync(join(etc, 'main.cf'), mainCf(base, options))
  writeFileSync(join(etc, 'master.cf'), masterCf(port))
  writeFileSync(join(etc, 'refusals'), refusalTable({ ...REFUSALS, ...options.refusals }))
  // Patterns may not name the mailbox by what they match: all mail goes into one, and each says whom it was for.
  writeFileSync(join(etc, 'mailboxes'), 'if !/^unknown/\n/@local\\.test$/ all/\nendif\n')
  if (options.authenticate) writeAuthentication(etc)

  const command = (word: string) => spawnSync('postfix', ['-c', etc, word], { encoding: 'utf8' })
  const log = () => readFileSync(join(base, 'log/mail.log'), { encoding: 'utf8', flag: 'a+' })
  const started = command('start')
  const stopNow = () => {
    command('stop')
    rmSync(base, { recursive: true, force: true })
  }
  if (started.status !== 0) {
    const why = `Postfix does not start: ${started.stderr}\n${log()}`
    stopNow()
    throw new Error(why)
  }
  process.once('exit', stopNow)

  return {
    url: `smtp://127.0.0.1:${port}`,
    port,
    log,
    async mailFor(address, count = 1) {
      const folder = join(base, 'vmail/all/new')
      const mails = await eventually(() => {
        const found = filesIn(folder)
          .map((name) => readFileSync(join(folder, name)))
          .filter((mail) => mail.toString().includes(`\nDelivered-To: ${address}\n`))
        return found.length >= count ? found : undefined
      })
      if (!mails) throw new Error(`no ${count} mails for ${address} within ${PATIENCE_MS} ms\n${log()}`)
      return mails
    },
    async stop() {
      process.removeListener('exit', stopNow)
      stopNow()
    },
  }
}

function mainCf(base: string, { routes = {}, authenticate = false }: PostfixOptions): string {
  const transports = Object.entries(routes).map(
    ([domain, { port, dsn = true }]) => `{ ${domain} = ${dsn ? 'smtp' : 'smtpnodsn'}:[127.0.0.1]:${port} }`,
  )
  return `
compatibility_level = 3.6
config_directory = ${base}/etc
queue_directory = ${base}/queue
data_directory = ${base}/data
command_directory = /usr/sbin
daemon_directory = /usr/lib/postfix/sbin
shlib_directory = /usr/lib/postfix
meta_directory = /etc/postfix
mail_owner = postfix
setgid_group = postdrop
maillog_file = ${base}/log/mail.log
maillog_file_prefixes = ${base}/log
myhostname = relay.test
mydomain = relay.test
myorigin = relay.test
mydestination =
local_recipient_maps =
alias_maps =
alias_database =
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
mynetworks = 127.0.0.0/8
smtpd_relay_restrictions = ${authenticate ? '' : 'permit_mynetworks, '}permit_sasl_authenticated, reject
smtpd_recipient_restrictions = check_recipient_access regexp:${base}/etc/refusals
smtpd_reject_unlisted_recipient = no
smtpd_client_connection_count_limit = 0
smtpd_peername_lookup = no
smtputf8_enable = yes
disable_dns_lookups = yes
smtp_dns_support_level = disabled
smtp_host_lookup = native
message_size_limit = 41943040
transport_maps = inline:{ ${transports.join(', ')}${transports.length > 0 ? ', ' : ''}{ local.test = virtual: }, { * = error:5.1.2 no such domain here } }
virtual_mailbox_domains = local.test
virtual_mailbox_base = ${base}/vmail
virtual_mailbox_maps = regexp:${base}/etc/mailboxes
virtual_uid_maps = static:${idOf('-u')}
virtual_gid_maps = static:${idOf('-g')}
virtual_transport = virtual
delay_warning_time = 6s
maximal_queue_lifetime = 20s
bounce_queue_lifetime = 20s
queue_run_delay = 2s
minimal_backoff_time = 2s
maximal_backoff_time = 3s
smtp_connect_timeout = 3s
in_flow_delay = 0
smtpd_sasl_auth_enable = ${authenticate ? 'yes' : 'no'}
smtpd_sasl_type = cyrus
smtpd_sasl_path = smtpd
cyrus_sasl_config_path = ${base}/etc/sasl
smtpd_sasl_security_options = noanonymous
smtpd_sasl_local_domain = relay.test
`
}

function masterCf(port: number): string {
  return `127.0.0.1:${port} inet n - n - - smtpd
pickup    unix  n - n 60 1 pickup
cleanup   unix  n - n - 0 cleanup
qmgr      unix  n - n 300 1 qmgr
tlsmgr    unix  - - n 1000? 1 tlsmgr
rewrite   unix  - - n - - trivial-rewrite
bounce    unix  - - n - 0 bounce
defer     unix  - - n - 0 bounce
trace     unix  - - n - 0 bounce
verify    unix  - - n - 1 verify
flush     unix  n - n 1000? 0 flush
proxymap  unix  - - n - - proxymap
proxywrite unix - - n - 1 proxymap
smtp      unix  - - n - - smtp
relay     unix  - - n - - smtp
smtpnodsn unix  - - n - - smtp
  -o smtp_discard_ehlo_keywords=dsn
showq     unix  n - n - - showq
error     unix  - - n - - error
retry     unix  - - n - - error
discard   unix  - - n - - discard
local     unix  - n n - - local
virtual   unix  - n n - - virtual
lmtp      unix  - - n - - lmtp
anvil     unix  - - n - 1 anvil
scache    unix  - - n - 1 scache
postlog   unix-dgram n - n - 1 postlogd
`
}

function refusalTable(refusals: Record<string, string>): string {
  return Object.entries(refusals)
    .map(([beginning, reply]) => `/^${beginning}[^@]*@/ ${reply}\n`)
    .join('')
}

function writeAuthentication(etc: string): void {
  const users = join(etc, 'sasldb2')
  writeFileSync(
    join(etc, 'sasl/smtpd.conf'),
    `pwcheck_method: auxprop\nauxprop_plugin: sasldb\nsasldb_path: ${users}\nmech_list: PLAIN LOGIN\n`,
  )
  const words = ['-c', '-p', '-f', users, '-u', 'relay.test', POSTFIX_USER]
  execFileSync('saslpasswd2', words, { input: POSTFIX_PASSWORD })
  chownSync(users, 0, idOf('-g'))
  chmodSync(users, 0o640)
}

function idOf(option: '-u' | '-g'): number {
  return Number(execFileSync('id', [option, 'postfix'], { encoding: 'utf8' }))
}

function filesIn(folder: string): string[] {
  try {
    return readdirSync(folder).sort()
  } catch {
    return []
  }
}

/** Looks again until there is something, or patience ends. */
async function eventually<T>(look: () => T | undefined): Promise<T | undefined> {
  const deadline = performance.now() + PATIENCE_MS
  for (;;) {
    const found = look()
    if (found !== undefined || performance.now() > deadline) return found
    await sleep(20)
  }
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  if (address === null || typeof address === 'string') throw new Error('no free port')
  return address.port
}
