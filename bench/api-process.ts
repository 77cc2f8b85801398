// The API alone in a process of its own, as `mdk serve --roles api` runs it, with the size of its groups as the
// bench wants it. Arguments: database URL, rows in a group at most. Prints its port.
import { createWriteStream } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pino from 'pino'
import { readConfig } from '../src/config.ts'
import { createHashTurns } from '../src/lib/hash-turns.ts'
import { openFileStore } from '../src/lib/object-store/file.ts'
import { createWakeUps } from '../src/lib/queue/wake-ups.ts'
import { parseSecretKeys } from '../src/lib/secret-box.ts'
import { openDatabase } from '../src/lib/sql.ts'
import { startApi } from '../src/roles/api.ts'
import { createMetrics } from '../src/servers/ops/metrics.ts'

const [url, groupRows] = process.argv.slice(2) as [string, string]
const database = openDatabase({ url })
const { url: base } = await startApi(
  {
    config: readConfig({ MDK_PORT: '0', MDK_IP_PER_MINUTE: '0' }),
    // Logging is part of the work: every request is written, to nowhere.
    log: pino({ level: 'info' }, createWriteStream('/dev/null')),
    metrics: createMetrics(),
    database,
    wakeUps: createWakeUps(database, (error) => void process.stderr.write(`${error}\n`)),
    s3: undefined,
    store: await openFileStore(await mkdtemp(join(tmpdir(), 'bench-'))),
    hashTurns: createHashTurns(),
    secretKeys: parseSecretKeys(`1:${Buffer.alloc(32).toString('base64')}`),
  },
  { groupRows: Number(groupRows) },
)
process.stdout.write(`${new URL(base).port}\n`)
