// Reads the passphrase of the backups.
import { createSecretKey, type KeyObject } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { type Config, ConfigError } from '../config.ts'

/** What others could guess is no passphrase. */
const LEAST_CHARACTERS = 16

/** @throws ConfigError that says what is wrong with the file */
export async function readPassphrase({ keyFile }: Config['backup']): Promise<KeyObject> {
  if (keyFile === undefined) {
    throw new ConfigError([
      'MDK_BACKUP_KEY_FILE: name a file with the passphrase of the backups; "openssl rand -base64 32" makes one',
    ])
  }
  const text = await readFile(keyFile, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new ConfigError([`MDK_BACKUP_KEY_FILE: ${keyFile} cannot be read (${error.code})`])
  })
  const passphrase = text.trim()
  if (passphrase.length < LEAST_CHARACTERS) {
    throw new ConfigError([
      `MDK_BACKUP_KEY_FILE: the passphrase in ${keyFile} is shorter than ${LEAST_CHARACTERS} characters`,
    ])
  }
  return createSecretKey(Buffer.from(passphrase))
}
