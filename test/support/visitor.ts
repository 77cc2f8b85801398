// Somebody with a browser without script: keeps the session cookie, opens pages of a site and sends their forms. Redirects
// are looked at and not followed.
import type { SiteName } from '../../src/servers/sessions/site.ts'
import type { TestSite } from './site.ts'

export interface Visitor {
  /** What the session cookie says; undefined while there is none. */
  cookie: string | undefined
  /** Where requests come from. */
  readonly address: string
  open(path: string, headers?: Record<string, string>): Promise<Page>
  /** Sends a form; as text, exactly that. */
  send(path: string, fields: Record<string, string> | string, headers?: Record<string, string>): Promise<Page>
}

interface Page {
  status: number
  /** Where it leads to, of a redirect. */
  location: string | null
  headers: Headers
  text: string
  /** What is said of faults. */
  alerts: string[]
}

let visitors = 0

/** Each from an address of its own, which the site believes of this machine (`trustedProxies`). */
export function createVisitor(site: TestSite, name: SiteName): Visitor {
  visitors++
  const cookieName = `__Host-mdk_${name}`
  const visitor: Visitor = {
    cookie: undefined,
    address: `198.51.${100 + Math.floor(visitors / 256)}.${visitors % 256}`,
    open: (path, headers) => ask('GET', path, null, headers),
    send: (path, fields, headers) =>
      ask('POST', path, typeof fields === 'string' ? fields : new URLSearchParams(fields).toString(), {
        'content-type': 'application/x-www-form-urlencoded',
        ...headers,
      }),
  }
  return visitor

  async function ask(method: string, path: string, body: string | null, headers: Record<string, string> = {}) {
    const answer = await fetch(`${site.listensAt}${path}`, {
      method,
      body,
      redirect: 'manual',
      headers: {
        'sec-fetch-site': 'same-origin',
        'x-forwarded-for': visitor.address,
        ...(visitor.cookie === undefined ? {} : { cookie: `${cookieName}=${visitor.cookie}` }),
        ...headers,
      },
    })
    for (const line of answer.headers.getSetCookie()) {
      const [, named, value] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (named === cookieName) visitor.cookie = value === '' ? undefined : value
    }
    const text = await answer.text()
    return {
      status: answer.status,
      location: answer.headers.get('location'),
      headers: answer.headers,
      text,
      alerts: [...text.matchAll(/role="alert"[^>]*>([^<]*)</g)].map(([, words = '']) => words),
    }
  }
}
