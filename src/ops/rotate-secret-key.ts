// Leads from one key of the service to the next, a step each time it is asked: makes it, has it seal, seals everything anew, and
// takes the one before away when nothing needs it. May be ended at any moment and run again, also twice at once.
import { randomBytes } from 'node:crypto'
import type { Operator } from '../access/actor.ts'
import { recordAct } from '../audit/record.ts'
import type { Config } from '../config.ts'
import { createSecretBox, parseSecretKeys, type SecretKeys } from '../lib/secret-box.ts'
import { replaceSecretKeyFile } from '../lib/secret-key-file.ts'
import { type Database, type Db, sql } from '../lib/sql.ts'
import { resealDkimKeys } from '../mailboxes/reseal-dkim-keys.ts'
import { resealClientSecrets } from '../people/single-sign-on/reseal-client-secrets.ts'
import { readHolders } from '../secret-key-holders.ts'
import { openSecretKeys, readKnownKeys, secretKeyFile } from '../secret-keys.ts'
import { resealTotpKeys } from '../users/reseal-totp-keys.ts'
import { resealSecrets } from '../webhooks/sweep-webhooks.ts'
import { nextStep, type TurningStep } from './secret-key-step.ts'

type KeyConfig = Pick<Config, 'secretKeys' | 'dataDir'>

export interface TurnedKeys {
  /** What was done, or is waited for. */
  step: TurningStep
  /** Whether the configuration is the file of the data folder, which was changed where the step changes it. */
  inFile: boolean
  /** The new key as MDK_SECRET_KEYS has it, for whoever has to put it there: shown this once. */
  newKey?: string
}

const AT_ONCE = 500

/** `onProgress` hears how many secrets have been sealed anew. @throws ConfigError as openSecretKeys */
export async function turnSecretKey(
  database: Database,
  by: Operator,
  config: KeyConfig,
  onProgress: (resealed: number) => void = () => {},
): Promise<TurnedKeys> {
  const inFile = config.secretKeys === undefined
  const turned = await database.transaction(async (tx) => {
    // Of two at once the second sees what the first has written.
    await tx.rows(sql`select pg_advisory_xact_lock(hashtextextended('mdk secret keys', 0))`)
    const keys = await openSecretKeys(config, tx)
    const step = await stepOf(tx, keys)
    const next = step.kind === 'reseal' ? undefined : keysAfter(step, keys)
    if (next && inFile) await replaceSecretKeyFile(secretKeyFile(config), next.keys)
    if (step.kind !== 'wait' && step.kind !== 'restart') {
      const details = { step: step.kind }
      await recordAct(tx, by, { operation: 'secret-key.rotate', resourceType: 'secret_key', resourceId: null, details })
    }
    return { keys, step, newKey: inFile ? undefined : next?.newKey }
  })
  const { keys, step, newKey } = turned
  if (step.kind === 'reseal') await resealAll(database, keys, onProgress)
  return { step, inFile, ...(newKey === undefined ? {} : { newKey }) }
}

/** What comes next; changes nothing. */
export async function stepOf(db: Db, keys: SecretKeys): Promise<TurningStep> {
  const known = await readKnownKeys(db)
  const newest = Math.max(...keys.map(({ version }) => version))
  const since = known.find(({ version }) => version === newest)?.currentSince ?? null
  const row = await db.first(sql<{ now: string }>`select clock_timestamp() as now`)
  return nextStep(
    {
      versions: keys.map(({ version }) => version),
      holders: await readHolders(db),
      sealedByOlder: known.reduce((sum, { version, secrets }) => sum + (version === newest ? 0 : secrets), 0),
      currentSinceMs: since === null ? null : Date.parse(since),
    },
    Date.parse(row?.now ?? ''),
  )
}

function keysAfter(step: TurningStep, keys: SecretKeys): { keys: SecretKeys; newKey?: string } | undefined {
  switch (step.kind) {
    case 'add': {
      const newKey = `${step.version}:${randomBytes(32).toString('base64')}`
      return { keys: [...keys, ...parseSecretKeys(newKey)], newKey }
    }
    case 'promote': {
      const newest = keys.filter(({ version }) => version === step.version)
      return { keys: [...newest, ...keys.filter(({ version }) => version !== step.version)] as unknown as SecretKeys }
    }
    case 'drop':
      return { keys: keys.filter(({ version }) => !step.versions.includes(version)) as unknown as SecretKeys }
    default:
      return undefined
  }
}

async function resealAll(database: Database, keys: SecretKeys, onProgress: (resealed: number) => void): Promise<void> {
  const box = createSecretBox(keys)
  const { version } = keys[0]
  let resealed = 0
  for (const reseal of [resealDkimKeys, resealSecrets, resealTotpKeys, resealClientSecrets]) {
    for (let count = AT_ONCE; count === AT_ONCE; ) {
      count = await reseal(database, box, version, AT_ONCE)
      resealed += count
      onProgress(resealed)
    }
  }
}
