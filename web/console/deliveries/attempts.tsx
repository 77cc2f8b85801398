// Every attempt of a delivery, the newest first: why it failed, what to do about it, and what the receiver answered.
import type { ShownAttempt } from '../../../src/servers/console/webhook-schemas.ts'
import { Badge } from '../../ui/badge.tsx'
import { Time } from '../../ui/time.tsx'
import { Answer } from '../webhooks/answer.tsx'
import { explainError } from '../webhooks/delivery-words.ts'

export function Attempts({ attempts }: { attempts: readonly ShownAttempt[] }) {
  return (
    <div class="table folds">
      <table class="attempts">
        <thead>
          <tr>
            <th scope="col">
              <span class="unseen">Attempt</span>
            </th>
            <th scope="col">When</th>
            <th scope="col">Status</th>
            <th scope="col">Took</th>
            <th scope="col">Result</th>
          </tr>
        </thead>
        <tbody>
          {attempts.toReversed().map((each) => (
            <tr key={`${each.cycle}/${each.number}`}>
              <th scope="row">{nameOf(each)}</th>
              <td data-label="When">
                <Time at={each.at} />
              </td>
              <td data-label="Status">{each.statusCode ?? '–'}</td>
              <td data-label="Took">{each.durationMs} ms</td>
              <td class="outcome">
                <Outcome attempt={each} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** Of the first cycle, or of which replay. */
function nameOf({ cycle, number }: ShownAttempt): string {
  return cycle === 1 ? `Attempt ${number}` : `Replay ${cycle - 1}, attempt ${number}`
}

function Outcome({ attempt: { error, statusCode, answer } }: { attempt: ShownAttempt }) {
  if (error === null) return <Badge tone="good">Accepted</Badge>
  const { what, toDo } = explainError(error, statusCode)
  return (
    <div class="stack tight">
      <p>
        <strong>{what}.</strong> <span class="soft">{toDo}</span>
      </p>
      {answer !== null && <Answer text={answer} />}
    </div>
  )
}
