// `mdk endpoint replay` and `mdk app replay`: everything that died since an instant.
import { setTimeout as delay } from 'node:timers/promises'
import type { TenantOperator } from '../access/actor.ts'
import type { Database } from '../lib/sql.ts'
import { readReplay } from '../webhooks/replays/read-replay.ts'
import type { ReplayScope } from '../webhooks/replays/replay.ts'
import { startReplay } from '../webhooks/replays/start-replay.ts'
import type { WebhookReplay } from '../webhooks/schemas.ts'
import type { Cli } from './cli.ts'
import { print } from './print.ts'

export interface ReplayOptions {
  since: string
  wait?: true
}

export const SINCE: [flags: string, description: string] = [
  '--since <instant>',
  'what died at this instant or later, such as 2026-01-31T12:00Z',
]
export const WAIT: [flags: string, description: string] = ['--wait', 'until it has ended; workers do it']

const LOOK_EVERY_MS = 500

/** Asks for the replay; gives how it stands, or how it ended when that is waited for. */
export async function replaySince(
  cli: Cli,
  database: Database,
  operator: TenantOperator,
  scope: ReplayScope,
  { since, wait }: ReplayOptions,
): Promise<WebhookReplay> {
  let replay = await database.transaction((tx) => startReplay(tx, operator, scope, { since }))
  while (wait && replay.status === 'running') {
    await delay(LOOK_EVERY_MS)
    replay = await readReplay(database, operator, replay.id)
    if (!cli.json) process.stderr.write(`\r${progress(replay)}\u001b[K`)
  }
  if (wait && !cli.json) process.stderr.write('\n')
  return replay
}

/** One that was stopped before its end has failed. */
export function printReplay(cli: Cli, replay: WebhookReplay): void {
  const { id, status, stoppedBecause } = replay
  const how = status === 'stopped' ? `stopped (${stoppedBecause})` : status
  print(cli, replay, `Replay ${id} is ${how}: ${progress(replay)}`)
  if (status === 'stopped') cli.status = 1
}

function progress({ replayed, remaining }: WebhookReplay): string {
  return remaining === null ? `${replayed} replayed` : `${replayed} replayed, ${remaining} left`
}
