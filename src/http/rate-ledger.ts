// Counts of one kind of subject: kept in memory, so that a request waits for nothing, and added up over processes
// several times a second. Its memory is bounded, whatever the number of subjects. Knows no limits.

export interface CountRow {
  kind: string
  subject: string
  windowStartMs: number
  requests: number
}

export interface Counts {
  /** Adds these to what all processes have counted. Gives the sums in the same order, and the database's clock. */
  add(rows: readonly CountRow[]): Promise<{ sums: number[]; nowMs: number }>
}

/** One subject's window. */
export interface Entry {
  readonly subject: string
  readonly windowStartMs: number
  /** What all processes together had counted when last asked, and what this one has counted since. */
  known: number
  fresh: number
  /** While `known` is asked for. */
  loading: Promise<void> | undefined
}

export interface RateLedger {
  entryOf(subject: string, windowStartMs: number): Entry
  /** Counts one request. */
  add(entry: Entry): void
  /** Adds up what is not added yet, and stops. */
  stop(): Promise<void>
}

export interface RateLedgerDeps {
  counts: Counts
  kind: string
  /** Whether an entry's sum is asked for before the first request is counted. */
  waitsForSum: boolean
  onClock(nowMs: number): void
  onError(error: unknown): void
  mostSubjects?: number | undefined
}

/** Twice in the half second within which processes must know of each other. */
const ADD_UP_EVERY_MS = 250
const ROWS_AT_ONCE = 1_000
/** Beyond this the subject whose window began longest ago is forgotten here, and its count added up all the same. */
const MOST_SUBJECTS = 20_000

export function createRateLedger(deps: RateLedgerDeps): RateLedger {
  const { counts, kind, waitsForSum, onClock, onError, mostSubjects = MOST_SUBJECTS } = deps
  const entries = new Map<string, Entry>()
  const unsaved = new Set<Entry>()
  let adding: Promise<void> | undefined
  const timer = setInterval(() => {
    adding ??= addUp()
      .catch(onError)
      .finally(() => {
        adding = undefined
      })
  }, ADD_UP_EVERY_MS).unref()

  /** All that is unsaved now; what comes meanwhile has its turn next time. */
  async function addUp(): Promise<void> {
    const all = [...unsaved]
    for (let i = 0; i < all.length; i += ROWS_AT_ONCE) await addRows(all.slice(i, i + ROWS_AT_ONCE))
  }

  async function addRows(batch: Entry[]): Promise<void> {
    const fresh = batch.map((entry) => entry.fresh)
    for (const entry of batch) unsaved.delete(entry)
    try {
      const sums = await sumsOf(batch, fresh)
      batch.forEach((entry, i) => {
        entry.known = sums[i] as number
        entry.fresh -= fresh[i] as number
      })
    } catch (error) {
      for (const entry of batch) keepForLater(entry)
      throw error
    }
  }

  async function load(entry: Entry): Promise<void> {
    try {
      const [sum] = await sumsOf([entry], [0])
      entry.known = sum as number
    } catch (error) {
      onError(error)
    } finally {
      entry.loading = undefined
    }
  }

  async function sumsOf(batch: Entry[], requests: number[]): Promise<number[]> {
    const { sums, nowMs } = await counts.add(
      batch.map(({ subject, windowStartMs }, i) => ({ kind, subject, windowStartMs, requests: requests[i] as number })),
    )
    onClock(nowMs)
    return sums
  }

  /** When the database is away for long, or slower than they come, the oldest are lost. */
  function keepForLater(entry: Entry): void {
    unsaved.add(entry)
    if (unsaved.size > mostSubjects) unsaved.delete(unsaved.values().next().value as Entry)
  }

  return {
    entryOf(subject, windowStartMs) {
      const found = entries.get(subject)
      if (found?.windowStartMs === windowStartMs) return found
      const entry: Entry = { subject, windowStartMs, known: 0, fresh: 0, loading: undefined }
      if (waitsForSum) entry.loading = load(entry)
      entries.delete(subject)
      entries.set(subject, entry)
      if (entries.size > mostSubjects) entries.delete(entries.keys().next().value as string)
      return entry
    },
    add(entry) {
      entry.fresh += 1
      keepForLater(entry)
    },
    async stop() {
      clearInterval(timer)
      await adding
      await addUp().catch(onError)
    },
  }
}
