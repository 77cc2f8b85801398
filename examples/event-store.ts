// What the receiver and the reconciliation job of this folder share: each event is stored once, by its id, together
// with what the program does because of it. SQLite keeps the example small; any database with a unique constraint and
// transactions does.
import { DatabaseSync } from 'node:sqlite'

/** What a webhook and an item of the feed have in common. */
export interface StoredEvent {
  id: string
  type: string
  occurredAt: string
  data: Record<string, unknown>
}

export interface EventStore {
  /**
   * Stores those events that are new and their effects, and the cursor behind them when there is one, all or nothing.
   * When it returns they are durable. Gives how many were new.
   */
  accept(events: readonly StoredEvent[], cursor?: string): number
  /** Small things to remember between runs: the feed's cursor, the endpoint's secret. */
  read(name: string): string | undefined
  write(name: string, value: string): void
  close(): void
}

export const CURSOR = 'cursor'

export function openEventStore(path: string): EventStore {
  const database = new DatabaseSync(path)
  database.exec(`
    pragma busy_timeout = 5000;
    pragma journal_mode = wal;
    pragma synchronous = full;
    create table if not exists events (
      id text primary key, type text not null, occurred_at text not null, data text not null
    ) strict;
    create table if not exists bounces (address text primary key, count integer not null) strict;
    create table if not exists settings (name text primary key, value text not null) strict;
  `)
  const insert = database.prepare(
    'insert into events (id, type, occurred_at, data) values (?, ?, ?, ?) on conflict do nothing',
  )
  const countBounce = database.prepare(
    'insert into bounces (address, count) values (?, 1) on conflict (address) do update set count = count + 1',
  )
  const readSetting = database.prepare('select value from settings where name = ?')
  const writeSetting = database.prepare(
    'insert into settings (name, value) values (?, ?) on conflict (name) do update set value = excluded.value',
  )

  /** Gives whether the event was new. Only then has it an effect: counting twice would be wrong. */
  function acceptOne(event: StoredEvent): boolean {
    const { changes } = insert.run(event.id, event.type, event.occurredAt, JSON.stringify(event.data))
    if (changes === 0) return false
    if (event.type === 'message.bounced') countBounce.run(String(event.data.recipient))
    return true
  }

  return {
    accept(events, cursor) {
      database.exec('begin immediate')
      try {
        const fresh = events.filter(acceptOne).length
        if (cursor !== undefined) writeSetting.run(CURSOR, cursor)
        database.exec('commit')
        return fresh
      } catch (error) {
        database.exec('rollback')
        throw error
      }
    },
    read: (name) => readSetting.get(name)?.value as string | undefined,
    write: (name, value) => void writeSetting.run(name, value),
    close: () => database.close(),
  }
}
