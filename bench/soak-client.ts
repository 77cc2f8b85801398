// What asks a soak's service over HTTP: a customer's program with its key, and the relay with its signed reports.
import { createHmac } from 'node:crypto'
import { Agent, request } from 'undici'
import { newId } from '../src/lib/uuid.ts'

const RELAY_REPORT_SECRET = 'the relay of the soak signs its reports with this'
const CONNECTIONS = 32

/** What the service must be started with to believe the reports. */
export const REPORTS_ENV = { MDK_RELAY_REPORT_SECRET: RELAY_REPORT_SECRET }

export interface Client {
  /** Gives the answer's body. Throws when it says anything but success. */
  ask<Answer>(method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: unknown): Promise<Answer>
  report(reports: readonly Record<string, unknown>[]): Promise<void>
  close(): Promise<void>
}

export function openClient(httpUrl: string, key: string): Client {
  const dispatcher = new Agent({ connections: CONNECTIONS })
  async function answer(method: string, path: string, headers: Record<string, string>, body?: string): Promise<string> {
    const { statusCode, body: answered } = await request(httpUrl + path, {
      method: method as 'POST',
      dispatcher,
      headers: body === undefined ? headers : { ...headers, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body }),
    })
    const text = await answered.text()
    if (statusCode >= 300) throw new Error(`${method} ${path} was answered ${statusCode}: ${text}`)
    return text
  }
  return {
    async ask<Answer>(method: string, path: string, body?: unknown) {
      const headers = { authorization: `Bearer ${key}`, ...(method === 'POST' ? { 'idempotency-key': newId() } : {}) }
      const text = await answer(method, path, headers, body === undefined ? undefined : JSON.stringify(body))
      return (text === '' ? undefined : JSON.parse(text)) as Answer
    },
    async report(reports) {
      const body = JSON.stringify({ reports })
      const timestamp = String(Math.floor(Date.now() / 1_000))
      const signature = createHmac('sha256', RELAY_REPORT_SECRET).update(`${timestamp}.${body}`).digest('hex')
      const headers = { 'relay-report-timestamp': timestamp, 'relay-report-signature': `v1=${signature}` }
      await answer('POST', '/v1/relay-reports', headers, body)
    },
    close: () => dispatcher.close(),
  }
}
