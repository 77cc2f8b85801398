// The doctor's checks of what lies beyond this process: the DNS, the relay, and the way back for reports and mail.
import { connect, createServer } from 'node:net'
import type { Config } from '../config.ts'
import { createDnsResolver, type DnsResolver } from '../lib/resolver.ts'
import { readRelayUrl } from '../mail/smtp/relay-url.ts'
import { openSession } from '../mail/smtp/smtp-session.ts'
import type { Check } from './check.ts'

const RELAY_TIMEOUTS = { connectMs: 5_000, commandMs: 10_000, verdictMs: 10_000 }
const GREETING_WITHIN_MS = 5_000

export async function examineNetwork(config: Config): Promise<Check[]> {
  const resolver = createDnsResolver(config.dnsServers)
  try {
    return await Promise.all([
      checkDns(resolver),
      checkRelay(config),
      checkReturnPath(config, resolver),
      checkSmtpPort(config),
    ])
  } finally {
    resolver.close()
  }
}

/** Asks for what every resolver has an answer to, if only that there is none (RFC 6303 4.2). */
async function checkDns(resolver: DnsResolver): Promise<Check> {
  const name = 'DNS'
  const answer = await resolver.query('1.0.0.127.in-addr.arpa', 'PTR')
  // A server that refuses or fails at this name is there all the same.
  if (answer.kind !== 'failed' || ['EREFUSED', 'ESERVFAIL'].includes(answer.code)) {
    return { name, result: 'ok', found: 'it answers' }
  }
  const repair = 'check MDK_DNS_SERVERS: domain checks, mail authentication and webhooks to names need it'
  return { name, result: 'warn', found: `it does not answer (${answer.code})`, repair }
}

async function checkRelay(config: Config): Promise<Check> {
  const name = 'relay'
  if (config.relay.url === undefined) {
    return { name, result: 'warn', found: 'not configured', repair: 'set MDK_RELAY_URL to send mail' }
  }
  try {
    const target = readRelayUrl(config.relay.url)
    const session = await openSession(target, RELAY_TIMEOUTS)
    session.quit()
    return { name, result: 'ok', found: `${target.host}:${target.port} lets us in` }
  } catch (error) {
    return { name, result: 'fail', found: (error as Error).message, repair: 'check MDK_RELAY_URL and the relay' }
  }
}

async function checkReturnPath(config: Config, resolver: DnsResolver): Promise<Check> {
  const name = 'return path'
  if (config.returnPathDomain === undefined) {
    return { name, result: 'warn', found: 'not configured', repair: 'set MDK_RETURN_PATH_DOMAIN to send mail' }
  }
  const answer = await resolver.query(config.returnPathDomain, 'MX')
  if (answer.kind === 'records') return { name, result: 'ok', found: `${config.returnPathDomain} takes mail` }
  const found = answer.kind === 'none' ? 'it has no MX record' : `the DNS does not answer (${answer.code})`
  return {
    name,
    result: 'warn',
    found,
    repair: `point an MX record of ${config.returnPathDomain} at the inbound listener`,
  }
}

/** The port is free for the inbound role, or an SMTP server has it, which is most likely our own. */
async function checkSmtpPort({ smtp: { host, port } }: Config): Promise<Check> {
  const name = 'SMTP port'
  const place = `${host}:${port}`
  try {
    await tryListening(host, port)
    return { name, result: 'ok', found: `${place} is free` }
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    const repair = 'name another with MDK_SMTP_HOST and MDK_SMTP_PORT'
    if (code !== 'EADDRINUSE') return { name, result: 'fail', found: message, repair }
    if (await greets(host, port)) return { name, result: 'ok', found: `an SMTP server answers at ${place}` }
    return { name, result: 'fail', found: `${place} is taken by something that does not speak SMTP`, repair }
  }
}

function tryListening(host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(port, host, () => server.close(() => resolve()))
  })
}

/** RFC 5321 4.2: whoever takes mail says 220 first. */
function greets(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: GREETING_WITHIN_MS })
    const end = (answer: boolean) => {
      socket.destroy()
      resolve(answer)
    }
    socket.once('data', (data) => end(data.toString('latin1').startsWith('220')))
    for (const event of ['timeout', 'error', 'close'] as const) socket.once(event, () => end(false))
  })
}
