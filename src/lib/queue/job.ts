// What the queue hands out. Knows nothing of what the work is.
import type { Uuid } from '../uuid.ts'

export interface Job {
  tenantId: Uuid
  id: number
  queue: string
  lane: Uuid
  /** The consumer's own record that the work is about. */
  subjectId: Uuid
  payload: Record<string, unknown> | null
  /** How often it has been handed out, this time included. */
  receptions: number
  /** True when it was handed out more often than the queue allows: its consumer must say why it dies. */
  exhausted: boolean
  /** The token that whoever records a result must name. */
  claim: Uuid
}

/** A tenant's line of jobs, which are served in the order in which they fall due. */
export type Lane = Pick<Job, 'tenantId' | 'lane'>
