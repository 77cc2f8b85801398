// What `mdk dev` does: everything in one process, seeded, on this machine alone.
import { createServer } from 'node:net'
import { join } from 'node:path'
import type { Logger } from 'pino'
import { type Config, ROLES, readConfig } from '../config.ts'
import { isAtThisMachine } from '../dev/at-this-machine.ts'
import { createCapturedMail } from '../dev/captured/captured-mail.ts'
import { capturedPages } from '../dev/captured/captured-pages.ts'
import { startCapturingSink } from '../dev/captured/capturing-sink.ts'
import { type MailFolder, openMailFolder } from '../dev/captured/mail-folder.ts'
import { type Demo, NOTICES_FROM, prepareDemo } from '../dev/demo.ts'
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
  const folder = given.relay.url === undefined ? await openMailFolder(join(given.dataDir, 'captured')) : undefined
  const sink = folder && (await startCapturingSink(folder))
  try {
    const config = await forDevelopment(given, cli.env, sink?.url)
    // A person reads the screen; a program reads every line.
    const log = createLog(cli.json ? config.logLevel : 'warn')
    await runUntilStopped(() => start(cli, config, log, folder), log)
  } finally {
    await sink?.stop()
  }
}

/** Starts, and shows what there is. `captured`: what the sink takes, when there is one. */
async function start(
  cli: Cli,
  config: Config,
  log: Logger,
  captured: MailFolder | undefined,
): Promise<{ stop(): Promise<void> }> {
  let demo: Demo | undefined
  const mail = captured && createCapturedMail(captured, () => demo?.tenantId)
  const service = await serve({
    config,
    roles: ROLES,
    log,
    metrics: createMetrics(),
    prepare: (database) => beTheOnlyOne(database, config.dataDir),
    watchFrontEnds: true,
    consoleAddition: mail && capturedPages(mail),
    // With a relay that somebody named, a live key sends real mail.
    keyFor: (request) => (isAtThisMachine(request) ? (mail ? demo?.liveKey : demo?.testKey) : undefined),
  })
  demo = await prepareDemo(
    service.database,
    operator(),
    createSecretBox(await openSecretKeys(config, service.database)),
    config.dataDir,
  )
  const sites = { consoleUrl: service.consoleUrl as string, webmailUrl: service.webmailUrl as string }
  const { links, placeOf } = await makeSignInLinks(service.database, operator(), demo, sites)
  const places = {
    ...sites,
    ...links,
    url: service.httpUrl as string,
    opsUrl: service.opsUrl,
    smtpUrl: service.smtpUrl as string,
    capturedUrl: mail ? `${service.consoleUrl}/captured` : null,
    dataDir: config.dataDir,
  }
  process.stdout.write(cli.json ? `${JSON.stringify({ ...places, ...demo })}\n` : welcome(demo, places))

  const watching = new AbortController()
  const watch = cli.json
    ? Promise.resolve()
    : printSteps(
        service.database,
        demo.tenantId,
        { print: (line) => process.stdout.write(`${line}\n`), placeOf },
        watching.signal,
      )
  return {
    async stop() {
      watching.abort()
      await watch
      await service.stop()
      await mail?.stop()
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

/** What development adds where the environment says nothing: a relay, a return path, webhooks to this machine, and images from it. */
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
    webhooks: { ...config.webhooks, allow: orThisMachine(config.webhooks.allow) },
    images: { allow: orThisMachine(config.images.allow) },
  }
}

const orThisMachine = (allow: Config['webhooks']['allow']) =>
  allow.length > 0 ? allow : ['127.0.0.0/8', '::1'].map(parseNetwork)

/** The port when nobody has it, otherwise 0: any. */
function freePort(port: number): Promise<number> {
  return new Promise((resolve) => {
    const probe = createServer()
    probe.once('error', () => resolve(0))
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(port)))
  })
}
