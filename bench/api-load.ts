// An API in a process of its own, and load on one or more of them from another process.
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import type { TestTenant } from '../test/support/tenant.ts'
import { V8_OPTIONS } from './line-process.ts'
import type { LoadResult } from './load.ts'

const CONNECTIONS = 64

export interface Api {
  child: ChildProcess
  port: number
}

/** `groupRows`: sends in one statement at most. */
export async function startApi(url: string, groupRows: number): Promise<Api> {
  const script = new URL('api-process.ts', import.meta.url).pathname
  const args = [...V8_OPTIONS, script, url, String(groupRows)]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  for await (const line of createInterface({ input: child.stdout })) return { child, port: Number(line) }
  throw new Error('the API did not start')
}

/** 64 connections in all, shared among the APIs; `rate` in requests a second, 0: as fast as it goes. */
export async function load(
  apis: readonly Api[],
  seconds: number,
  rate: number,
  tenant: TestTenant,
): Promise<LoadResult> {
  const script = new URL('load.ts', import.meta.url).pathname
  const ports = apis.map(({ port }) => port).join()
  const args = [script, ports, seconds, CONNECTIONS, rate, tenant.key, tenant.mailboxId].map(String)
  const { stdout } = await promisify(execFile)(process.execPath, args)
  const result = JSON.parse(stdout) as LoadResult
  if (result.refused > 0) throw new Error(`${result.refused} sends were refused`)
  return result
}

export const perSecond = (result: LoadResult) => result.accepted / result.seconds
