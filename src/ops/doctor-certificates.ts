// The doctor's check of the certificates that listeners show: whether their files are pairs, and how long they are good.
import type { Config } from '../config.ts'
import { type KeyPairFiles, readKeyPair } from '../lib/tls/key-pair.ts'
import type { Check } from './check.ts'

const DAY_MS = 24 * 60 * 60 * 1000
/** What renews certificates does so thirty days before; then something has been wrong for a while. */
const WARN_DAYS = 21
const FAIL_DAYS = 3

export async function checkCertificates({ tls, smtp }: Pick<Config, 'tls' | 'smtp'>, now: number): Promise<Check[]> {
  const checks: Promise<Check>[] = []
  if (tls) checks.push(checkCertificate('certificate', tls, now))
  if (smtp.tls && smtp.tls.cert !== tls?.cert) checks.push(checkCertificate('SMTP certificate', smtp.tls, now))
  return Promise.all(checks)
}

async function checkCertificate(name: string, files: KeyPairFiles, now: number): Promise<Check> {
  try {
    const { expiresAtMs } = await readKeyPair(files)
    const days = (expiresAtMs - now) / DAY_MS
    const when = `${files.cert}: ${days < 0 ? 'expired' : 'good until'} ${new Date(expiresAtMs).toISOString().slice(0, 10)}`
    if (days >= WARN_DAYS) return { name, result: 'ok', found: when }
    return {
      name,
      result: days < FAIL_DAYS ? 'fail' : 'warn',
      found: when,
      repair: 'renew it: the service takes the new files by itself, without a restart',
    }
  } catch (error) {
    const repair = 'put a certificate there and the key that belongs to it; a service that runs keeps its former pair'
    return { name, result: 'fail', found: (error as Error).message, repair }
  }
}
