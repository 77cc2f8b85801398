// The inbound role: receives mail by SMTP.
import { createDnsResolver } from '../lib/resolver.ts'
import { createMailAuthenticator } from '../mail/authenticate/authenticate.ts'
import { readEnvelopeId } from '../mail/envelope-id.ts'
import { createMailParser } from '../mail/parse/mail-parser.ts'
import { readReturnPath, returnPathSettings } from '../mail/return-path.ts'
import { receiveMessage } from '../messages/receive/receive-message.ts'
import { createAdmission } from '../servers/smtp/admission.ts'
import { startListener } from '../servers/smtp/listener.ts'
import { makeSelfSignedCertificate } from '../servers/smtp/self-signed-certificate.ts'
import { explainListenFault } from './listen-fault.ts'
import { openCertificate } from './open-certificate.ts'
import { DRAIN_MS, type Parts } from './parts.ts'

export interface RunningInbound {
  /** `smtp://host:port` */
  url: string
  stop(): Promise<void>
}

/** One client has two of them at most: another's mail finds one free. */
const THREADS = 3
const MOST_OF_ONE = 2
const PARSE_TIMEOUT_MS = 10_000
const AUTHENTICATE_TIMEOUT_MS = 10_000
const HEAP_MIB = 256

/** @throws what keeps it from listening */
export async function startInbound(parts: Omit<Parts, 's3'>): Promise<RunningInbound> {
  const { config, log, metrics, database, store } = parts
  const returnPath = config.returnPathDomain ? returnPathSettings(config.returnPathDomain, parts.secretKeys) : undefined
  const parser = createMailParser({
    threads: THREADS,
    mostOfOne: MOST_OF_ONE,
    timeoutMs: PARSE_TIMEOUT_MS,
    heapMiB: HEAP_MIB,
  })
  const authenticator = createMailAuthenticator({
    resolver: createDnsResolver(config.dnsServers),
    threads: THREADS,
    mostOfOne: MOST_OF_ONE,
    timeoutMs: AUTHENTICATE_TIMEOUT_MS,
    heapMiB: HEAP_MIB,
  })
  const deps = {
    database,
    store,
    parser,
    authenticator,
    relayNetworks: config.relayReports.networks,
    envelopeId: (text: string) => returnPath && readEnvelopeId(text, returnPath),
    onReceived: metrics.onReceived,
  }
  const certificate = config.smtp.tls && (await openCertificate('smtp', config.smtp.tls, parts))
  const listener = await startListener({
    host: config.smtp.host,
    port: config.smtp.port,
    tls: certificate?.current() ?? selfSigned(parts),
    name: config.returnPathDomain ?? 'localhost',
    database,
    log,
    admission: config.ipPerMinute === 0 ? undefined : createAdmission(config.smtp.allow),
    returnPath: (address) => returnPath && readReturnPath(address, returnPath),
    receive: (mail, source) => receiveMessage(deps, mail, source),
  }).catch((error: Error) => {
    certificate?.stop()
    return explainListenFault('MDK_SMTP', config.smtp)(error)
  })
  certificate?.onChange(listener.renewCertificate)
  return {
    url: `smtp://${config.smtp.host}:${listener.port}`,
    async stop() {
      certificate?.stop()
      await listener.stop(DRAIN_MS)
      await Promise.all([parser.stop(), authenticator.stop()])
    },
  }
}

function selfSigned({ config, log }: Pick<Parts, 'config' | 'log'>) {
  log.warn('STARTTLS uses a self-signed certificate: set MDK_TLS_CERT and MDK_TLS_KEY, or those of MDK_SMTP_TLS_')
  return makeSelfSignedCertificate(config.returnPathDomain ?? 'localhost', new Date())
}
