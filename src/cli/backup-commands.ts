// `mdk backup …`, `mdk restore`
import { type Command, InvalidArgumentError } from 'commander'
import { type Config, ConfigError, readConfig } from '../config.ts'
import { type BackupPlace, openBackupPlace, readPlace } from '../lib/backup-place.ts'
import { parseInstant } from '../lib/instant.ts'
import { createLog } from '../lib/log.ts'
import { openObjectStore } from '../object-store.ts'
import { openSecretKeys } from '../secret-keys.ts'
import { type AddCommands, type Cli, withDatabase, withExamples } from './cli.ts'
import { operator } from './operator.ts'
import { print, table } from './print.ts'
import { progressLine, readableBytes } from './progress.ts'

interface From {
  from?: string
}

interface RestoreOptions extends From {
  backup?: string
  toTime?: string
  toBackup?: boolean
  withoutDatabase?: boolean
}

export const backupCommands: AddCommands = (program, cli) => {
  const backup = withExamples(
    program.command('backup').description('copy database, objects and keys, sealed, to a folder or a bucket'),
    'backup --to /mnt/backups/mdk',
    'backup --to "s3://backups/mdk?region=eu-west-1"',
  )
    .option('--to <place>', 'a folder or s3://…; MDK_BACKUP_TO unless given', place)
    .option('--without-database', 'objects and keys alone: the database is backed up by others')
    .action((options: { to?: string; withoutDatabase?: boolean }) => makeBackup(cli, options))
  withExamples(
    from(backup.command('list').description('the backups that are whole, oldest first')),
    'backup list',
  ).action((options: From) => listBackups(cli, options))
  withExamples(
    from(backup.command('verify').description('read a backup to its last octet and hold it against its checksums')),
    'backup verify',
    'backup verify 2026-01-01T03-00-00.123Z --from /mnt/backups/mdk',
  )
    .argument('[id]', 'which; the newest unless given')
    .action((id: string | undefined, options: From) => verify(cli, options, id))
  withExamples(
    from(program.command('restore').description('restore a backup into an empty MDK_DATA_DIR')),
    'restore --from /mnt/backups/mdk',
    'restore --from /mnt/backups/mdk --to-time 2026-01-01T12:00:00Z',
  )
    .option('--backup <id>', 'from which backup; the newest that leads there unless given')
    .option('--to-time <instant>', 'as it was then; the latest there is unless given', instant)
    .option('--to-backup', 'as it was when the backup ended')
    .option('--without-database', 'objects and keys alone, for a database that was restored by others')
    .action((options: RestoreOptions) => restoreBackup(cli, options))
}

function from(command: Command): Command {
  return command.option('--from <place>', 'a folder or s3://…; MDK_BACKUP_TO unless given', place)
}

async function makeBackup(cli: Cli, options: { to?: string; withoutDatabase?: boolean }): Promise<void> {
  const [{ backUp }, { makeVault }, { readPassphrase }] = await Promise.all([
    import('../backup/back-up.ts'),
    import('../backup/vault.ts'),
    import('../backup/passphrase.ts'),
  ])
  const line = progressLine<{ databaseBytes: number; objects: number; objectBytes: number }>(
    cli,
    ({ databaseBytes, objects, objectBytes }) =>
      `database: ${readableBytes(databaseBytes)}, objects: ${objects} (${readableBytes(objectBytes)})`,
  )
  const { manifest, objectsAdded } = await withDatabase(cli, async (database, config) => {
    const embedded = embeddedDataDir(config, options.withoutDatabase)
    const place = await openPlace(config, options.to)
    const vault = await makeVault(place, await readPassphrase(config.backup), database)
    const [{ store }, secretKeys] = [await openObjectStore(config), await openSecretKeys(config, database)]
    const onProgress = line.show
    return backUp({ database, store, vault, secretKeys, operator: operator(), dataDir: embedded, onProgress })
  }).finally(line.end)
  const { id, startedAt, finishedAt, cluster, objects } = manifest
  const databaseBytes = cluster ? cluster.files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0) : null
  const result = { id, startedAt, finishedAt, databaseBytes, objects: objects.count, objectsAdded }
  const database = databaseBytes === null ? 'without the database' : `database: ${readableBytes(databaseBytes)}`
  print(cli, result, `Backup ${id} (${database}; objects: ${objects.count}, of which ${objectsAdded} are new there)`)
}

/** Whoever has a database of their own must say that they know that it is not in the backup. */
function embeddedDataDir(config: Config, without = false): string | undefined {
  if (without) return undefined
  if (config.databaseUrl === undefined) return config.dataDir
  throw new ConfigError([
    'MDK_DATABASE_URL: mdk copies the files of the embedded database alone. Back yours up by pgBackRest, and objects and keys with --without-database',
  ])
}

async function listBackups(cli: Cli, options: From): Promise<void> {
  const { backupIds, readManifest } = await import('../backup/manifest.ts')
  const vault = await openVaultOf(readConfig(cli.env), options.from)
  const items: object[] = []
  for (const id of (await backupIds(vault)).whole) {
    const { finishedAt, version, cluster, objects } = await readManifest(vault, id)
    items.push({ id, finishedAt, version, database: cluster !== null, objects: objects.count })
  }
  const columns = { id: 'ID', finishedAt: 'ENDED', version: 'VERSION', database: 'DATABASE', objects: 'OBJECTS' }
  print(cli, { items }, table(items, columns, 'No backups.'))
}

async function verify(cli: Cli, options: From, id: string | undefined): Promise<void> {
  const [{ verifyBackup }, { chooseBackup }] = await Promise.all([
    import('../backup/verify-backup.ts'),
    import('../backup/choose-backup.ts'),
  ])
  const vault = await openVaultOf(readConfig(cli.env), options.from)
  const chosen = id ?? (await chooseBackup(vault, { kind: 'end' })).id
  const line = progressLine<number>(cli, (objects) => `objects: ${objects}`)
  const verified = await verifyBackup(vault, chosen, line.show).finally(line.end)
  const { faults, files, segments, objects } = verified
  const whole = faults.length === 0
  const read = `${files} files, ${segments} files of the log and ${objects} objects were read`
  print(
    cli,
    { whole, ...verified },
    [`Backup ${chosen}: ${whole ? 'whole' : 'DAMAGED'}; ${read}`, ...faults].join('\n'),
  )
  if (!whole) cli.status = 1
}

async function restoreBackup(cli: Cli, options: RestoreOptions): Promise<void> {
  const { restore, restoreBeside } = await import('../backup/restore.ts')
  const line = progressLine<{ databaseBytes: number; objects: number }>(
    cli,
    ({ databaseBytes, objects }) => `database: ${readableBytes(databaseBytes)}, objects: ${objects}`,
  )
  const config = readConfig(cli.env)
  const vault = await openVaultOf(config, options.from)
  const log = createLog('error', { write: (text: string) => void process.stderr.write(text) })
  const openStore = async () => (await openObjectStore(config)).store
  const deps = { vault, config, openStore, operator: operator(), onProgress: line.show, log }
  if (options.withoutDatabase) {
    const { id, restored, missing } = await withDatabase(cli, (database) =>
      restoreBeside(deps, database, options.backup),
    ).finally(line.end)
    print(cli, { id, restored, missing }, `Restored of backup ${id}: ${restored} objects${lacking(missing)}`)
    if (missing > 0) cli.status = 1
    return
  }
  if (config.databaseUrl !== undefined) {
    throw new ConfigError([
      'MDK_DATABASE_URL: restore your database first, then objects and keys with --without-database',
    ])
  }
  const result = await restore(deps, targetOf(options), options.backup).finally(line.end)
  const { id, recoveredTo, missingLog, restored, missing } = result
  const gap = missingLog === null ? [] : [`The log ends there: ${missingLog} is missing, although later ones are there`]
  const to = recoveredTo === null ? '' : `, the last of it committed at ${recoveredTo}`
  print(cli, result, [`Restored backup ${id}${to}; ${restored} objects${lacking(missing)}`, ...gap].join('\n'))
  if (missing > 0 || missingLog !== null) cli.status = 1
}

const lacking = (missing: number) =>
  missing === 0 ? '' : `; ${missing} are missing: "mdk objects check" names them, "mdk objects repair" ends it`

function targetOf({ toTime, toBackup }: RestoreOptions) {
  if (toTime !== undefined && toBackup) throw new ConfigError(['--to-time and --to-backup: give one of them'])
  if (toTime !== undefined) return { kind: 'time', at: toTime } as const
  return { kind: toBackup ? 'backup' : 'end' } as const
}

async function openVaultOf(config: Config, place: string | undefined) {
  const [{ openVault }, { readPassphrase }] = await Promise.all([
    import('../backup/vault.ts'),
    import('../backup/passphrase.ts'),
  ])
  return openVault(await openPlace(config, place), await readPassphrase(config.backup))
}

function openPlace(config: Config, given: string | undefined): Promise<BackupPlace> {
  const location = given ?? config.backup.to
  if (location === undefined)
    throw new ConfigError(['MDK_BACKUP_TO: name the place of the backups, here or in the command'])
  return openBackupPlace(location)
}

function place(text: string): string {
  try {
    return readPlace(text)
  } catch (error) {
    throw new InvalidArgumentError(`${(error as Error).message}.`)
  }
}

/** As the database writes it: the two are compared. */
function instant(text: string): string {
  const microseconds = parseInstant(text)
  if (microseconds === undefined) throw new InvalidArgumentError('It is not an instant such as 2026-01-01T12:00:00Z.')
  const [date = '', fraction] = [
    new Date(Math.floor(microseconds / 1000)).toISOString().slice(0, 19),
    microseconds % 1_000_000,
  ]
  return `${date}.${String(fraction).padStart(6, '0')}Z`
}
