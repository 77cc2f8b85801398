// Writes schema.sql: what the migrations come to, for people to read and for a test to compare. `npm run schema`
// makes it anew. There is no pg_dump in the package of the embedded server, so it is read from the catalogs.
import { rm, writeFile } from 'node:fs/promises'
import { openServiceDatabase } from '../src/database.ts'
import { createLog } from '../src/lib/log.ts'
import { describeSchema, SCHEMA_FILE } from '../test/support/schema.ts'
import { temporaryFolder } from '../test/support/temporary-folder.ts'

const folder = await temporaryFolder('mdk-schema-')
const config = { databaseUrl: undefined, dataDir: folder }
const { database, close } = await openServiceDatabase({ config, log: createLog('error'), hold: 'service' })
try {
  await writeFile(SCHEMA_FILE, await describeSchema(database))
} finally {
  await close()
  await rm(folder, { recursive: true, force: true })
}
