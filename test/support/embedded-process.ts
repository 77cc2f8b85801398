// A process that holds the embedded server, for the server's tests: starts or joins it, says what it did, and lets go
// when it is asked to. Arguments: data folder, `service` or `command`.
import { startEmbeddedPostgres } from '../../src/lib/embedded-postgres.ts'

const [dataDir, hold] = process.argv.slice(2) as [string, 'service' | 'command']
const say = (line: Record<string, unknown>) => process.stdout.write(`${JSON.stringify(line)}\n`)
try {
  const server = await startEmbeddedPostgres({
    dataDir,
    hold,
    log: { info: (info) => say({ info }), error: (error) => say({ error }) },
  })
  say({ url: server.url })
  process.stdin.once('data', () => void server.stop().then(() => process.exit(0)))
} catch (error) {
  say({ failed: (error as Error).message })
  process.exit(1)
}
