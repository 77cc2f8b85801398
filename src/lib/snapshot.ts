// Reads the database as it is at one moment, over a connection of its own, so that whoever reads for long takes none from those
// who answer requests. A snapshot that only reads has no transaction id and does not hold back the event feed (ADR 5); it holds
// back the removal of dead rows for as long as it is open, so whoever opens one bounds its time.
import { type Database, type Db, dbOf } from './sql.ts'

export interface Snapshot extends Db {
  /** Ends it, whatever it is doing, also the server's work for it. */
  close(): void
}

/** How often the server looks, while it works, whether anybody still waits: by itself it would work to the statement's end. */
const LOOKS_FOR_READER = `set client_connection_check_interval = '1s'`

/** It shows what had been committed when its first statement began. @throws when the database cannot be reached */
export async function openSnapshot(database: Pick<Database, 'connect'>, applicationName: string): Promise<Snapshot> {
  const client = await database.connect(applicationName)
  const close = () => void client.connection.stream.destroy()
  try {
    // There are systems on which a server cannot look (Windows) and refuses to: there the bound of a statement's time is all.
    await client.query(LOOKS_FOR_READER).catch(() => {})
    await client.query('begin isolation level repeatable read, read only')
    return { ...dbOf(client), close }
  } catch (error) {
    close()
    throw error
  }
}
