// The certificate that a listener shows, read again whenever its files change or somebody says SIGHUP.
import type { Logger } from 'pino'
import { ConfigError } from '../config.ts'
import type { KeyPair, KeyPairFiles } from '../lib/tls/key-pair.ts'
import { type WatchedKeyPair, watchKeyPair } from '../lib/tls/watch-key-pair.ts'
import type { Metrics } from '../servers/ops/metrics.ts'

/** `http`: the API, the console and the webmail. */
type CertificateUse = 'http' | 'smtp'

/** @throws ConfigError when the files are no pair: nothing listens with less than it was told to */
export async function openCertificate(
  use: CertificateUse,
  files: KeyPairFiles,
  { log, metrics }: { log: Logger; metrics: Metrics },
): Promise<WatchedKeyPair> {
  const tell = (pair: KeyPair, isTaken: boolean) => {
    metrics.onCertificate(use, { expiresAtSeconds: pair.expiresAtMs / 1000, isTaken })
  }
  const expiresAt = ({ expiresAtMs }: KeyPair) => new Date(expiresAtMs).toISOString()
  const pair = await watchKeyPair(files, {
    onRenewed(renewed) {
      log.info({ use, expiresAt: expiresAt(renewed) }, 'the certificate was renewed')
      tell(renewed, true)
    },
    onFault(fault) {
      log.error(
        { use, fault, expiresAt: expiresAt(pair.current()) },
        'the new certificate is not taken; the former stays',
      )
      tell(pair.current(), false)
    },
    onMended: () => tell(pair.current(), true),
  }).catch((error: Error) => {
    throw new ConfigError([`${use === 'smtp' ? 'MDK_SMTP_TLS_CERT' : 'MDK_TLS_CERT'}: ${error.message}`])
  })
  tell(pair.current(), true)
  const onHangUp = () => void pair.readAgain()
  process.on('SIGHUP', onHangUp)
  return {
    ...pair,
    stop() {
      process.off('SIGHUP', onHangUp)
      pair.stop()
    },
  }
}
