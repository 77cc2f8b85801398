// Which keys of the service the processes over one database have at the moment, as each says again and again while it runs.
import type { SecretKeys } from './lib/secret-box.ts'
import { type Database, type Db, sql } from './lib/sql.ts'
import { newId } from './lib/uuid.ts'

const SAY_EVERY_MS = 20_000
/** One that has said nothing for so long is gone, or cannot work. */
const SILENT_SECONDS = 90

/** Says it from now on, until `stop`. A database that is away hears it later. */
export async function tellKeys(database: Database, keys: SecretKeys): Promise<{ stop(): Promise<void> }> {
  const processId = newId()
  const versions = keys.map(({ version }) => version)
  const tell = () =>
    database.rows(sql`
      insert into secret_key_holders (process_id, versions) values (${processId}, ${versions}::bigint[])
      on conflict (process_id) do update set seen_at = clock_timestamp()`)
  await tell()
  let telling: Promise<unknown> = Promise.resolve()
  const timer = setInterval(() => {
    telling = tell().catch(() => {})
  }, SAY_EVERY_MS).unref()
  return {
    async stop() {
      clearInterval(timer)
      await telling
      await database.rows(sql`
        delete from secret_key_holders
        where process_id = ${processId} or seen_at < clock_timestamp() - interval '1 day'`)
    },
  }
}

/** Of each process that runs: the versions of its keys, the first of which seals. */
export async function readHolders(db: Db): Promise<number[][]> {
  const rows = await db.rows(sql<{ versions: number[] }>`
    select array_to_json(versions) as versions from secret_key_holders
    where seen_at > clock_timestamp() - make_interval(secs => ${SILENT_SECONDS})`)
  return rows.map((row) => row.versions)
}
