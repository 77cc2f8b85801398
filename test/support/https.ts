// Requests over TLS, whoever the certificate is of.
import type { IncomingMessage } from 'node:http'
import { type RequestOptions, request } from 'node:https'
import { text } from 'node:stream/consumers'

export interface HttpsAnswer {
  status: number
  headers: IncomingMessage['headers']
  body: string
}

/** Sends it over a connection of its own, unless an agent is given, and reads all of the answer. */
export async function askHttps(
  port: number,
  path: string,
  { body, ...options }: RequestOptions & { body?: Uint8Array | string } = {},
): Promise<HttpsAnswer> {
  const answer = await beginHttps(port, path, { body, ...options })
  return { status: answer.statusCode ?? 0, headers: answer.headers, body: await text(answer) }
}

/** Resolves with the beginning of the answer. */
export function beginHttps(
  port: number,
  path: string,
  { body, ...options }: RequestOptions & { body?: Uint8Array | string | undefined } = {},
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const at = { host: '127.0.0.1', port, path, rejectUnauthorized: false, agent: false as const }
    request({ ...at, ...options }, resolve)
      .on('error', reject)
      .end(body)
  })
}
