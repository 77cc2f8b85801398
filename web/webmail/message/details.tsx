// What whoever looks closer wants to know of a message: all addresses, when exactly, and what its sender was verified by.
import { Fragment } from 'preact'
import { CopyId } from '../../ui/copy.tsx'
import { Addresses } from './people.tsx'
import type { Message } from './shapes.ts'

const exact = new Intl.DateTimeFormat('en', { dateStyle: 'full', timeStyle: 'long' })

export function Details({ message }: { message: Message }) {
  const { from, to, cc, bcc, replyTo, at, headers, badge, direction } = message
  const messageId = headers.find(({ name }) => name.toLowerCase() === 'message-id')?.value
  const rows = [
    ['From', from ? [from] : []],
    ['Reply to', replyTo],
    ['To', to],
    ['Cc', cc],
    ['Bcc', bcc],
  ] as const
  return (
    <details class="about">
      <summary>Details</summary>
      <dl class="facts">
        {rows.map(
          ([words, people]) =>
            people.length > 0 && (
              <Fragment key={words}>
                <dt>{words}</dt>
                <dd>
                  <Addresses people={people} />
                </dd>
              </Fragment>
            ),
        )}
        <dt>{direction === 'inbound' ? 'Received' : 'Sent'}</dt>
        <dd>
          <time dateTime={at}>{exact.format(new Date(at))}</time>
        </dd>
        {messageId !== undefined && (
          <>
            <dt>Message-ID</dt>
            <dd>
              <CopyId id={messageId} label="Message-ID" />
            </dd>
          </>
        )}
        {badge && badge.details.length > 0 && (
          <>
            <dt>Sender</dt>
            <dd>
              <ul class="plain">
                {badge.details.map((words) => (
                  <li key={words}>{words}</li>
                ))}
              </ul>
            </dd>
          </>
        )}
      </dl>
    </details>
  )
}
