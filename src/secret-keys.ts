// The service's own keys: those of the configuration, or those that the data folder keeps.
import { join } from 'node:path'
import type { Config } from './config.ts'
import type { SecretKeys } from './lib/secret-box.ts'
import { loadOrCreateSecretKeys } from './lib/secret-key-file.ts'

/** Makes the key file when there is none yet and no key is configured. @throws Error naming the file */
export async function loadSecretKeys(config: Pick<Config, 'secretKeys' | 'dataDir'>): Promise<SecretKeys> {
  return config.secretKeys ?? loadOrCreateSecretKeys(join(config.dataDir, 'secret-keys'))
}
