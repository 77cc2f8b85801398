// Messages, a row each.
import type { ListedMessage } from '../../../src/servers/console/message-schemas.ts'
import { Badge } from '../../ui/badge.tsx'
import { reasonOf } from '../../ui/reply-words.ts'
import { Time } from '../../ui/time.tsx'
import { here } from '../place.ts'
import { nameOfStatus, toneOf } from '../words.ts'

export const NO_SUBJECT = '(no subject)'

export function MessageTable({ messages }: { messages: readonly ListedMessage[] }) {
  return (
    <div class="table folds messages">
      <table>
        <thead>
          <tr>
            <th scope="col">Subject</th>
            <th scope="col">From</th>
            <th scope="col">To</th>
            <th scope="col">Status</th>
            <th scope="col">Time</th>
          </tr>
        </thead>
        <tbody>
          {messages.map((message) => (
            <Row key={message.id} message={message} />
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Row({ message }: { message: ListedMessage }) {
  const { id, from, author, recipients, subject, status, createdAt } = message
  const [first = '–'] = recipients.first
  const others = recipients.count - recipients.first.length
  return (
    <tr>
      <th scope="row">
        <a class="row-link clip" href={here(`/messages/${id}`)} title={subject}>
          <bdi>{subject.trim() === '' ? NO_SUBJECT : subject}</bdi>
        </a>
      </th>
      <td data-label="From">
        <span class="sender">
          <span class="clip" title={from?.address}>
            <bdi>{from?.address ?? '–'}</bdi>
          </span>
          {author && (
            <span class="clip soft" title={nameOfAuthor(author)}>
              <bdi>{nameOfAuthor(author)}</bdi>
            </span>
          )}
        </span>
      </td>
      <td data-label="To">
        <span class="first-of" title={[...recipients.first, ...(others > 0 ? [`and ${others} more`] : [])].join(', ')}>
          <bdi class="clip">{first}</bdi>
          {recipients.count > 1 && <span class="soft">+{recipients.count - 1}</span>}
        </span>
      </td>
      <td data-label="Status">
        <Status {...message} status={status} />
      </td>
      <td data-label="Time">
        <Time at={createdAt} />
      </td>
    </tr>
  )
}

function nameOfAuthor({ kind, name }: NonNullable<ListedMessage['author']>): string {
  return kind === 'application' ? `by ${name ?? 'an application'}` : `by ${name ?? 'somebody who is gone'}, webmail`
}

function Status({ status, reason }: Pick<ListedMessage, 'status' | 'reason'>) {
  const words = reason && reasonOf({ ...reason, text: reason.diagnostic })
  return (
    <span class="standing">
      <Badge tone={toneOf(status)}>{nameOfStatus(status)}</Badge>
      {words && (
        <span class="reason soft" title={words}>
          <bdi>{words}</bdi>
        </span>
      )}
    </span>
  )
}
