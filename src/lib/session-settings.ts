// What a connection asks of its session before anything else, so that neither the server's defaults nor those of a role
// or a database change what our statements do and cost.
import type pg from 'pg'

const SETTINGS: Readonly<Record<string, string>> = {
  // A statement of many steps is estimated far above `jit_above_cost`, and each of its runs would be compiled for longer
  // than it takes (ADR 0020).
  jit: 'off',
  // It would be over before workers have started.
  max_parallel_workers_per_gather: '0',
  // Guarded updates look again at what another transaction has changed meanwhile.
  default_transaction_isolation: 'read committed',
  client_encoding: 'UTF8',
  TimeZone: 'UTC',
  DateStyle: 'ISO',
}

const ANSWER_WITHIN_MS = 5_000

/**
 * Gives a new connection its settings. A statement does it, as poolers refuse settings in the start-up packet, or drop
 * them. @throws pg.DatabaseError, or Error when the server does not answer within 5 s
 */
export async function applySessionSettings(client: pg.ClientBase, statementTimeoutMs: number): Promise<void> {
  const settings = {
    ...SETTINGS,
    statement_timeout: String(statementTimeoutMs),
    idle_in_transaction_session_timeout: String(statementTimeoutMs),
  }
  const query: pg.QueryConfig & { query_timeout: number } = {
    text: 'select set_config(name, value, false) from unnest($1::text[], $2::text[]) as s (name, value)',
    values: [Object.keys(settings), Object.values(settings)],
    query_timeout: ANSWER_WITHIN_MS,
  }
  await client.query(query)
}
