// The keys of the service's own secrets: those MDK_SECRET_KEYS gives, or those of the data folder, made at first use.
import { join } from 'node:path'
import { type Config, ConfigError } from './config.ts'
import { parseSecretKeys, type SecretKeys } from './lib/secret-box.ts'
import { loadOrCreateSecretKeys } from './lib/secret-key-file.ts'

/** @throws ConfigError when they are given and are none */
export async function loadSecretKeys(config: Pick<Config, 'secretKeys' | 'dataDir'>): Promise<SecretKeys> {
  if (config.secretKeys === undefined) return loadOrCreateSecretKeys(join(config.dataDir, 'secret-keys'))
  try {
    return parseSecretKeys(config.secretKeys)
  } catch (error) {
    throw new ConfigError([`MDK_SECRET_KEYS: ${(error as Error).message}`])
  }
}
