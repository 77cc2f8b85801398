// Stops mail to many addresses, as they come. specification.md#stopped-addresses
import type { TenantActor } from '../access/actor.ts'
import { assertMay } from '../access/permissions.ts'
import { recordAct } from '../audit/record.ts'
import { isEmailAddress } from '../lib/formats.ts'
import type { Database } from '../lib/sql.ts'
import { addAll } from './add-suppression.ts'
import { readAddresses, type TextPieces } from './read-addresses.ts'
import { suppressionKey } from './suppressed.ts'

/** What came of an import. */
export interface ImportReport {
  /** Addresses that are stopped from now on. */
  added: number
  /** Those that were stopped already, or are in it twice. */
  known: number
  /** How many lines have no address where one should be, and the first of them. */
  refused: number
  faults: { line: number; text: string; message: string }[]
}

/** In one transaction: each keeps the tenant's other stops waiting meanwhile. */
const TOGETHER = 1_000
/** Of the lines at fault, which nobody reads to the end. */
const MOST_FAULTS = 100
const MOST_SHOWN_CHARACTERS = 100

/**
 * Lines that are no address are passed over and told of. What was added before a failure stays, and the same file again adds
 * the rest. `onAdded` is given the report so far after each batch.
 * @throws Problem not_allowed, plan_capacity_exceeded
 */
export async function importSuppressions(
  database: Database,
  actor: TenantActor,
  pieces: TextPieces,
  onAdded: (report: ImportReport) => void = () => {},
): Promise<ImportReport> {
  assertMay(actor, 'manageSuppressions')
  const report: ImportReport = { added: 0, known: 0, refused: 0, faults: [] }
  let batch: string[] = []
  let isRecorded = false

  async function addBatch(): Promise<void> {
    const addresses = batch.map((address) => ({ address, note: null }))
    batch = []
    const added = await database.transaction(async (tx) => {
      const rows = await addAll(tx, actor, addresses, 'import')
      if (rows.length > 0 && !isRecorded) {
        await recordAct(tx, actor, { operation: 'suppression.import', resourceType: 'suppression', resourceId: null })
        return { count: rows.length, isRecorded: true }
      }
      return { count: rows.length, isRecorded }
    })
    isRecorded = added.isRecorded
    report.added += added.count
    report.known += addresses.length - added.count
    onAdded(report)
  }

  for await (const found of readAddresses(pieces)) {
    for (const { line, text } of found) {
      if (text !== undefined && isEmailAddress(text)) batch.push(suppressionKey(text))
      else noteFault(report, line, text)
      if (batch.length === TOGETHER) await addBatch()
    }
  }
  if (batch.length > 0) await addBatch()
  return report
}

function noteFault(report: ImportReport, line: number, text = ''): void {
  report.refused += 1
  if (report.faults.length >= MOST_FAULTS) return
  const message = text === '' ? 'is too long to be an address' : 'is no email address'
  report.faults.push({ line, text: text.slice(0, MOST_SHOWN_CHARACTERS), message })
}
