// The doctor's check of the service's own keys, and of everything that they have sealed.
import { type Config, ConfigError } from '../config.ts'
import { createSecretBox, fingerprintOf, type SecretKey } from '../lib/secret-box.ts'
import type { Db } from '../lib/sql.ts'
import { findSecretKeys } from '../secret-keys.ts'
import type { Check } from './check.ts'
import { stepOf } from './rotate-secret-key.ts'
import { tryOpeningSecrets } from './sealed-secrets.ts'
import type { TurningStep } from './secret-key-step.ts'

export async function checkSecretKeys(config: Config, db: Db): Promise<Check> {
  const name = 'secret keys'
  try {
    const keys = await findSecretKeys(config, db)
    if (!keys) return { name, result: 'ok', found: 'none yet; the first start makes one' }
    const { closed, example } = await tryOpeningSecrets(db, createSecretBox(keys))
    if (closed === 0) return { name, found: keys.map(nameOf).join(', '), ...wayOf(await stepOf(db, keys)) }
    const found = `${closed} sealed secrets do not open, such as that of ${example}`
    return { name, result: 'fail', found, repair: 'give MDK_SECRET_KEYS, or its file, every key that sealed them' }
  } catch (error) {
    const faults = error instanceof ConfigError ? error.faults : [(error as Error).message]
    return { name, result: 'fail', found: faults.join('; '), repair: 'check MDK_SECRET_KEYS or its file' }
  }
}

/** Where a rotation stands, if one is on its way. */
function wayOf(step: TurningStep): Pick<Check, 'result' | 'repair'> {
  if (step.kind === 'add' || step.kind === 'wait') return { result: 'ok' }
  const whatIs = step.kind === 'restart' ? 'restart the processes that have other keys, then ' : ''
  return { result: 'warn', repair: `a key is turning: ${whatIs}run mdk secret-key rotate` }
}

const nameOf = (key: SecretKey) => `version ${key.version} (${fingerprintOf(key)})`
