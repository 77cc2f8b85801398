// The console and the webmail over a test's database, and requests to them as a browser that is signed in makes them.

import type { ObjectStore } from '../../src/lib/object-store.ts'
import type { Database } from '../../src/lib/sql.ts'
import { type ConsoleAddition, startConsole } from '../../src/roles/console.ts'
import { startWebmail } from '../../src/roles/webmail.ts'
import type { SiteName } from '../../src/servers/sessions/site.ts'
import type { NewSession } from '../../src/users/sessions.ts'
import { openTestStore } from './api.ts'
import { createTestParts, type LogLine, stopOnce, type TestPartsOptions } from './role-parts.ts'

export interface TestSite {
  name: SiteName
  /** As browsers know it. */
  url: string
  listensAt: string
  stop(): Promise<void>
  /** What it has logged so far. */
  lines: readonly LogLine[]
  /** Asks as a page of the site does. `cookie`: the session's; null: signed out. */
  ask(method: string, path: string, request?: TestRequest): Promise<TestAnswer>
}

interface TestRequest {
  session?: NewSession | null
  body?: unknown
  headers?: Record<string, string>
}

export interface TestAnswer {
  status: number
  headers: Headers
  text: string
  // biome-ignore lint/suspicious/noExplicitAny: JSON of whatever shape is asked for.
  body: any
}

const COOKIES: Record<SiteName, string> = { console: '__Host-mdk_console', webmail: '__Host-mdk_webmail' }

export async function startTestSite(
  name: SiteName,
  database: Database,
  { store: given, addition, ...options }: TestPartsOptions & { store?: ObjectStore; addition?: ConsoleAddition } = {},
): Promise<TestSite> {
  const { wakeUps, ...parts } = createTestParts(database, options)
  const store = given ?? (await openTestStore())
  const all = { ...parts, wakeUps, store, s3: undefined }
  const site = name === 'console' ? await startConsole(all, { addition }) : await startWebmail(all)
  return {
    name,
    url: site.url,
    listensAt: site.listensAt,
    stop: stopOnce(wakeUps, site.stop),
    lines: parts.lines,
    async ask(method, path, { session, body, headers = {} } = {}) {
      const answer = await fetch(`${site.listensAt}${path}`, {
        method,
        redirect: 'manual',
        headers: {
          'sec-fetch-site': 'same-origin',
          ...(session ? { cookie: `${COOKIES[name]}=${session.cookie}` } : {}),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        body: body === undefined ? null : JSON.stringify(body),
      })
      const text = await answer.text()
      const isJson = answer.headers.get('content-type')?.startsWith('application/json')
      return { status: answer.status, headers: answer.headers, text, body: isJson ? JSON.parse(text) : undefined }
    },
  }
}
