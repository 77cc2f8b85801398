// Shows captured mail on the ops listener: a list, and each mail's text and source. Mail is hostile by nature: all
// of it is shown as text, and no page may load or run anything.
import { readdir, readFile } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import { join } from 'node:path'
import { escapeUTF8 } from 'entities/escape'
import PostalMime, { type Email } from 'postal-mime'
import type { OpsPage } from '../servers/ops/ops-server.ts'
import { isOwnHost } from './own-host.ts'

const LISTED = 100
/** RFC 9110 15.5.20. */
const MISDIRECTED = 421
const NAME = /^[0-9a-f-]{36}\.eml$/

/**
 * `/captured`, `/captured/<id>.eml` and its source at `/captured/<id>.eml/source`. `host` is what the listener was given
 * to listen on.
 */
export function capturedPages(folder: string, host: string): OpsPage {
  return async (request, response) => {
    const [, first, name, view, ...more] = (request.url ?? '').split('?', 1)[0]?.split('/') ?? []
    if (first !== 'captured' || more.length > 0) return false
    if (!isOwnHost(request, host)) {
      send(response, 'text/plain; charset=utf-8', 'Ask by the address that mdk dev has printed.\n', MISDIRECTED)
      return true
    }
    if (name === undefined || name === '') {
      sendPage(response, 'Captured mail', await list(folder))
      return true
    }
    if (!NAME.test(name)) return false
    const bytes = await readFile(join(folder, name)).catch(() => undefined)
    if (!bytes) return false
    if (view === 'source') send(response, 'text/plain; charset=utf-8', bytes)
    else sendPage(response, 'Captured mail', show(name, await parse(bytes)))
    return true
  }
}

async function list(folder: string): Promise<string> {
  const names = (await readdir(folder).catch(() => []))
    .filter((name) => NAME.test(name))
    .sort()
    .reverse()
  const rows = await Promise.all(
    names.slice(0, LISTED).map(async (name) => {
      const mail = await parse(await readFile(join(folder, name)).catch(() => Buffer.alloc(0)))
      return `<tr><td>${escapeUTF8(mail.date ?? '')}</td><td>${escapeUTF8(people(mail.to))}</td><td><a href="/captured/${name}">${
        escapeUTF8(mail.subject ?? '') || '(no subject)'
      }</a></td></tr>`
    }),
  )
  if (rows.length === 0) return '<p>Nothing yet. Send a message, then reload.</p>'
  return `<table><tr><th>Date</th><th>To</th><th>Subject</th></tr>${rows.join('')}</table>`
}

function show(name: string, mail: Partial<Email>): string {
  const headers = (mail.headers ?? []).map(
    ({ key, value }) => `<tr><th>${escapeUTF8(key)}</th><td>${escapeUTF8(value)}</td></tr>`,
  )
  return (
    `<p><a href="/captured">All mail</a> · <a href="/captured/${name}/source">Source</a></p><table>${headers.join('')}</table>` +
    `<h2>Text</h2><pre>${escapeUTF8(mail.text ?? '')}</pre><h2>HTML</h2><pre>${escapeUTF8(mail.html ?? '')}</pre>`
  )
}

async function parse(bytes: Buffer): Promise<Partial<Email>> {
  return PostalMime.parse(bytes).catch(() => ({}))
}

function people(addresses: Email['to']): string {
  return (addresses ?? []).map(({ name, address }) => address || name).join(', ')
}

const STYLE = `body{font:15px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:60rem;padding:0 1rem;color-scheme:light dark}
table{border-collapse:collapse}td,th{text-align:left;padding:.3rem .8rem .3rem 0;vertical-align:top;overflow-wrap:anywhere}
pre{white-space:pre-wrap;overflow-wrap:anywhere;border:1px solid #8884;padding:1rem}`

function sendPage(response: ServerResponse, title: string, body: string): void {
  send(
    response,
    'text/html; charset=utf-8',
    `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title><style>${STYLE}</style><h1>${title}</h1>${body}</html>`,
  )
}

function send(response: ServerResponse, type: string, body: string | Buffer, status = 200): void {
  response.writeHead(status, {
    'content-type': type,
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
  })
  response.end(body)
}
