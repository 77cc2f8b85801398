// The outbound role alone in a process of its own, as `mdk serve --roles outbound` runs it. Arguments: database URL,
// secret keys, relay's URL, folder for objects. It works from one line on its input to the next, and answers each when it is done.
import { createWriteStream } from 'node:fs'
import { createInterface } from 'node:readline'
import pino from 'pino'
import { readConfig } from '../src/config.ts'
import { createHashTurns } from '../src/lib/hash-turns.ts'
import { openFileStore } from '../src/lib/object-store/file.ts'
import { createWakeUps } from '../src/lib/queue/wake-ups.ts'
import { parseSecretKeys } from '../src/lib/secret-box.ts'
import { openDatabase } from '../src/lib/sql.ts'
import { startOutbound } from '../src/roles/outbound.ts'
import { createMetrics } from '../src/servers/ops/metrics.ts'

const [url, secretKeys, relayUrl, objects] = process.argv.slice(2) as [string, string, string, string]
const database = openDatabase({ url })
const parts = {
  config: readConfig({ MDK_RELAY_URL: relayUrl, MDK_RETURN_PATH_DOMAIN: 'bounce.test' }),
  log: pino({ level: 'info' }, createWriteStream('/dev/null')),
  metrics: createMetrics(),
  database,
  wakeUps: createWakeUps(database, (error) => void process.stderr.write(`${error}\n`)),
  s3: undefined,
  store: await openFileStore(objects),
  hashTurns: createHashTurns(),
  secretKeys: parseSecretKeys(secretKeys),
}
let stop: (() => Promise<void>) | undefined
process.stdout.write('ready\n')

for await (const _ of createInterface({ input: process.stdin })) {
  if (stop) await stop()
  stop = stop ? undefined : startOutbound(parts, { console: 'http://localhost:8081', webmail: 'http://localhost:8082' })
  process.stdout.write('done\n')
}
