// The API alone in a process of its own, as `mdk serve --roles api` runs it, with the size of its groups as the
// bench wants it. Arguments: database URL, rows in a group at most. Prints its port.
import { createWriteStream } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pino from 'pino'
import { buildApi } from '../src/api.ts'
import { createCredentials } from '../src/apps/credentials.ts'
import { createCursorCodec } from '../src/events/cursor.ts'
import { openFileStore } from '../src/lib/object-store/file.ts'
import { createWakeUps } from '../src/lib/queue/wake-ups.ts'
import { parseSecretKeys } from '../src/lib/secret-box.ts'
import { openDatabase } from '../src/lib/sql.ts'
import { createSender } from '../src/messages/send-message.ts'

const [url, groupRows] = process.argv.slice(2) as [string, string]
const database = openDatabase({ url })
const fail = (error: unknown) => void process.stderr.write(`${error}\n`)
const wakeUps = createWakeUps(database, fail)
const app = buildApi({
  // Logging is part of the work: every request is written, to nowhere.
  log: pino({ level: 'info' }, createWriteStream('/dev/null')),
  database,
  store: await openFileStore(await mkdtemp(join(tmpdir(), 'bench-'))),
  sender: createSender({
    db: database,
    idempotencyTtlSeconds: 86_400,
    wakeOutbound: () => wakeUps.wake('outbound'),
    onGroup: () => {},
    groupRows: Number(groupRows),
  }),
  cursors: createCursorCodec(parseSecretKeys(`1:${Buffer.alloc(32).toString('base64')}`)),
  verifyKey: createCredentials(database, fail).verify,
  onEvents: () => {},
  onAnswer: () => {},
})
await app.listen({ host: '127.0.0.1', port: 0 })
process.stdout.write(`${(app.server.address() as AddressInfo).port}\n`)
