// The operator's listener, apart from the API: is the process alive, can it work, what are its figures.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Metrics } from './metrics.ts'

export interface OpsServerOptions {
  host: string
  port: number
  metrics: Metrics
  /** What must work for the process to be ready, by name. */
  checks: Record<string, () => Promise<void>>
}

const CHECK_WITHIN_MS = 2_000
/** Checks are not repeated more often, however often somebody asks. */
const CHECKS_HOLD_MS = 500

/** @throws Error when the port is taken */
export async function startOpsServer(options: OpsServerOptions): Promise<{ url: string; stop(): Promise<void> }> {
  let checkedAt = Number.NEGATIVE_INFINITY
  let checked: Promise<Record<string, string>> = Promise.resolve({})
  const checks = Object.entries(options.checks).map(([name, check]) => [name, oneAtATime(check)] as const)

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url?.split('?')[0]
    if (path === '/healthz') return sendJson(response, 200, { status: 'ok' })
    if (path === '/readyz') {
      if (performance.now() - checkedAt > CHECKS_HOLD_MS) {
        checkedAt = performance.now()
        checked = runChecks(checks)
      }
      const results = await checked
      const ready = Object.values(results).every((result) => result === 'ok')
      return sendJson(response, ready ? 200 : 503, { status: ready ? 'ok' : 'unavailable', checks: results })
    }
    if (path === '/metrics') {
      const { text, contentType } = await options.metrics.read()
      response.writeHead(200, { 'content-type': contentType }).end(text)
      return
    }
    sendJson(response, 404, { status: 'not found' })
  }

  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy())
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(options.port, options.host, resolve)
  })
  const { address, port, family } = server.address() as AddressInfo
  const host = family === 'IPv6' ? `[${address}]` : address
  return {
    url: `http://${host}:${port}`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

type Check = OpsServerOptions['checks'][string]

/** Each check's result: `ok`, or why not. */
async function runChecks(checks: readonly (readonly [string, Check])[]): Promise<Record<string, string>> {
  const results = await Promise.all(checks.map(async ([name, check]) => [name, await outcomeOf(check)] as const))
  return Object.fromEntries(results)
}

/** One that hangs is asked after again and not begun again: each would keep a connection. */
function oneAtATime(check: Check): Check {
  let running: Promise<void> | undefined
  return () => {
    running ??= check().finally(() => {
      running = undefined
    })
    return running
  }
}

async function outcomeOf(check: Check): Promise<string> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<string>((resolve) => {
    timer = setTimeout(() => resolve(`no answer within ${CHECK_WITHIN_MS / 1000} s`), CHECK_WITHIN_MS)
  })
  const result = check().then(
    () => 'ok',
    (error: Error) => error.message,
  )
  return Promise.race([result, late]).finally(() => clearTimeout(timer))
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' })
  response.end(`${JSON.stringify(body)}\n`)
}
