// What `mdk dev` does: everything in one process, seeded, on this machine alone.
import { createServer } from 'node:net'
import { join } from 'node:path'
import type { Logger } from 'pino'
import { type Config, ROLES, readConfig } from '../config.ts'
import { capturedPages } from '../dev/captured-pages.ts'
import { startCapturingSink } from '../dev/capturing-sink.ts'
import { type Demo, NOTICES_FROM, prepareDemo } from '../dev/demo.ts'
import { isAtThisMachine } from '../dev/own-host.ts'
import { printSteps, welcome } from '../dev/screen.ts'
import { makeSignInLinks } from '../dev/sign-in-links.ts'
import { createLog } from '../lib/log.ts'
import { parseNetwork } from '../lib/network.ts'
import { createSecretBox } from '../lib/secret-box.ts'
import type { Database } from '../lib/sql.ts'
import { openSecretKeys } from '../secret-keys.ts'
import { serve } from '../serve.ts'
import { createMetrics } from '../servers/ops/metrics.ts'
import type { Cli } from './cli.ts'
import { operator } from './operator.ts'
import { runUntilStopped } from './until-stopped.ts'

/** Runs until somebody asks it to stop. @throws ConfigError, and whatever keeps the service from starting */
export async function runDev(cli: Cli): Promise<void> {
  const given = readConfig(cli.env)
  const captured = join(given.dataDir, 'captured')
  const sink = given.relay.url === undefined ? await startCapturingSink(captured) : undefined
  try {
    const config = await forDevelopment(given, cli.env, sink?.url)
    // A person reads the screen; a program reads every line.
    const log = createLog(cli.json ? config.logLevel : 'warn')
    await runUntilStopped(() => start(cli, config, log, sink ? captured : null), log)
  } finally {
    await sink?.stop()
  }
}

/** Starts, and shows what there is. `captured` is the folder of what the sink took, when there is a sink. */
async function start(
  cli: Cli,
  config: Config,
  log: Logger,
  captured: string | null,
): Promise<{ stop(): Promise<void> }> {
  let demo: Demo | undefined
  const service = await serve({
    config,
    roles: ROLES,
    log,
    metrics: createMetrics(),
    prepare: (database) => beTheOnlyOne(database, config.dataDir),
    watchFrontEnds: true,
    pages: captured === null ? [] : [capturedPages(captured, config.ops.host)],
    // With a relay that somebody named, a live key sends real mail.
    keyFor: (request) => (isAtThisMachine(request) ? (captured === null ? demo?.testKey : demo?.liveKey) : undefined),
  })
  demo = await prepareDemo(
    service.database,
    operator(),
    createSecretBox(await openSecretKeys(config, service.database)),
    config.dataDir,
  )
  const sites = { consoleUrl: service.consoleUrl as string, webmailUrl: service.webmailUrl as string }
  const places = {
    ...sites,
    ...(await makeSignInLinks(service.database, operator(), demo, sites)),
    url: service.httpUrl as string,
    opsUrl: service.opsUrl,
    smtpUrl: service.smtpUrl as string,
    capturedUrl: captured === null ? null : `${service.opsUrl}/captured`,
    dataDir: config.dataDir,
  }
  process.stdout.write(cli.json ? `${JSON.stringify({ ...places, ...demo })}\n` : welcome(demo, places))

  const watching = new AbortController()
  const watch = cli.json
    ? Promise.resolve()
    : printSteps(service.database, demo.tenantId, (line) => process.stdout.write(`${line}\n`), watching.signal)
  return {
    async stop() {
      watching.abort()
      await watch
      await service.stop()
    },
  }
}

/**
 * A second `mdk dev` on the same data could revoke the keys that the first one has shown. The lock is the database's,
 * so that it ends with its holder however that ends.
 */
async function beTheOnlyOne(database: Database, dataDir: string): Promise<() => Promise<void>> {
  const holder = await database.connect('mdk dev')
  const { rows } = await holder.query("select pg_try_advisory_lock(hashtextextended('mdk dev', 0)) as alone")
  if (rows[0].alone !== true) {
    await holder.end()
    throw new Error(`mdk dev runs already with the data in ${dataDir}: use that one, or name another MDK_DATA_DIR`)
  }
  return () => holder.end()
}

/** What development adds where the environment says nothing: a relay, a return path, webhooks to this machine. */
async function forDevelopment(config: Config, env: NodeJS.ProcessEnv, relayUrl: string | undefined): Promise<Config> {
  return {
    ...config,
    // A port somebody asked for is used or refused; the usual one gives way to any other.
    http: { ...config.http, port: env.MDK_PORT ? config.http.port : await freePort(config.http.port) },
    console: {
      ...config.console,
      port: env.MDK_CONSOLE_PORT ? config.console.port : await freePort(config.console.port),
    },
    webmail: {
      ...config.webmail,
      port: env.MDK_WEBMAIL_PORT ? config.webmail.port : await freePort(config.webmail.port),
    },
    smtp: { ...config.smtp, port: env.MDK_SMTP_PORT ? config.smtp.port : await freePort(config.smtp.port) },
    ops: { ...config.ops, port: env.MDK_OPS_PORT ? config.ops.port : await freePort(config.ops.port) },
    relay: { ...config.relay, url: config.relay.url ?? relayUrl },
    returnPathDomain: config.returnPathDomain ?? 'bounce.test',
    noticesFrom: config.noticesFrom ?? NOTICES_FROM,
    webhooks: {
      ...config.webhooks,
      allow: config.webhooks.allow.length > 0 ? config.webhooks.allow : ['127.0.0.0/8', '::1'].map(parseNetwork),
    },
  }
}

/** The port when nobody has it, otherwise 0: any. */
function freePort(port: number): Promise<number> {
  return new Promise((resolve) => {
    const probe = createServer()
    probe.once('error', () => resolve(0))
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(port)))
  })
}
