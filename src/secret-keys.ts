// The service's own keys – those of the configuration, or those that the data folder keeps – and whether they are the
// ones that the database was written with.
import { join } from 'node:path'
import { type Config, ConfigError } from './config.ts'
import { fingerprintOf, type SecretKey, type SecretKeys } from './lib/secret-box.ts'
import { loadOrCreateSecretKeys, loadSecretKeyFile } from './lib/secret-key-file.ts'
import { type Db, sql, type Timestamp } from './lib/sql.ts'

type KeyConfig = Pick<Config, 'secretKeys' | 'dataDir'>

/** What the database knows of a version of the key. */
interface KnownKey {
  version: number
  fingerprint: string
  /** How many secrets it has sealed that are still there. */
  secrets: number
  /** Since when new secrets are sealed by it; null while they are not. */
  currentSince: Timestamp | null
}

/**
 * The keys with which this process may work on this database. The first time they are noted in it; when it knows none and
 * none is configured they are made.
 * @throws ConfigError that names the keys it lacks, or Error naming the key file
 */
export async function openSecretKeys(config: KeyConfig, db: Db): Promise<SecretKeys> {
  const keys = (await findSecretKeys(config, db)) ?? (await loadOrCreateSecretKeys(secretKeyFile(config)))
  const own = keys.map(named)
  await db.rows(sql`
    insert into secret_keys (version, fingerprint)
    select version, fingerprint from unnest(${own.map((key) => key.version)}::bigint[],
      ${own.map((key) => key.fingerprint)}::text[]) as k (version, fingerprint)
    on conflict (version) do nothing`)
  // Another process may have been the first, with keys of its own.
  refuse(keyFaults(own, await readKnownKeys(db)))
  await db.rows(sql`
    update secret_keys set current_since = clock_timestamp()
    where version = ${keys[0].version} and current_since is null`)
  return keys
}

/**
 * The same without making or noting anything; undefined when there are no keys yet.
 * @throws ConfigError, or Error naming the key file
 */
export async function findSecretKeys(config: KeyConfig, db: Db): Promise<SecretKeys | undefined> {
  const known = await readKnownKeys(db)
  const keys = config.secretKeys ?? (await loadSecretKeyFile(secretKeyFile(config)))
  if (!keys && known.length === 0) return undefined
  if (!keys) return refuse([`${secretKeyFile(config)} is not there`, ...known.map(lacking)])
  refuse(keyFaults(keys.map(named), known))
  return keys
}

/** Why keys do not fit what a database knows, one line for each; a version that nothing needs any more may be absent. */
function keyFaults(keys: readonly { version: number; fingerprint: string }[], known: readonly KnownKey[]): string[] {
  return known.flatMap((expected) => {
    const key = keys.find(({ version }) => version === expected.version)
    if (!key) return expected.secrets > 0 ? [lacking(expected)] : []
    if (expected.fingerprint === key.fingerprint) return []
    return [
      `key version ${key.version} has the fingerprint ${key.fingerprint}: it is another one. ${lacking(expected)}`,
    ]
  })
}

function lacking({ version, fingerprint, secrets }: KnownKey): string {
  const what = secrets === 0 ? 'its return paths and cursors' : `${secrets} of its secrets`
  return `this database needs key version ${version} with the fingerprint ${fingerprint}, for ${what}`
}

const REPAIR =
  'put back the keys that were kept with the backup, as MDK_SECRET_KEYS or as the file secret-keys in MDK_DATA_DIR; every process over one database has the same'

const named = (key: SecretKey) => ({ version: key.version, fingerprint: fingerprintOf(key) })

function refuse(faults: readonly string[]): undefined {
  if (faults.length > 0) throw new ConfigError([...faults, REPAIR].map((line) => `MDK_SECRET_KEYS: ${line}`))
}

/** Where they lie that no variable gives. */
export function secretKeyFile({ dataDir }: Pick<Config, 'dataDir'>): string {
  return join(dataDir, 'secret-keys')
}

/** The keys that were noted, and what of what is there they have sealed. */
export function readKnownKeys(db: Db): Promise<KnownKey[]> {
  return db.rows(sql<KnownKey>`
    with sealed as (
      select s.version, count(*) as secrets
      from (
        select sealed_with(dkim_private_key) as version from domains where dkim_private_key is not null
        union all
        select sealed_with(next_private_key) from dkim_turns where next_private_key is not null
        union all
        select sealed_with(secret) from webhook_endpoints where deleted_at is null
        union all
        select sealed_with(previous_secret) from webhook_endpoints
        where deleted_at is null and previous_secret_until > clock_timestamp()
        union all
        select sealed_with(secret) from totp_keys
        union all
        select sealed_with(client_secret) from single_sign_on
      ) s
      group by s.version
    )
    select k.version, k.fingerprint, coalesce(s.secrets, 0) as secrets, k.current_since as "currentSince"
    from secret_keys k left join sealed s on s.version = k.version
    order by k.version`)
}
