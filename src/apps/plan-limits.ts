// What the limits of a plan may be. Pure.
import { invalidField } from '../access/problem.ts'
import type { PlanLimits } from './find-plan.ts'

/** A century: further back a database has no dates to compare with. */
const MOST_RETENTION_DAYS = 36_500

/** @throws Problem validation_error */
export function checkPlanLimits({ retentionDays = 0 }: Partial<PlanLimits>): void {
  if (retentionDays > MOST_RETENTION_DAYS) {
    throw invalidField('retention-days', `must be at most ${MOST_RETENTION_DAYS}; 0 is for ever`)
  }
}
