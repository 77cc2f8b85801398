// Counts requests in fixed windows of UTC and says when a limit is reached. In memory, so that a request waits for
// nothing, and added up over processes several times a second; exact within one process. DECISIONS "Limits".

export type LimitName = 'ip' | 'key' | 'tenant'

export interface Limit {
  name: LimitName
  /** Whose requests are counted. */
  subject: string
  /** Requests in a window. */
  most: number
  windowMs: number
}

/** Where a subject stands after its request was counted, or refused. */
export interface Standing {
  name: LimitName
  limit: number
  remaining: number
  /** Until the window ends; whole seconds, at least 1. */
  resetSeconds: number
  refused: boolean
}

export interface CountRow {
  name: LimitName
  subject: string
  windowStartMs: number
  requests: number
}

export interface Counts {
  /** Adds these to what all processes have counted. Gives the sums in the same order, and the database's clock. */
  add(rows: readonly CountRow[]): Promise<{ sums: number[]; nowMs: number }>
}

export interface RateLimiter {
  /** Counts one request, unless the limit is reached. A promise only when the window's sum is not known yet. */
  take(limit: Limit): Standing | Promise<Standing>
  /** Adds up what is not added yet, and stops. */
  stop(): Promise<void>
}

interface Entry {
  row: Omit<CountRow, 'requests'>
  /** What all processes together had counted when last asked, and what this one has counted since. */
  known: number
  fresh: number
  loading: Promise<void> | undefined
}

const ADD_UP_EVERY_MS = 250
const ROWS_AT_ONCE = 1_000
/** However many addresses there are: beyond this the one counted longest ago is forgotten. */
const MOST_SUBJECTS = 50_000

export function createRateLimiter(counts: Counts, onError: (error: unknown) => void): RateLimiter {
  const entries = new Map<string, Entry>()
  const unsaved = new Set<Entry>()
  /** How far the database's clock is ahead of this process's. */
  let aheadMs = 0
  let adding: Promise<void> | undefined
  const timer = setInterval(() => {
    adding ??= addUp().finally(() => {
      adding = undefined
    })
  }, ADD_UP_EVERY_MS).unref()

  async function addUp(): Promise<void> {
    const batch = [...unsaved].slice(0, ROWS_AT_ONCE)
    if (batch.length === 0) return
    const rows = batch.map(({ row, fresh }) => ({ ...row, requests: fresh }))
    for (const entry of batch) unsaved.delete(entry)
    try {
      const { sums, nowMs } = await counts.add(rows)
      aheadMs = nowMs - Date.now()
      batch.forEach((entry, i) => {
        entry.known = sums[i] as number
        entry.fresh -= (rows[i] as CountRow).requests
      })
    } catch (error) {
      for (const entry of batch) unsaved.add(entry)
      onError(error)
    }
  }

  function entryOf(limit: Limit, windowStartMs: number): Entry {
    const key = `${limit.name} ${limit.subject}`
    const found = entries.get(key)
    if (found?.row.windowStartMs === windowStartMs) return found
    const row = { name: limit.name, subject: limit.subject, windowStartMs }
    const entry: Entry = { row, known: 0, fresh: 0, loading: undefined }
    // Addresses are as many as an attacker likes: nobody waits for the database on their account.
    if (limit.name !== 'ip') entry.loading = load(entry)
    entries.delete(key)
    entries.set(key, entry)
    if (entries.size > MOST_SUBJECTS) entries.delete(entries.keys().next().value as string)
    return entry
  }

  async function load(entry: Entry): Promise<void> {
    try {
      const { sums, nowMs } = await counts.add([{ ...entry.row, requests: 0 }])
      aheadMs = nowMs - Date.now()
      entry.known = sums[0] as number
    } catch (error) {
      onError(error)
    } finally {
      entry.loading = undefined
    }
  }

  function count(entry: Entry, { name, most, windowMs }: Limit, nowMs: number): Standing {
    const resetSeconds = Math.max(1, Math.ceil((entry.row.windowStartMs + windowMs - nowMs) / 1000))
    const used = entry.known + entry.fresh
    if (used >= most) return { name, limit: most, remaining: 0, resetSeconds, refused: true }
    entry.fresh += 1
    unsaved.add(entry)
    return { name, limit: most, remaining: most - used - 1, resetSeconds, refused: false }
  }

  return {
    take(limit) {
      const nowMs = Date.now() + aheadMs
      const entry = entryOf(limit, nowMs - (nowMs % limit.windowMs))
      if (!entry.loading) return count(entry, limit, nowMs)
      return entry.loading.then(() => count(entry, limit, nowMs))
    },
    async stop() {
      clearInterval(timer)
      await adding
      await addUp()
    },
  }
}
